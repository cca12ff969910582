import { z } from 'zod';
import { addressSchema } from '../tokens/model.ts';

/** A user's three lists of tokens: watched, exempt from the risk limit, and hidden and never bought. */
export const watchlistNames = ['watch', 'white', 'black'] as const;
export const watchlistNameSchema = z.enum(watchlistNames);
export type WatchlistName = z.infer<typeof watchlistNameSchema>;

/** Limit of tokens per list. */
export const WATCHLIST_MAX = 1000;

/** A token on a list. A token is on the whitelist or the blacklist, not on both; watching is independent of them. */
export const watchEntrySchema = z.strictObject({
  list: watchlistNameSchema,
  address: addressSchema,
  /** ISO 8601. */
  addedAt: z.iso.datetime(),
});
export type WatchEntry = z.infer<typeof watchEntrySchema>;
