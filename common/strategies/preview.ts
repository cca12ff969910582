import { z } from 'zod';
import { lamportsSchema, signedLamportsSchema } from '../trading/amounts.ts';
import { exitKindSchema } from '../trading/exits.ts';

/** Hours of stored samples that a preview covers. */
export const PREVIEW_HOURS = 8;

/** A simulated purchase. Prices in SOL; unknown values are null. */
const wouldBuySchema = z.strictObject({
  address: z.string(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** Time of the purchase, ISO 8601. */
  at: z.iso.datetime(),
  /** Paid on average, own impact included and fees apart; without known depth the price of that moment. */
  price: z.number().nullable(),
  /** The newest price, and the change since the purchase in percent. */
  priceNow: z.number().nullable(),
  change: z.number().nullable(),
  /** Largest rise and fall since the purchase, percent. */
  best: z.number().nullable(),
  worst: z.number().nullable(),
  /** Sale of all of it by an exit, with its time and the change in percent; null while the position is held. */
  sold: z.strictObject({ by: exitKindSchema, at: z.iso.datetime(), change: z.number().nullable() }).nullable(),
  /** Fees of the purchase and its sales; null while the depth of the market is unknown. Rent is apart. */
  feesLamports: lamportsSchema.nullable(),
  /** Profit after all fees; tokens still held count with the proceeds of their sale at the end. Null while the depth is unknown. */
  resultLamports: signedLamportsSchema.nullable(),
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
  /** Tokens not bought because the order itself would move the price beyond the slippage. */
  tooLarge: z.int(),
  /** Tokens that only their risk, too high or unknown at present, keeps from being bought. */
  refusedByRisk: z.int(),
  /** Purchases without a result, since the depth of their market is unknown at the purchase, a sale or the end. */
  uncomputed: z.int(),
  /** Of the other purchases. `rentLamports`: in accounts of tokens still held; it comes back with the sale of all. */
  sums: z.strictObject({
    resultLamports: signedLamportsSchema,
    feesLamports: lamportsSchema,
    rentLamports: lamportsSchema,
  }),
  /** Time span of the samples, ISO 8601. */
  from: z.iso.datetime(),
  to: z.iso.datetime(),
});
export type Preview = z.infer<typeof previewSchema>;
