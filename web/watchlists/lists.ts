import { useMemo } from 'react';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import type { WatchEntry, WatchlistName } from '../../common/watchlists/model.ts';
import { callQuery } from '../http/query.ts';
import { earlyQueryAtom } from '../live/hooks/use-user-query.ts';
import { atom, selectAtom, useAtomValue } from '../store.ts';

/** Membership of a token in the user's lists. */
export type Marks = Record<WatchlistName, boolean>;
/** Addresses of each list, latest added first. */
type ListSets = Record<WatchlistName, ReadonlySet<string>>;

const noAddresses: ReadonlySet<string> = new Set();

const entriesQuery = earlyQueryAtom<typeof watchlistCalls.list>(callQuery(watchlistCalls.list, {}));
const entriesAtom = atom((get) => get(entriesQuery).data);
/** The user's lists; null while unknown. */
export const listSetsAtom = atom((get) => {
  const entries = get(entriesAtom);
  return entries === undefined ? null : setsOf(entries);
});
const blackAtom = selectAtom(listSetsAtom, (sets) => sets?.black ?? noAddresses, sameSet);
const fetchedAtom = atom((get) => get(entriesQuery).isFetched);
const entriesErrorAtom = atom((get) => {
  const { data, error, isFetching, refetch } = get(entriesQuery);
  return data === undefined && error !== null ? { text: error.message, busy: isFetching, retry: refetch } : null;
});

function setsOf(entries: readonly WatchEntry[]): ListSets {
  const on = (list: WatchlistName) => new Set(entries.filter((one) => one.list === list).map(({ address }) => address));
  return { watch: on('watch'), white: on('white'), black: on('black') };
}

function marksIn(sets: ListSets | null, address: string): Marks | null {
  if (sets === null) return null;
  return { watch: sets.watch.has(address), white: sets.white.has(address), black: sets.black.has(address) };
}

function sameMarks(one: Marks | null, other: Marks | null): boolean {
  if (one === null || other === null) return one === other;
  return one.watch === other.watch && one.white === other.white && one.black === other.black;
}

function sameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((address) => other.has(address));
}

/** Returns the lists of a token; null while unknown. Changes with this token alone, so that only its row repaints. */
export function useMarks(address: string): Marks | null {
  return useAtomValue(
    useMemo(() => selectAtom(listSetsAtom, (sets: ListSets | null) => marksIn(sets, address), sameMarks), [address]),
  );
}

/** Returns the user's lists; null while unknown. */
export function useListSets(): ListSets | null {
  return useAtomValue(listSetsAtom);
}

/** Returns whether the user's lists have been fetched, or could not be. */
export function useListsFetched(): boolean {
  return useAtomValue(fetchedAtom);
}

/** Returns the user's blacklist; empty while unknown. */
export function useBlacklist(): ReadonlySet<string> {
  return useAtomValue(blackAtom);
}

/** Returns the addresses that are not blacklisted; the same array when all are. */
export function useNotBlacklisted(addresses: readonly string[]): readonly string[] {
  const black = useBlacklist();
  return useMemo(
    () => (addresses.some((one) => black.has(one)) ? addresses.filter((one) => !black.has(one)) : addresses),
    [addresses, black],
  );
}

/** Returns the error of the lists and a retry; null without an error. */
export function useListsError(): { text: string; busy: boolean; retry: () => void } | null {
  const error = useAtomValue(entriesErrorAtom);
  return error && { ...error, retry: () => void error.retry() };
}
