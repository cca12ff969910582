import { z } from 'zod';

/** Hours of stored samples a preview runs over. */
export const PREVIEW_HOURS = 8;

/** A purchase that would have happened. Prices in SOL; null where it is not known. */
export const wouldBuySchema = z.strictObject({
  address: z.string(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** When it would have been bought, ISO 8601. */
  at: z.iso.datetime(),
  price: z.number().nullable(),
  /** The newest price, and the change since the purchase in percent. */
  priceNow: z.number().nullable(),
  change: z.number().nullable(),
  /** Highest and lowest since, as a change in percent. */
  best: z.number().nullable(),
  worst: z.number().nullable(),
  /** Stop loss or take profit that would have sold it, the change in percent then, and when; null while it would be held. */
  sold: z.strictObject({ by: z.enum(['stopLoss', 'takeProfit']), at: z.iso.datetime(), change: z.number() }).nullable(),
});
export type WouldBuy = z.infer<typeof wouldBuySchema>;

/** Purchases, newest first, and what they rest on. */
export const previewSchema = z.strictObject({
  /** Purchases in all; `buys` holds the newest of them. */
  total: z.int(),
  buys: z.array(wouldBuySchema),
  /** Tokens that were looked at, and those of the time that were left out because there are too many. */
  checked: z.int(),
  leftOut: z.int(),
  /** Tokens that were not bought because a value that decides is not known: price, liquidity, holders or risk. */
  unknown: z.int(),
  /** The samples' time span, ISO 8601. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
});
export type Preview = z.infer<typeof previewSchema>;
