/**
 * The only module that imports Jotai and its query atoms, so that the library can be replaced in one place. Code
 * outside React (the socket) receives the `Store` and sets atoms through it.
 */
import { type InfiniteData, QueryClient } from '@tanstack/query-core';
import { createStore } from 'jotai';
import { queryClientAtom } from 'jotai-tanstack-query';

export type { Atom, PrimitiveAtom } from 'jotai';
export { atom, Provider as StoreProvider, useAtom, useAtomValue, useSetAtom, useStore } from 'jotai';
export { selectAtom } from 'jotai/utils';
export { atomWithInfiniteQuery, atomWithMutation, atomWithQuery, queryClientAtom } from 'jotai-tanstack-query';
export type { InfiniteData, QueryClient };

export type Store = ReturnType<typeof createStore>;

/**
 * Creates the query client of the specification (section 7): no retry, no refetch on focus, never stale except by the
 * refresh interval of a query.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        // A loopback server responds without internet, so the browser's offline state must not delay calls.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Creates a store: one for the page, and one for each test. */
export function createAppStore(): Store {
  const store = createStore();
  const client = createQueryClient();
  client.mount();
  store.set(queryClientAtom, client);
  return store;
}
