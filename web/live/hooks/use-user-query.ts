import { useRef } from 'react';
import type { z } from 'zod';
import type { Call } from '../../../common/http.ts';
import { sessionAtom } from '../../auth/session.ts';
import type { RequestInput } from '../../http/client.ts';
import { callQuery } from '../../http/query.ts';
import { atomWithQuery, useAtomValue } from '../../store.ts';
import { linkAtom } from '../atoms/atoms.ts';

/** While the socket is down, a user's own data is fetched this often; else changes come by `user-data`. */
const POLL_MS = 60_000;

export interface UserQuery<Data> {
  /** Undefined before the first answer; the last answer while a later fetch fails. */
  data: Data | undefined;
  /** Text for the user; null while all is well. */
  error: string | null;
  /** A fetch is under way. */
  loading: boolean;
  /** When `data` was fetched or changed last, epoch ms; null before. */
  updatedAt: number | null;
  reload: () => Promise<void>;
}

/** Data of the signed-in user: cached by its address, kept up to date by `useUserFeed`, polled while the socket is down. */
export function useUserQuery<C extends Call>(
  call: C,
  input: Omit<RequestInput<C>, 'signal' | 'body'>,
): UserQuery<z.output<C['output']>> {
  const made = callQuery(call, input);
  const key = made.queryKey.join('?');
  const held = useRef<{ key: string; query: QueryAtom<C> } | null>(null);
  // By key: `input` is another object at every render, and another atom would ask again.
  if (held.current?.key !== key) held.current = { key, query: userQueryAtom<C>(made) };
  const { data, error, isFetching, dataUpdatedAt, refetch } = useAtomValue(held.current.query);
  return {
    data,
    error: error === null ? null : error.message,
    loading: isFetching,
    updatedAt: data === undefined ? null : dataUpdatedAt,
    reload: async () => {
      await refetch();
    },
  };
}

type QueryAtom<C extends Call> = ReturnType<typeof userQueryAtom<C>>;

/** The same as an atom, for what many parts of a page read at once. `query` comes from `callQuery`. */
export function userQueryAtom<C extends Call>(query: ReturnType<typeof callQuery<C>>) {
  return atomWithQuery((get) => {
    const session = get(sessionAtom);
    return {
      ...query,
      // Read here, so that another user's session asks anew: an observer keeps what a cleared cache has forgotten.
      enabled: session !== null && session !== 'unknown',
      refetchInterval: get(linkAtom).phase === 'live' ? (false as const) : POLL_MS,
    };
  });
}
