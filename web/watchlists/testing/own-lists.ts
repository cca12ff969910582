import { watchlistCalls } from '../../../common/watchlists/http.ts';
import type { WatchEntry, WatchlistName } from '../../../common/watchlists/model.ts';
import { sessionAtom } from '../../auth/session.ts';
import { address } from '../../live/testing/build.ts';
import { queryClientAtom, type Store } from '../../store.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { applyUserData, userKeys } from '../../users/user-cache.ts';

/** Creates an entry for the token of this number; higher numbers were added earlier. */
export function entry(list: WatchlistName, number: number): WatchEntry {
  return { list, address: address(number), addedAt: new Date(Date.UTC(2025, 5, 1) - number * 1_000).toISOString() };
}

/** Makes the fake server store the user's lists. `lists` returns its entries. */
export function storeLists(rest: FakeServer, entries: WatchEntry[] = []): { lists: () => WatchEntry[] } {
  let kept = entries;
  const without = (list: string | undefined, at: string | undefined) =>
    kept.filter((one) => one.address !== at || one.list !== list);
  rest.answer(watchlistCalls.list, () => kept);
  rest.answer(watchlistCalls.add, ({ params }) => {
    const added: WatchEntry = {
      list: nameOf(params.list),
      address: params.address ?? '',
      addedAt: '2025-06-01T12:00:00.000Z',
    };
    const opposite = { watch: undefined, white: 'black', black: 'white' }[added.list];
    kept = [
      added,
      ...without(params.list, params.address).filter((one) => one.address !== added.address || one.list !== opposite),
    ];
    return added;
  });
  rest.answer(watchlistCalls.remove, ({ params }) => {
    kept = without(params.list, params.address);
    return { ok: true as const };
  });
  return { lists: () => kept };
}

function nameOf(text: string | undefined): WatchlistName {
  return text === 'white' || text === 'black' ? text : 'watch';
}

/** Applies a change by another tab of the same user, like `useUserEvents`. */
export function elsewhere(store: Store, op: 'saved' | 'deleted', item: WatchEntry): void {
  const session = store.get(sessionAtom);
  if (session === null || session === 'unknown') throw new Error('No user is signed in.');
  const { list, address: at } = item;
  const change =
    op === 'saved'
      ? ({ subject: 'watchlists', op, item } as const)
      : ({ subject: 'watchlists', op, item: { list, address: at } } as const);
  applyUserData(store.get(queryClientAtom), session.id, change);
}

/** Returns the entries in the page's cache. */
export function shownEntries(store: Store): WatchEntry[] | undefined {
  return store.get(queryClientAtom).getQueryData<WatchEntry[]>(userKeys.watchlists);
}
