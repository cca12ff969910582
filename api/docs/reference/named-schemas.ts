import { z } from 'zod';
import { alertHourSchema, alertSchema } from '../../../common/alerts/model.ts';
import { alertRuleSchema, presetRefSchema } from '../../../common/alerts/rules/model.ts';
import { auditEntrySchema } from '../../../common/audit/model.ts';
import {
  codeSchema,
  knownUsernameSchema,
  passwordSchema,
  sessionUserSchema,
  usernameSchema,
} from '../../../common/auth/model.ts';
import { feedCursorSchema } from '../../../common/live/protocol.ts';
import { topicSchema } from '../../../common/live/rooms.ts';
import { runSchema } from '../../../common/maintenance/model.ts';
import { ruleSchema } from '../../../common/rules/model.ts';
import { settingsSchema } from '../../../common/settings/model.ts';
import { sourceStatusSchema } from '../../../common/sources/model.ts';
import { configurationSchema, strategySchema } from '../../../common/strategies/model.ts';
import { previewSchema } from '../../../common/strategies/preview.ts';
import { templateSchema } from '../../../common/templates/model.ts';
import {
  addressSchema,
  riskSchema,
  sampleSchema,
  tokenDetailSchema,
  tokenPatchSchema,
  tokenSchema,
  tokenStatsSchema,
  tradeSchema,
} from '../../../common/tokens/model.ts';
import { figureCursorSchema, newestCursorSchema } from '../../../common/tokens/order.ts';
import { holderSchema } from '../../../common/tokens/wallets/model.ts';
import { tradingAccountSchema } from '../../../common/trading/account.ts';
import { newOrderSchema, orderSchema, quoteSchema } from '../../../common/trading/order.ts';
import { positionSchema } from '../../../common/trading/position.ts';
import { reasonSchema } from '../../../common/trading/reasons.ts';
import { tradingStatusSchema } from '../../../common/trading/status.ts';
import { stopReportSchema } from '../../../common/trading/stop.ts';
import { transactionCursorSchema } from '../../../common/transactions/http.ts';
import { signatureSchema, transactionSchema } from '../../../common/transactions/model.ts';
import { idSchema, userSchema } from '../../../common/users/model.ts';
import { privateKeySchema, walletAddressSchema, walletSchema } from '../../../common/wallet/model.ts';
import { watchEntrySchema } from '../../../common/watchlists/model.ts';
import { webhookSchema, webhookUrlSchema } from '../../../common/webhook/model.ts';

/** Values of the examples. A documented call with them is valid, though nothing may be stored under them. */
export const EXAMPLE_ID = '65f0c0ffee0000000000abcd';
export const EXAMPLE_ADDRESS = 'So11111111111111111111111111111111111111112';
const EXAMPLE_SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

/**
 * Schemas that the reference shows once, by their `id`. `examples`: for values that no generator could make. One without an id only
 * has examples.
 */
export const namedSchemas = z.registry<{ id?: string; examples?: unknown[] }>();

const texts: readonly [z.ZodType, string, string][] = [
  [idSchema, 'Id', EXAMPLE_ID],
  [addressSchema, 'Address', EXAMPLE_ADDRESS],
  [walletAddressSchema, 'WalletAddress', EXAMPLE_ADDRESS],
  [signatureSchema, 'Signature', EXAMPLE_SIGNATURE],
  [privateKeySchema, 'PrivateKey', 'ab'.repeat(64)],
  [usernameSchema, 'Username', 'trader'],
  [knownUsernameSchema, 'KnownUsername', 'trader'],
  [passwordSchema, 'Password', 'a long password'],
  [codeSchema, 'Code', '123456'],
  [newestCursorSchema, 'ListCursor', `1750000000000_${EXAMPLE_ADDRESS}`],
  [figureCursorSchema, 'SortCursor', `1.5_1750000000000_${EXAMPLE_ADDRESS}`],
  [transactionCursorSchema, 'TransactionCursor', `1750000000000_${EXAMPLE_ID}`],
  [topicSchema, 'Topic', 'tokens'],
  [presetRefSchema, 'PresetRef', 'Fresh & clean'],
  // A name that no resolver knows.
  [webhookUrlSchema, 'WebhookUrl', 'https://hooks.invalid/alerts'],
];
for (const [schema, id, example] of texts) namedSchemas.add(schema, { id, examples: [example] });

const objects: Readonly<Record<string, z.ZodType>> = {
  Alert: alertSchema,
  AlertHour: alertHourSchema,
  AlertRule: alertRuleSchema,
  AuditEntry: auditEntrySchema,
  Configuration: configurationSchema,
  FeedCursor: feedCursorSchema,
  Holder: holderSchema,
  Order: orderSchema,
  Position: positionSchema,
  Preview: previewSchema,
  Quote: quoteSchema,
  Reason: reasonSchema,
  Risk: riskSchema,
  Rule: ruleSchema,
  Run: runSchema,
  Sample: sampleSchema,
  SessionUser: sessionUserSchema,
  Settings: settingsSchema,
  SourceStatus: sourceStatusSchema,
  StopReport: stopReportSchema,
  Strategy: strategySchema,
  Template: templateSchema,
  Token: tokenSchema,
  TokenDetail: tokenDetailSchema,
  TokenPatch: tokenPatchSchema,
  TokenStats: tokenStatsSchema,
  Trade: tradeSchema,
  TradingAccount: tradingAccountSchema,
  TradingStatus: tradingStatusSchema,
  Transaction: transactionSchema,
  User: userSchema,
  Wallet: walletSchema,
  WatchEntry: watchEntrySchema,
  Webhook: webhookSchema,
};
for (const [id, schema] of Object.entries(objects)) namedSchemas.add(schema, { id });
// What it needs besides its fields depends on its side.
namedSchemas.add(newOrderSchema, {
  examples: [
    {
      clientId: '3f8b2c1e-5a4d-4c6b-9e7f-1a2b3c4d5e6f',
      mode: 'paper',
      side: 'buy',
      address: EXAMPLE_ADDRESS,
      lamports: 100_000_000,
      from: 'page',
      accept: [],
    },
  ],
});
