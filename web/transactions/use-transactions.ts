import { useRef } from 'react';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { Transaction, TransactionStatus, TransactionType } from '../../common/transactions/model.ts';
import { request } from '../http/client.ts';
import { linkAtom } from '../live/atoms/atoms.ts';
import { atomWithInfiniteQuery, useAtomValue } from '../store.ts';
import { userKeys } from '../users/apply.ts';

/** While the socket is down, the list is fetched this often; else every `transaction` event has it fetched. */
const POLL_MS = 60_000;
/** Transactions a page has. */
export const PAGE_SIZE = 50;

export interface TransactionFilter {
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
}

export interface UsedTransactions {
  /** Newest first, as far as they were asked for; undefined before the first answer. */
  rows: Transaction[] | undefined;
  /** How many match in all; null while not known. */
  total: number | null;
  /** Text for the user; null while all is well. */
  error: string | null;
  loading: boolean;
  reload: () => void;
  /** There are older ones. */
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
}

/** One page of a user's transactions, and how many match in all. */
export interface TransactionPage {
  rows: Transaction[];
  total: number;
}

/** `before`: the cursor of the page before; null for the first one. */
export async function fetchPage(
  userId: string,
  filter: TransactionFilter,
  { before, limit, signal }: { before: string | null; limit: number; signal: AbortSignal },
): Promise<TransactionPage> {
  const query = { ...filter, limit, ...(before === null ? {} : { before }) };
  const { data, headers } = await request(transactionCalls.list, { params: { userId }, query, signal });
  return { rows: data, total: Number(headers.get(TOTAL_COUNT_HEADER) ?? data.length) };
}

/** Where the next page begins; null after the last one. */
export function cursorAfter({ rows }: TransactionPage, limit: number): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : `${Date.parse(last.createdAt)}_${last.id}`;
}

/** The user's transactions, live, a page at a time. All pages are fetched anew together, so that they always fit. */
export function useTransactions(userId: string, filter: TransactionFilter): UsedTransactions {
  const key = `${userId} ${filter.type} ${filter.status}`;
  const held = useRef<{ key: string; pages: PagesAtom } | null>(null);
  // By key: `filter` is another object at every render, and another atom would ask again.
  if (held.current?.key !== key) held.current = { key, pages: pagesAtom(userId, filter) };
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAtomValue(
    held.current.pages,
  );
  return {
    rows: data?.pages.flatMap(({ rows }) => rows),
    total: data?.pages[0]?.total ?? null,
    error: error === null ? null : error.message,
    loading: isFetching && !isFetchingNextPage,
    reload: () => void refetch(),
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    loadingMore: isFetchingNextPage,
  };
}

type PagesAtom = ReturnType<typeof pagesAtom>;

const FIRST_PAGE: string | null = null;

function pagesAtom(userId: string, filter: TransactionFilter) {
  return atomWithInfiniteQuery((get) => ({
    queryKey: [...userKeys.transactions(userId), 'pages', filter.type ?? '', filter.status ?? ''],
    queryFn: ({ pageParam, signal }: { pageParam: string | null; signal: AbortSignal }) =>
      fetchPage(userId, filter, { before: pageParam, limit: PAGE_SIZE, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last: TransactionPage) => cursorAfter(last, PAGE_SIZE),
    refetchInterval: get(linkAtom).phase === 'live' ? (false as const) : POLL_MS,
  }));
}
