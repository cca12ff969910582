import { z } from 'zod';
import { LIVE_WORD, limitBounds } from '../trading/account.ts';
import { within } from '../trading/amounts.ts';
import { idSchema } from '../users/model.ts';

/** Keys of a user, at most. */
export const API_KEYS_MAX = 10;

/** What every key begins with, so that scanners for leaked secrets find it. */
export const API_KEY_PREFIX = 'mw_';

/** `read`: calls that only read. `trade`: also orders, cancellations, exits and the stop. */
export const apiKeyScopes = ['read', 'trade'] as const;
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Limits of purchases by a key, beside those of the account. */
const apiKeyLimitsSchema = z.strictObject({
  /** Most that one purchase spends, without fees. */
  perTradeLamports: within(limitBounds.perTradeLamports),
  /** Most that all purchases of a day (UTC) spend, with the most that each pays to the network. */
  perDayLamports: within(limitBounds.perDayLamports),
  /** Whether it may trade while the account trades with real money. */
  tradesLive: z.boolean(),
});
export type ApiKeyLimits = z.infer<typeof apiKeyLimitsSchema>;

/** A key of a user, without its secret. */
export const apiKeySchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  scope: z.enum(apiKeyScopes),
  /** First characters of the key, so that its owner recognises it. */
  hint: z.string(),
  /** Null for a key that only reads. */
  limits: apiKeyLimitsSchema.nullable(),
  createdAt: z.iso.datetime(),
  /** Accurate to five minutes; null before the first use. */
  lastUsedAt: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;

/** A new key. One that trades has limits; it needs a recent password, and the typed word for real money. */
export const newApiKeySchema = z
  .strictObject({
    name: z.string().trim().min(1, 'is missing').max(50, 'has at most 50 characters'),
    scope: z.enum(apiKeyScopes).default('read'),
    /** For a key that trades. */
    limits: apiKeyLimitsSchema.optional(),
    /** Required for `tradesLive`. */
    confirm: z.literal(LIVE_WORD).optional(),
  })
  .refine(({ scope, limits }) => (limits !== undefined) === (scope === 'trade'), {
    error: 'only a key that trades has limits, and needs them',
    path: ['limits'],
  });
export type NewApiKey = z.output<typeof newApiKeySchema>;
