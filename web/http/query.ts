import type { z } from 'zod';
import type { Call } from '../../common/http.ts';
import { type QueryClient, queryClientAtom, type Store } from '../store.ts';
import { addressOf, type RequestInput, request } from './client.ts';

/**
 * Returns key and function of a cached query for a call, for `atomWithQuery`. The key is the address, split at `?`, so
 * that `invalidateQueries({ queryKey: ['/api/tokens/stats'] })` matches it with any query.
 */
export function callQuery<C extends Call>(call: C, input: Omit<RequestInput<C>, 'signal' | 'body'>) {
  const given: { params?: unknown; query?: unknown } = input;
  const [path = '', search = ''] = addressOf(call, given.params, given.query).split('?');
  return {
    queryKey: search ? [path, search] : [path],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<z.output<C['output']>> => {
      // The type of "this call's input and a signal" is beyond inference for an open C; `input` is already checked above.
      const full = { ...input, signal } as RequestInput<C>;
      return (await request<Call>(call, full)).data as z.output<C['output']>;
    },
  };
}

/**
 * Changes cached data, and again the response on its way, which may be from before the change. `change` must be
 * idempotent; it gets and returns undefined for data that was never fetched.
 */
export function updateQuery<Data>(
  client: QueryClient,
  queryKey: string[],
  change: (before?: Data) => Data | undefined,
): void {
  const apply = () => client.setQueryData<Data>(queryKey, change);
  apply();
  const query = client.getQueryCache().find({ queryKey, exact: true });
  if (query?.state.fetchStatus === 'fetching') query.promise?.then(apply, () => {});
}

/** Fetches the data of these keys again, once: a fetch that is under way is not repeated. */
export function refetch(store: Store, ...queryKeys: readonly string[][]): void {
  const client = store.get(queryClientAtom);
  for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
}
