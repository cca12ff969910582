/**
 * The only door to Jotai and its query atoms: nothing else imports them, so the library can be changed or watched in one
 * place. Code outside React (the socket) is handed the `Store` and sets atoms through it.
 */
import { QueryClient } from '@tanstack/query-core';
import { createStore } from 'jotai';
import { queryClientAtom } from 'jotai-tanstack-query';

export type { Atom, Getter, PrimitiveAtom, Setter, WritableAtom } from 'jotai';
export { atom, Provider as StoreProvider, useAtom, useAtomValue, useSetAtom, useStore } from 'jotai';
export { selectAtom } from 'jotai/utils';
export { atomWithInfiniteQuery, atomWithMutation, atomWithQuery, queryClientAtom } from 'jotai-tanstack-query';
export type { QueryClient };

export type Store = ReturnType<typeof createStore>;

/**
 * Cached data as the specification wants it (section 7): no retry by itself, no refetch on focus, never stale
 * except by the refresh intervals that a query names.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        // A loopback server answers without internet; the browser's idea of being offline must not hold calls back.
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** A store of its own: one for the page, and one for every test. */
export function createAppStore(): Store {
  const store = createStore();
  const client = createQueryClient();
  client.mount();
  store.set(queryClientAtom, client);
  return store;
}
