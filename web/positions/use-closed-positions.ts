import { tradingCalls } from '../../common/trading/http.ts';
import type { Position } from '../../common/trading/position.ts';
import { sessionAtom } from '../auth/session.ts';
import { request } from '../http/client.ts';
import { FIRST_PAGE, lastIdOf, type PageRequest, type PageState, pageState } from '../http/pages.ts';
import { isLiveAtom } from '../live/atoms/atoms.ts';
import { atomWithInfiniteQuery, useAtomValue } from '../store.ts';
import { tradingKeys } from '../trading/state/trading.ts';

/** Poll interval while the socket is down, ms; otherwise an event about a closed position refetches the list. */
const POLL_MS = 60_000;
const PAGE_SIZE = 50;

/** Returns one page of positions, newest first. `before`: id of the last row of the page before; null for the first. */
export async function fetchPositions(
  state: 'open' | 'closed',
  { before, limit, signal }: { before: string | null; limit: number; signal: AbortSignal },
): Promise<Position[]> {
  const query = { state, limit, ...(before === null ? {} : { before }) };
  return (await request(tradingCalls.positions, { query, signal })).data;
}

const pagesAtom = atomWithInfiniteQuery((get) => {
  const session = get(sessionAtom);
  return {
    queryKey: [...tradingKeys.positions, 'closed'],
    queryFn: ({ pageParam, signal }: PageRequest) =>
      fetchPositions('closed', { before: pageParam, limit: PAGE_SIZE, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last: Position[]) => lastIdOf(last, PAGE_SIZE),
    enabled: session !== null && session !== 'unknown',
    refetchInterval: get(isLiveAtom) ? (false as const) : POLL_MS,
  };
});

/** Closed positions, as far as they are loaded. */
export interface ClosedPositions extends PageState {
  /** Newest first; undefined before the first response. */
  rows: Position[] | undefined;
  error: string | null;
}

/** Returns the user's closed positions, page by page. */
export function useClosedPositions(): ClosedPositions {
  const result = useAtomValue(pagesAtom);
  const { data, error } = result;
  return { ...pageState(result), rows: data?.pages.flat(), error: error?.message ?? null };
}
