import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { type Call, noInput, wholeNumberParam } from '../http.ts';
import { addressSchema } from '../tokens/model.ts';
import { byId, idSchema } from '../users/model.ts';
import {
  exitsSchema,
  limitBounds,
  slippageBounds,
  tradingAccountChangeSchema,
  tradingAccountSchema,
  tradingModeSchema,
} from './account.ts';
import { lamportsSchema, within } from './amounts.ts';
import { orderSideSchema } from './machine.ts';
import { newOrderSchema, orderSchema, quoteResponseSchema } from './order.ts';
import { dayProfitSchema, positionSchema } from './position.ts';
import { tradingStatusSchema } from './status.ts';
import { stopReportSchema } from './stop.ts';

/** Default and largest page of orders and positions. */
export const TRADING_PAGE_DEFAULT = 50;
export const TRADING_PAGE_MAX = 200;
/** Days of profit, at most. */
export const PROFIT_DAYS_MAX = 90;

/** Reads of a user's trading: the caller's own, or any user's for an administrator, which is recorded and shown to that user. */
const ofUser = { userId: idSchema.optional() };
/** Lamports in a query string. */
const lamportsParam = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .pipe(lamportsSchema);
const page = {
  limit: wholeNumberParam(1, TRADING_PAGE_MAX).optional(),
  /** Id of the last row of the page before. */
  before: idSchema.optional(),
};

/** Errors of an order that limits, money, prices or the token refuse; `details` has the figures of each by their names. */
const refusalErrors = [
  'not-tradable',
  'over-limit',
  'day-budget',
  'too-many-open',
  'day-loss',
  'cooldown',
  'unknown-orders',
  'no-money',
  'no-tokens',
  'being-sold',
  'blacklisted',
  'slippage',
  'impact',
  'too-small',
  'stale-market',
] as const satisfies readonly ErrorCode[];

/** Orders, positions, limits and the stop of the signed-in user. */
export const tradingCalls = {
  account: {
    ...noInput,
    summary:
      'Mode, limits, presets, defaults, protections with their locks, the present budget and whether trading is stopped.',
    method: 'GET',
    path: '/api/trading/account',
    access: 'user',
    query: z.strictObject(ofUser),
    output: tradingAccountSchema,
  },
  changeAccount: {
    ...noInput,
    summary:
      "Changes mode, limits, protections, presets or defaults. Real money needs the typed word 'LIVE' and a recent password.",
    errors: ['trading-off', 'confirm-needed', 'chain-unavailable'],
    method: 'PATCH',
    path: '/api/trading/account',
    access: 'user',
    confirm: 'replacement',
    body: tradingAccountChangeSchema,
    output: tradingAccountSchema,
  },
  resetPaper: {
    ...noInput,
    summary: 'Sets the play money of paper trading to its start and closes the paper positions.',
    errors: ['already-running'],
    method: 'POST',
    path: '/api/trading/account/reset-paper',
    access: 'user',
    output: tradingAccountSchema,
  },
  liftGuard: {
    ...noInput,
    summary: 'Ends the lock of the stop-loss guard in the present mode. With real money it needs a recent password.',
    errors: ['trading-off'],
    method: 'POST',
    path: '/api/trading/account/lift-guard',
    access: 'user',
    confirm: 'replacement',
    output: tradingAccountSchema,
  },
  quote: {
    ...noInput,
    summary: 'The result of a trade if it were made now, with every cost by name, or the reason why it is refused.',
    errors: ['trading-off', 'token-not-found'],
    method: 'GET',
    path: '/api/trading/quote',
    access: 'user',
    query: z.strictObject({
      /** Mode that the user was shown; another active one refuses the quote. Missing: the active one. */
      mode: tradingModeSchema.optional(),
      address: addressSchema,
      side: orderSideSchema,
      /** For a purchase. */
      lamports: lamportsParam.optional(),
      /** For a sale, percent 1–100 of what the wallet holds. */
      sharePercent: wholeNumberParam(1, 100).optional(),
      /** For a sale of the position of `positionId`, as in an order. */
      initial: z
        .literal('true')
        .transform(() => true as const)
        .optional(),
      positionId: idSchema.optional(),
      /** Terms that are missing are those of the chosen preset. */
      slippageBps: wholeNumberParam(slippageBounds.min, slippageBounds.max).optional(),
      priorityMaxLamports: lamportsParam.pipe(within(limitBounds.priorityMaxLamports)).optional(),
      tipLamports: lamportsParam.pipe(within(limitBounds.tipLamports)).optional(),
    }),
    output: quoteResponseSchema,
  },
  createOrder: {
    ...noInput,
    summary: 'Creates an order, or returns the one with this `clientId`. It responds before the chain has decided.',
    errors: [
      'trading-off',
      'trading-stopped',
      'token-not-found',
      'not-found',
      'confirm-needed',
      'no-wallet',
      'no-key',
      ...refusalErrors,
    ],
    method: 'POST',
    path: '/api/trading/orders',
    access: 'user',
    key: 'trade',
    body: newOrderSchema,
    output: orderSchema,
  },
  cancelOrder: {
    ...noInput,
    summary: 'Cancels an order that was not sent yet; `already-sent` otherwise.',
    errors: ['not-found', 'already-sent'],
    method: 'POST',
    path: '/api/trading/orders/{id}/cancel',
    access: 'user',
    key: 'trade',
    params: byId,
    output: orderSchema,
  },
  orders: {
    ...noInput,
    summary: 'Orders, newest first.',
    method: 'GET',
    path: '/api/trading/orders',
    access: 'user',
    query: z.strictObject({
      ...ofUser,
      ...page,
      address: addressSchema.optional(),
      state: z.enum(['open', 'over']).optional(),
    }),
    output: z.array(orderSchema),
  },
  order: {
    ...noInput,
    summary: 'One order with its attempts.',
    errors: ['not-found'],
    method: 'GET',
    path: '/api/trading/orders/{id}',
    access: 'user',
    params: byId,
    output: orderSchema,
  },
  positions: {
    ...noInput,
    summary: 'Open positions with their present value, or closed ones, newest first.',
    method: 'GET',
    path: '/api/trading/positions',
    access: 'user',
    query: z.strictObject({ ...ofUser, ...page, state: z.enum(['open', 'closed']), address: addressSchema.optional() }),
    output: z.array(positionSchema),
  },
  changeExits: {
    ...noInput,
    summary: 'Sets stop loss and take profit of an open position; with `version` only while it has that one.',
    errors: ['not-found', 'changed-meanwhile'],
    method: 'PATCH',
    path: '/api/trading/positions/{id}',
    access: 'user',
    key: 'trade',
    params: byId,
    body: exitsSchema.extend({ version: z.int().min(1).optional() }),
    output: positionSchema,
  },
  profit: {
    ...noInput,
    summary: 'Realised profit by day (UTC) in the present mode, newest first; days without a trade are left out.',
    method: 'GET',
    path: '/api/trading/profit',
    access: 'user',
    query: z.strictObject({ ...ofUser, days: wholeNumberParam(1, PROFIT_DAYS_MAX).optional() }),
    output: z.array(dayProfitSchema),
  },
  stop: {
    ...noInput,
    summary:
      'Stops buying: once it responds nothing more is signed for a purchase. `sell` then sells every open position.',
    errors: ['trading-off'],
    method: 'POST',
    path: '/api/trading/stop',
    access: 'user',
    key: 'trade',
    body: z.strictObject({
      sell: z.boolean(),
      /** Whether exits wait until trading is resumed. Default: they go on, or stay as an earlier stop has set them. */
      pausesExits: z.boolean().optional(),
    }),
    output: stopReportSchema,
  },
  stopReport: {
    ...noInput,
    summary: 'The report of the last stop; null without one.',
    method: 'GET',
    path: '/api/trading/stop',
    access: 'user',
    output: stopReportSchema.nullable(),
  },
  resume: {
    ...noInput,
    summary: 'Allows buying again. With real money it needs a recent password.',
    errors: ['trading-off', 'trading-stopped'],
    method: 'POST',
    path: '/api/trading/resume',
    access: 'user',
    confirm: 'replacement',
    output: tradingAccountSchema,
  },
} satisfies Record<string, Call>;

/** Trading of everybody, for administrators. */
export const adminTradingCalls = {
  status: {
    ...noInput,
    summary: 'State of trading: orders by status, failures by reason, latencies.',
    method: 'GET',
    path: '/api/admin/trading',
    access: 'admin',
    output: tradingStatusSchema,
  },
  stop: {
    ...noInput,
    summary: 'Stops buying for everybody. Sales go on.',
    errors: ['trading-off'],
    method: 'POST',
    path: '/api/admin/trading/stop',
    access: 'admin',
    output: tradingStatusSchema,
  },
  resume: {
    ...noInput,
    summary: 'Ends the stop for everybody; users who stopped by themselves stay stopped.',
    errors: ['trading-off'],
    method: 'POST',
    path: '/api/admin/trading/resume',
    access: 'admin',
    output: tradingStatusSchema,
  },
  test: {
    ...noInput,
    summary: "Tests the launchpad's program while buying with real money is locked. A passed test ends the lock.",
    method: 'POST',
    path: '/api/admin/trading/test',
    access: 'admin',
    output: tradingStatusSchema,
  },
} satisfies Record<string, Call>;
