import type { z } from 'zod';
import type { Call } from '../../../common/http.ts';
import { sessionAtom } from '../../auth/session.ts';
import type { RequestInput } from '../../http/client.ts';
import { useKeptError } from '../../http/kept-error.ts';
import { callQuery } from '../../http/query.ts';
import { atom, atomWithQuery, useAtomValue } from '../../store.ts';
import { useKeyed } from '../../use-keyed.ts';
import { isLiveAtom, joiningAtom } from '../atoms/atoms.ts';

/** Polling interval of a user's data while the socket is down, ms; otherwise changes arrive as `user-data`. */
const POLL_MS = 60_000;
/** Polling interval after a failed fetch, ms: a page with an error recovers soon. */
const FAILED_POLL_MS = 10_000;

export interface UserQuery<Data> {
  /** Undefined before the first response; the latest response while a later fetch fails. */
  data: Data | undefined;
  /** Text for the user; null after a success. */
  error: string | null;
  /** A fetch is in progress. */
  loading: boolean;
  /** A fetch has ended, with data or an error. */
  fetched: boolean;
  /** Time of the latest fetch or change of `data`, epoch ms; null before the first. */
  updatedAt: number | null;
  reload: () => Promise<void>;
}

/**
 * Returns data of the signed-in user: cached by its address, updated by `useUserEvents`, polled while the socket is down. Its
 * first fetch follows the first subscription to the rooms, so that no change between the two is missed.
 * With `everyMs` it is fetched whenever it is shown, and polled at that interval also while the socket is up.
 */
export function useUserQuery<C extends Call>(
  call: C,
  input: Omit<RequestInput<C>, 'signal' | 'body'>,
  everyMs?: number,
): UserQuery<z.output<C['output']>> {
  const made = callQuery(call, input);
  // By key: `input` is a new object at every render, and a new atom would fetch again.
  const key = made.queryKey.join('?');
  const query = useKeyed(key, () => userQueryAtom<C>(made, everyMs));
  const { data, error: latest, isFetching, isFetched, dataUpdatedAt, refetch } = useAtomValue(query);
  const error = useKeptError(key, latest, isFetching && data === undefined);
  return {
    data,
    error: error === null ? null : error.message,
    loading: isFetching,
    fetched: isFetched,
    updatedAt: data === undefined ? null : dataUpdatedAt,
    reload: async () => {
      await refetch();
    },
  };
}

/**
 * Creates a query that the rows of a page wait for: it is fetched at once. A response that came before the rooms were joined is
 * fetched again by `useUserEvents` and alike; a fetch in progress starts again, since its options change with `isLiveAtom`.
 */
export function earlyQueryAtom<C extends Call>(query: ReturnType<typeof callQuery<C>>) {
  return fetchingAtom<C>(query, undefined);
}

/** Creates the same query as an atom, for data that many components read. `query` comes from `callQuery`. */
export function userQueryAtom<C extends Call>(query: ReturnType<typeof callQuery<C>>, everyMs?: number) {
  // An atom of its own: a query that is enabled while it is in use starts, stops and starts its fetch.
  const waiting = atomWithQuery(() => ({ ...query, enabled: false }));
  const fetching = fetchingAtom<C>(query, everyMs);
  return atom((get) => get(get(joiningAtom) ? waiting : fetching));
}

function fetchingAtom<C extends Call>(query: ReturnType<typeof callQuery<C>>, everyMs: number | undefined) {
  return atomWithQuery((get) => {
    const session = get(sessionAtom);
    const isLive = get(isLiveAtom);
    return {
      ...query,
      // Read here, so that another user's session fetches again: an observer keeps data that the cleared cache has lost.
      enabled: session !== null && session !== 'unknown',
      refetchInterval: ({ state }: { state: { error: Error | null } }) => {
        if (state.error !== null) return Math.min(FAILED_POLL_MS, everyMs ?? FAILED_POLL_MS);
        return everyMs ?? (isLive ? false : POLL_MS);
      },
      ...(everyMs !== undefined && { refetchOnMount: 'always' as const, refetchIntervalInBackground: true }),
    };
  });
}
