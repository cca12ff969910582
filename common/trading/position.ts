import { z } from 'zod';
import { chainClusterSchema } from '../client-config/model.ts';
import { addressSchema } from '../tokens/model.ts';
import { idSchema } from '../users/model.ts';
import { exitsSchema, tradingModeSchema } from './account.ts';
import { baseUnitsSchema, lamportsSchema, signedLamportsSchema } from './amounts.ts';
import { orderTokenSchema } from './order.ts';
import { reason, reasonSchema, reasonText } from './reasons.ts';

/** `closing`: a sale of all of it was sent. `stuck`: three exits failed; each further price tries again. */
export const positionStatusSchema = z.enum(['open', 'closing', 'closed', 'stuck']);
export type PositionStatus = z.infer<typeof positionStatusSchema>;

/** What a sale of all of a position returns now. */
export const positionValueSchema = z.strictObject({
  /** After all fees; null with its reason while it can't be known. */
  lamports: lamportsSchema.nullable(),
  unknown: reasonSchema.nullable(),
  /** `lamports` less the remaining cost. */
  profitLamports: signedLamportsSchema.nullable(),
  /** Price in force: SOL for one whole token, without fees and impact; null while unknown. */
  price: z.number().nullable(),
  /** Whole tokens of the coin; null while unknown. With the price they are its market cap. */
  supply: z.number().nullable(),
  at: z.iso.datetime(),
});
export type PositionValue = z.infer<typeof positionValueSchema>;

/** Tokens that one wallet holds by one origin (a person, a rule or a strategy), at average cost. */
export const positionSchema = z.strictObject({
  id: idSchema,
  mode: tradingModeSchema,
  cluster: chainClusterSchema.nullable(),
  wallet: addressSchema,
  token: orderTokenSchema,
  /** Who bought: null for the user by hand, else the name of rule or strategy. */
  origin: z.strictObject({ kind: z.enum(['manual', 'rule', 'strategy']), name: z.string().nullable() }),
  status: positionStatusSchema,
  /** Held now. */
  tokens: baseUnitsSchema,
  boughtTokens: baseUnitsSchema,
  soldTokens: baseUnitsSchema,
  /** Everything that left the wallet for the tokens still held: price, launchpad fee, network, tip; without rent that comes back. */
  costLamports: lamportsSchema,
  /** The same for everything ever bought. */
  paidLamports: lamportsSchema,
  /** Everything that came back by sales, after all fees, without rent. */
  proceedsLamports: lamportsSchema,
  realisedLamports: signedLamportsSchema,
  /** Launchpad, network, priority fees and tips so far. */
  feesLamports: lamportsSchema,
  /** Rent in the token account, which comes back with the last sale. */
  rentLamports: lamportsSchema,
  /** Average price paid, SOL for one whole token, without fees: what exits compare with. */
  entryPrice: z.number(),
  exits: exitsSchema,
  /** Rises (percent) of its steps that were sold. */
  stepsDone: z.array(z.number()),
  /** Tokens that left the wallet by other ways; they reduce the position. */
  movedTokens: baseUnitsSchema,
  /** Null for a closed position. */
  value: positionValueSchema.nullable(),
  openedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
  version: z.int(),
});
export type Position = z.infer<typeof positionSchema>;

/** Returns why no sale returns the price of a position now; null when one does. The server decides with the fees of the sale. */
export function initialRefusal({
  paidLamports,
  proceedsLamports,
  value,
  status,
}: Pick<Position, 'paidLamports' | 'proceedsLamports' | 'value' | 'status'>): string | null {
  const owed = paidLamports - proceedsLamports;
  if (status === 'closing') return reasonText(reason('being-sold'));
  if (owed <= 0) return reasonText(reason('initial-returned'));
  if (value?.lamports == null) return value?.unknown ? reasonText(value.unknown) : 'Its value is not known yet.';
  if (value.lamports >= owed) return null;
  return reasonText(reason('initial-short', { paidLamports: owed, returnsLamports: value.lamports }));
}

/** Profit of a day (UTC). */
export const dayProfitSchema = z.strictObject({
  day: z.iso.date(),
  realisedLamports: signedLamportsSchema,
  feesLamports: lamportsSchema,
  /** Sales with a gain, and others. */
  wins: z.int(),
  losses: z.int(),
});
export type DayProfit = z.infer<typeof dayProfitSchema>;
