import { z } from 'zod';
import { addressSchema } from '../model.ts';

/** Span of the coins that count as a creator's record, days. */
export const CREATOR_DAYS = 30;
/** Coins of a creator that are listed, at most. */
export const CREATOR_COINS_MAX = 20;

/**
 * Outcome of a coin:
 * - `drained`: three quarters of its liquidity are gone, from at least 2 SOL, or developer and insiders sold it out. Also after a
 *   migration.
 * - `migrated`: it moved from its curve into a pool.
 * - `alive`: it traded within the last hour.
 * - `quiet`: none of these.
 */
export const coinEndSchema = z.enum(['drained', 'migrated', 'alive', 'quiet']);
export type CoinEnd = z.infer<typeof coinEndSchema>;

/** Another coin of the creator. */
const creatorCoinSchema = z.strictObject({
  address: addressSchema,
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** Creation, or first observation where it is unknown, ISO 8601. */
  launchedAt: z.iso.datetime(),
  /** Highest price so far × supply, SOL; since the move into the pool for a migrated coin. Null when unknown. */
  highestMarketCap: z.number().nullable(),
  end: coinEndSchema,
});
export type CreatorCoin = z.infer<typeof creatorCoinSchema>;

/** The other coins that a token's creator launched in the last 30 days and that this server has stored. */
export const creatorRecordSchema = z.strictObject({
  /** Wallet that signed the creation, or that it names where the signer is unknown; null when both are unknown. */
  wallet: z.string().nullable(),
  launched: z.int(),
  /** True when there are more than were counted: all counts are the least. */
  hasMore: z.boolean(),
  migrated: z.int(),
  drained: z.int(),
  /** Drained coins that were drained within an hour of their launch. */
  drainedWithinHour: z.int(),
  /** The coin with the highest market cap first, then the newest ones. */
  coins: z.array(creatorCoinSchema).max(CREATOR_COINS_MAX),
});
export type CreatorRecord = z.infer<typeof creatorRecordSchema>;
