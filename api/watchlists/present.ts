import { type WatchEntry, type WatchlistName, watchlistNames } from '../../common/watchlists/model.ts';
import type { ListedToken, WatchlistsRecord } from './model.ts';

export function presentEntry(list: WatchlistName, { address, addedAt }: ListedToken): WatchEntry {
  return { list, address, addedAt: addedAt.toISOString() };
}

/** All entries, latest added first; of those added in the same moment, the one that came later. */
export function presentEntries(record: WatchlistsRecord): WatchEntry[] {
  return watchlistNames
    .flatMap((list) => record[list].toReversed().map((entry) => presentEntry(list, entry)))
    .sort((a, b) => (a.addedAt === b.addedAt ? 0 : a.addedAt < b.addedAt ? 1 : -1));
}
