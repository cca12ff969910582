import { z } from 'zod';
import { chainClusterSchema } from '../client-config/model.ts';
import { addressSchema } from '../tokens/model.ts';
import { idSchema } from '../users/model.ts';
import { exitsSchema, slippageBounds, tradeTermsSchema, tradingModeSchema } from './account.ts';
import { baseUnitsSchema, lamportsSchema, positiveLamportsSchema, signedLamportsSchema } from './amounts.ts';
import { attemptOutcomeSchema, orderSideSchema, orderStatusSchema } from './machine.ts';
import { reasonSchema } from './reasons.ts';

/** Every cost of a trade by name, lamports. */
const tradeCostsSchema = z.strictObject({
  /** Fees of launchpad, or of a pool, and of the creator. Part of what a buyer pays, taken from what a seller receives. */
  launchpadFeeLamports: lamportsSchema,
  /** The network's fee for the signature. */
  networkFeeLamports: lamportsSchema,
  /** At most, in a quote; paid, in a fill. */
  priorityFeeLamports: lamportsSchema,
  tipLamports: lamportsSchema,
  /** Rent of the wallet's token account, which comes back with the sale of all tokens. */
  accountRentLamports: lamportsSchema,
  /** Rent of the launchpad's account for the wallet, paid once with its first purchase and not returned. */
  volumeRentLamports: lamportsSchema,
  /** Rent that a sale of all tokens returns. */
  returnedRentLamports: lamportsSchema,
});
export type TradeCosts = z.infer<typeof tradeCostsSchema>;

/** Costs of a trade in a block. */
const fillCostsSchema = tradeCostsSchema.extend({
  /** Null when the transaction does not show it: the fee is a part of `lamports` then, and of the price. */
  launchpadFeeLamports: lamportsSchema.nullable(),
});
export type FillCosts = z.infer<typeof fillCostsSchema>;

/** Facts that a user confirms before buying. */
export const tradeWarningSchema = z.enum(['high-risk', 'unknown-risk', 'low-liquidity', 'copied-symbol', 'no-exit']);
export type TradeWarning = z.infer<typeof tradeWarningSchema>;

/** Result of a trade if it were made now. */
export const quoteSchema = z.strictObject({
  address: addressSchema,
  side: orderSideSchema,
  mode: tradingModeSchema,
  /** Where the coin trades. */
  venue: z.enum(['curve', 'pool']),
  /** Of the token; base units / 10^decimals = whole tokens. */
  decimals: z.int(),
  /** Bought (expected) or sold. */
  tokens: baseUnitsSchema,
  /** Least that a purchase may bring, by the slippage; null for a sale. */
  leastTokens: baseUnitsSchema.nullable(),
  /** A purchase: SOL paid to the launchpad, its fee included. A sale: expected SOL received from it, its fee deducted. */
  lamports: lamportsSchema,
  /** Least that a sale may bring, by the slippage; null for a purchase. */
  leastLamports: lamportsSchema.nullable(),
  /** SOL for one whole token, without fees: before the trade, and on average of it. */
  spotPrice: z.number(),
  averagePrice: z.number(),
  /** How much worse the average price is than the spot price, basis points. */
  impactBps: z.int().min(0),
  slippageBps: z.int().min(slippageBounds.min).max(slippageBounds.max),
  costs: tradeCostsSchema,
  /** A purchase: most that leaves the wallet. A sale: least that arrives there. All costs included. */
  totalLamports: lamportsSchema,
  /** SOL in the wallet that no order reserves; null while it can't be read. */
  walletLamports: lamportsSchema.nullable(),
  /** Largest purchase that wallet and limits allow now, with its costs paid and the reserve for a sale left; null for a sale. */
  mostLamports: lamportsSchema.nullable(),
  warnings: z.array(tradeWarningSchema),
  at: z.iso.datetime(),
});
export type Quote = z.infer<typeof quoteSchema>;

/** A quote, or the reason why there is none. `quote` may be present beside a reason: what would be, if it were allowed. */
export const quoteResponseSchema = z.strictObject({
  quote: quoteSchema.nullable(),
  refusal: reasonSchema.nullable(),
});
export type QuoteResponse = z.infer<typeof quoteResponseSchema>;

/** What asked for an order. */
const orderCauseSchema = z.strictObject({
  kind: z.enum(['page', 'quick', 'bot', 'exit', 'stop', 'rule', 'strategy']),
  /** Name of rule or strategy, or of the exit ('stop loss'); null otherwise. */
  name: z.string().nullable(),
});
export type OrderCause = z.infer<typeof orderCauseSchema>;

/** Returns whether a plan makes an order, and not the user by hand. */
export function isAutomatic(cause: Pick<OrderCause, 'kind'> | undefined): boolean {
  return cause?.kind === 'rule' || cause?.kind === 'strategy';
}

/** Returns whether a person asks for an order, by page, button or bot. */
export function isByHand({ kind }: Pick<OrderCause, 'kind'>): boolean {
  return kind === 'page' || kind === 'quick' || kind === 'bot';
}

/** The token of an order or position, as it was called then. */
export const orderTokenSchema = z.strictObject({
  address: addressSchema,
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  decimals: z.int(),
});
export type OrderToken = z.infer<typeof orderTokenSchema>;

/** The result of an order, from the chain alone (or computed, on paper). */
const fillSchema = z.strictObject({
  /** Bought or sold. */
  tokens: baseUnitsSchema,
  /** A purchase: paid to the launchpad, its fee included. A sale: received from it, its fee deducted. */
  lamports: lamportsSchema,
  costs: fillCostsSchema,
  /** Average SOL for one whole token, without the known fees. */
  price: z.number(),
  slot: z.int().nullable(),
  at: z.iso.datetime(),
});
export type Fill = z.infer<typeof fillSchema>;

/** One signed transaction of an order. */
const attemptSchema = z.strictObject({
  signature: z.string(),
  sends: z.int().min(0),
  lastValidBlockHeight: z.int(),
  signedAt: z.iso.datetime(),
  firstSentAt: z.iso.datetime().nullable(),
  /** On paper: when it is filled. Null otherwise. */
  dueAt: z.iso.datetime().nullable(),
  /** Null while undecided. */
  outcome: attemptOutcomeSchema.nullable(),
  /** Why it is over without a trade. */
  failure: reasonSchema.nullable(),
  slot: z.int().nullable(),
});

/** An order as REST and events carry it. */
export const orderSchema = z.strictObject({
  id: idSchema,
  side: orderSideSchema,
  status: orderStatusSchema,
  mode: tradingModeSchema,
  /** Null on paper. */
  cluster: chainClusterSchema.nullable(),
  wallet: addressSchema,
  token: orderTokenSchema,
  cause: orderCauseSchema,
  positionId: idSchema.nullable(),
  /** SOL to spend of a purchase, the launchpad's fee included; null for a sale. */
  lamports: lamportsSchema.nullable(),
  /** Base units to sell; null for a purchase. */
  tokens: baseUnitsSchema.nullable(),
  slippageBps: z.int(),
  /** Reserved while it is not over. */
  holdLamports: lamportsSchema,
  attempts: z.array(attemptSchema),
  fill: fillSchema.nullable(),
  /** Whether nothing follows: its money is released, and its fill is in a position. */
  isClosed: z.boolean(),
  /** Gain or loss of a sale that is closed, after all costs of purchase and sale; null for any other, and without a known cost. */
  profitLamports: signedLamportsSchema.nullable(),
  /** Why it failed or was cancelled. */
  failure: reasonSchema.nullable(),
  /** ISO 8601 by our clock; null while not reached. */
  times: z.strictObject({
    created: z.iso.datetime(),
    held: z.iso.datetime().nullable(),
    signed: z.iso.datetime().nullable(),
    sent: z.iso.datetime().nullable(),
    /** The chain's verdict was read. */
    decided: z.iso.datetime().nullable(),
  }),
  version: z.int(),
});
export type Order = z.infer<typeof orderSchema>;

/** A request for an order. The same `clientId` of a user gives the same order, for ever. */
export const newOrderSchema = z
  .strictObject({
    clientId: z.uuid(),
    /** Mode that the user was shown. Another active one refuses the order. */
    mode: tradingModeSchema,
    side: orderSideSchema,
    address: addressSchema,
    /** SOL to spend of a purchase, the launchpad's fee included. */
    lamports: positiveLamportsSchema.optional(),
    /** Percent 1–100 to sell: of the position of `positionId`; without one, of what the wallet holds. */
    sharePercent: z.int().min(1).max(100).optional(),
    /** Instead of a share: sells as much of the position of `positionId` as returns its price less its proceeds so far. */
    initial: z.literal(true).optional(),
    /** Open position to sell from; only for a sale. */
    positionId: idSchema.optional(),
    /** Terms that are missing are those of the chosen preset. */
    ...tradeTermsSchema.partial().shape,
    /** Exits of the position that a purchase opens. Without them, the user's default ones. */
    exits: exitsSchema.optional(),
    /** Least that it has to bring, as the user has seen it: base units of a purchase, lamports of a sale. */
    least: baseUnitsSchema.optional(),
    from: z.enum(['page', 'quick']),
    /** Warnings that the user has seen; a missing one fails with `confirm-needed`. */
    accept: z.array(tradeWarningSchema).max(tradeWarningSchema.options.length),
  })
  .refine(
    ({ side, lamports, sharePercent, initial }) =>
      (side === 'buy' ? lamports : (sharePercent ?? initial)) !== undefined,
    {
      error: 'a purchase needs lamports, a sale sharePercent or initial',
      path: ['lamports'],
    },
  )
  .refine(({ side, positionId }) => side === 'sell' || positionId === undefined, {
    error: 'only a sale names a position',
    path: ['positionId'],
  })
  .refine(({ initial, positionId }) => initial === undefined || positionId !== undefined, {
    error: 'initial needs a position',
    path: ['positionId'],
  })
  .refine(({ side, exits }) => side === 'buy' || exits === undefined, {
    error: 'only a purchase sets exits',
    path: ['exits'],
  });
export type NewOrder = z.infer<typeof newOrderSchema>;
