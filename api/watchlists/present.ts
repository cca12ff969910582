import { type WatchEntry, type WatchlistName, watchlistNames } from '../../common/watchlists/model.ts';
import type { ListedToken, WatchlistsRecord } from './model.ts';

export function presentEntry(list: WatchlistName, { address, addedAt }: ListedToken): WatchEntry {
  return { list, address, addedAt: addedAt.toISOString() };
}

/** Presents all entries, latest added first, also among those of the same millisecond. */
export function presentEntries(record: WatchlistsRecord): WatchEntry[] {
  return watchlistNames
    .flatMap((list) => record[list].toReversed().map((entry) => presentEntry(list, entry)))
    .sort((a, b) => (a.addedAt === b.addedAt ? 0 : a.addedAt < b.addedAt ? 1 : -1));
}
