import { sessionAtom } from '../../auth/session.ts';
import { listErrorText } from '../../http/error.ts';
import { type FetchPage, FIRST_PAGE, type Page } from '../../http/pages.ts';
import { atomWithInfiniteQuery, useAtomValue } from '../../store.ts';
import { useKeyed } from '../../use-keyed.ts';
import { isLiveAtom } from '../atoms/atoms.ts';

/** Interval of polling while the socket is down, ms. */
const POLL_MS = 60_000;

/** A list of the signed-in user that is fetched page by page. */
interface PagedList<Row> {
  /** Cache key: another one is another list. */
  queryKey: string[];
  fetchPage: FetchPage<Row>;
  /** Rows of a page. */
  size: number;
  /** Interval of polling, ms, for a list without events; 0: never. By default it is polled while the socket is down. */
  pollMs?: number;
  /** Fetches the list again whenever it is opened. */
  refetchOnMount?: 'always';
}

/** The loaded rows of a list, and how to load more. */
export interface Pages<Row> {
  /** Undefined before the first response. */
  data: Row[] | undefined;
  /** Number of rows in the whole list; null while unknown. */
  total: number | null;
  /** Error text for the user; null after a success. */
  error: string | null;
  /** True while the loaded pages are fetched again, or the first one is. */
  loading: boolean;
  reload: () => void;
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
}

/** Returns a list page by page. All loaded pages are refetched together, so that they stay consistent. */
export function usePages<Row extends { id: string }>(list: PagedList<Row>): Pages<Row> {
  // By key: `list` is a new object at every render, and a new atom would fetch again.
  const pages = useKeyed(list.queryKey.join('?'), () => pagesAtom(list));
  const result = useAtomValue(pages);
  const { data, error, isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } = result;
  return {
    data: data && withoutDuplicates(data.pages.flatMap(({ rows }) => rows)),
    total: data?.pages.at(-1)?.total ?? null,
    error: error === null ? null : listErrorText(error),
    loading: isFetching && !isFetchingNextPage,
    reload: () => void refetch(),
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    loadingMore: isFetchingNextPage,
  };
}

/** A new row between two requests shifts the list by one, so a row can be on two pages. */
function withoutDuplicates<Row extends { id: string }>(rows: Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function pagesAtom<Row>({ queryKey, fetchPage, size, pollMs, refetchOnMount }: PagedList<Row>) {
  return atomWithInfiniteQuery((get) => {
    const session = get(sessionAtom);
    return {
      queryKey,
      queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
        fetchPage(pageParam, size, signal),
      initialPageParam: FIRST_PAGE,
      getNextPageParam: (last: Page<Row>) => last.next,
      enabled: session !== null && session !== 'unknown',
      refetchInterval: pollMs ?? (get(isLiveAtom) ? (false as const) : POLL_MS),
      ...(refetchOnMount === undefined ? {} : { refetchOnMount }),
    };
  });
}
