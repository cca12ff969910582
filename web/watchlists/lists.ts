import { useMemo } from 'react';
import { watchlistCalls } from '../../common/watchlists/http.ts';
import type { WatchEntry, WatchlistName } from '../../common/watchlists/model.ts';
import { callQuery } from '../http/query.ts';
import { userQueryAtom } from '../live/hooks/use-user-query.ts';
import { atom, selectAtom, useAtomValue } from '../store.ts';

/** Which of the user's lists a token is on. */
export type Marks = Record<WatchlistName, boolean>;
/** The addresses of each list, latest added first. */
export type ListSets = Record<WatchlistName, ReadonlySet<string>>;

const noAddresses: ReadonlySet<string> = new Set();

const entriesQuery = userQueryAtom<typeof watchlistCalls.list>(callQuery(watchlistCalls.list, {}));
const entriesAtom = atom((get) => get(entriesQuery).data);
/** Null while not known. */
const setsAtom = atom((get) => {
  const entries = get(entriesAtom);
  return entries === undefined ? null : setsOf(entries);
});
const blackAtom = selectAtom(setsAtom, (sets) => sets?.black ?? noAddresses, sameSet);
const troubleAtom = atom((get) => {
  const { data, error, isFetching, refetch } = get(entriesQuery);
  return data === undefined && error !== null ? { text: error.message, busy: isFetching, retry: refetch } : null;
});

export function setsOf(entries: readonly WatchEntry[]): ListSets {
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

/** Which lists a token is on; null while not known. Changes with this token only, so that only its row repaints. */
export function useMarks(address: string): Marks | null {
  return useAtomValue(
    useMemo(() => selectAtom(setsAtom, (sets: ListSets | null) => marksIn(sets, address), sameMarks), [address]),
  );
}

/** The user's lists; null while not known. */
export function useListSets(): ListSets | null {
  return useAtomValue(setsAtom);
}

/** What the user has blacklisted; empty while not known. */
export function useBlacklist(): ReadonlySet<string> {
  return useAtomValue(blackAtom);
}

/** The addresses without those that the user has blacklisted; the same array while none of them is. */
export function useNotBlacklisted(addresses: readonly string[]): readonly string[] {
  const black = useBlacklist();
  return useMemo(
    () => (addresses.some((one) => black.has(one)) ? addresses.filter((one) => !black.has(one)) : addresses),
    [addresses, black],
  );
}

/** Why the lists are not known, and the way to ask again; null while all is well. */
export function useListsTrouble(): { text: string; busy: boolean; retry: () => void } | null {
  const trouble = useAtomValue(troubleAtom);
  return trouble && { ...trouble, retry: () => void trouble.retry() };
}
