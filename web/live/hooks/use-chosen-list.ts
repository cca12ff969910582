import { useCallback, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { COVERED_COUNT_HEADER, type FeedCursor, NEXT_CURSOR_HEADER } from '../../../common/live/protocol.ts';
import { type ListChoice, tokenCalls } from '../../../common/tokens/http.ts';
import { type Rank, rankOf } from '../../../common/tokens/order.ts';
import { request } from '../../http/client.ts';
import { listErrorText } from '../../http/error.ts';
import { useKeptError } from '../../http/kept-error.ts';
import { atomWithInfiniteQuery, selectAtom, useAtomValue } from '../../store.ts';
import { useKeyed } from '../../use-keyed.ts';
import { isLiveAtom, pollAtom } from '../atoms/atoms.ts';
import { cursorOf, totalOf } from '../connection/cursor.ts';
import { pollEvery } from '../connection/polling.ts';
import { type Live, useLiveMarket } from '../live.ts';
import { PAGE_ROWS } from '../model/loader.ts';
import type { UsedList } from './use-list.ts';

/** Maximum number of rows. */
const ROWS_MAX = 1_200;

/** Attempts at a response that the server read before it began a new epoch; a moment later it responds with the new one. */
const STALE_RETRIES = 3;
const STALE_RETRY_MS = 500;

class StaleResponse extends Error {}

const isPollingAtom = selectAtom(pollAtom, ({ active }) => active);

/** The list that the server makes from all tokens for a filter, a search and an order. */
export interface ChosenList extends Omit<UsedList, 'complete'> {
  /** Place of the last loaded row; null when all rows are loaded. */
  border: Rank | null;
  /** Number of the newest tokens that the server made it from; null when these are all. */
  covered: number | null;
  /** Feed position that every page includes; null before the first response. */
  position: FeedCursor | null;
}

/**
 * Returns the list of a choice, page by page; nothing is fetched for an empty choice. The feed updates its tokens; their
 * order and number change with `reload`, which fetches all loaded pages again. Polled while the feed is down (P1).
 */
export function useChosenList(choice: ListChoice): ChosenList {
  const live = useLiveMarket();
  const key = JSON.stringify(choice);
  const query = useKeyed(key, () => chosenAtom(live, choice));
  const { data, dataUpdatedAt, error: latest, refetch, fetchNextPage, ...fetching } = useAtomValue(query);
  const { isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage } = fetching;
  const error = useKeptError(key, latest, isFetching && data === undefined);
  const isChosen = !isEmpty(choice);
  const isPaging = useRef(false);
  useEffect(() => {
    isPaging.current = isFetchingNextPage;
  }, [isFetchingNextPage]);
  const reload = useCallback(() => {
    // A fetch of a further page brings that page alone.
    if (isChosen) void refetch({ cancelRefetch: isPaging.current });
  }, [isChosen, refetch]);

  // Moved tokens are in two pages.
  const addresses = useMemo(() => [...new Set(data?.pages.flatMap((page) => page.addresses))], [data]);
  useEffect(() => live.tokens.keep(addresses), [live, addresses]);
  useEffect(() => live.onResync(reload), [live, reload]);
  const isPolling = useAtomValue(isPollingAtom);
  useEffect(() => {
    if (!isPolling) return;
    reload();
    const timer = setInterval(reload, pollEvery.listPage);
    return () => clearInterval(timer);
  }, [isPolling, reload]);
  const isLive = useAtomValue(isLiveAtom);
  const retry = useEffectEvent(() => {
    if (error !== null) reload();
  });
  useEffect(() => {
    if (isLive) retry();
  }, [isLive]);

  const last = data?.pages.at(-1);
  const text = error === null ? null : listErrorText(error);
  return {
    addresses,
    fetchedAt: data === undefined ? null : dataUpdatedAt,
    more: last?.next != null,
    total: last?.total ?? null,
    loading: isFetching && !isFetchingNextPage,
    error: isFetchNextPageError ? null : text,
    reload,
    hasOlder: hasNextPage,
    loadOlder: () => {
      // It would end a reload.
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
    loadingOlder: isFetchingNextPage,
    olderError: isFetchNextPageError ? text : null,
    border: last?.next == null ? null : last.end,
    covered: last?.covered ?? null,
    position: data?.pages[0]?.position ?? null,
  };
}

/** A fetched page of the list. Its tokens are in the live market. */
interface ChosenPage {
  addresses: readonly string[];
  /** Place of its last row; null when it has none. */
  end: Rank | null;
  /** Cursor of the page after it; null at the end of the list. */
  next: string | null;
  total: number | null;
  covered: number | null;
  position: FeedCursor | null;
}

function chosenAtom(live: Live, choice: ListChoice) {
  return atomWithInfiniteQuery(() => ({
    queryKey: [tokenCalls.list.path, 'chosen', choice],
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      fetchPage(live, choice, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ChosenPage, pages: readonly ChosenPage[]) =>
      pages.length * PAGE_ROWS < ROWS_MAX ? next : null,
    enabled: !isEmpty(choice),
    retry: (attempts: number, error: Error) => error instanceof StaleResponse && attempts < STALE_RETRIES,
    retryDelay: STALE_RETRY_MS,
    gcTime: 0,
  }));
}

async function fetchPage(
  live: Live,
  choice: ListChoice,
  before: string | null,
  signal: AbortSignal,
): Promise<ChosenPage> {
  const query = { ...choice, limit: PAGE_ROWS, ...(before === null ? {} : { before }) };
  const { data, headers } = await request(tokenCalls.list, { query, signal });
  const position = cursorOf(headers);
  if (!live.model.tokens(data, position))
    throw new StaleResponse('The server has just restarted. Please try again in a moment.');
  // At once: a row must find its token when the list contains it.
  live.writer.flush();
  const last = data.at(-1);
  const covered = headers.get(COVERED_COUNT_HEADER);
  return {
    addresses: data.map(({ address }) => address),
    end: last === undefined ? null : rankOf(last, choice.sort ?? 'detected'),
    next: headers.get(NEXT_CURSOR_HEADER),
    total: totalOf(headers),
    covered: covered === null ? null : Number(covered),
    position,
  };
}

function isEmpty(choice: ListChoice): boolean {
  return Object.keys(choice).length === 0;
}
