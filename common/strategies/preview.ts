import { z } from 'zod';
import { exitKindSchema } from '../trading/exits.ts';

/** Hours of stored samples that a preview covers. */
export const PREVIEW_HOURS = 8;

/** A simulated purchase. Prices in SOL; unknown values are null. */
export const wouldBuySchema = z.strictObject({
  address: z.string(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** Time of the purchase, ISO 8601. */
  at: z.iso.datetime(),
  price: z.number().nullable(),
  /** The newest price, and the change since the purchase in percent. */
  priceNow: z.number().nullable(),
  change: z.number().nullable(),
  /** Largest rise and fall since the purchase, percent. */
  best: z.number().nullable(),
  worst: z.number().nullable(),
  /** Sale of all of it by an exit, with its time and the change in percent; null while the position is held. */
  sold: z.strictObject({ by: exitKindSchema, at: z.iso.datetime(), change: z.number().nullable() }).nullable(),
});
export type WouldBuy = z.infer<typeof wouldBuySchema>;

/** Simulated purchases, newest first, with the basis of the simulation. */
export const previewSchema = z.strictObject({
  /** Number of purchases; `buys` contains the newest. */
  total: z.int(),
  buys: z.array(wouldBuySchema),
  /** Evaluated tokens, and tokens of the time span left out because of the size limit. */
  checked: z.int(),
  leftOut: z.int(),
  /** Tokens not bought because price, liquidity, holders or risk was unknown. */
  unknown: z.int(),
  /** Time span of the samples, ISO 8601. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
});
export type Preview = z.infer<typeof previewSchema>;
