import { useRef } from 'react';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { Transaction, TransactionStatus, TransactionType } from '../../common/transactions/model.ts';
import { request } from '../http/client.ts';
import { FIRST_PAGE, type PageRequest, type PageState, pageState } from '../http/pages.ts';
import { isLiveAtom } from '../live/atoms/atoms.ts';
import { atomWithInfiniteQuery, useAtomValue } from '../store.ts';
import { userKeys } from '../users/user-cache.ts';

/** Poll interval of the list while the socket is down, ms; otherwise every `transaction` event refetches it. */
const POLL_MS = 60_000;
/** Transactions per page. */
const PAGE_SIZE = 50;

export interface TransactionFilter {
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
}

export interface TransactionList extends PageState {
  /** Newest first, as far as loaded; undefined before the first response. */
  rows: Transaction[] | undefined;
  /** Number of matching transactions; null while unknown. */
  total: number | null;
  /** Error text for the user; null without an error. */
  error: string | null;
}

/** Returns one page of a user's transactions and the number that match. */
interface TransactionPage {
  rows: Transaction[];
  total: number;
}

/** `before`: the cursor of the previous page; null for the first one. */
export async function fetchPage(
  userId: string,
  filter: TransactionFilter,
  { before, limit, signal }: { before: string | null; limit: number; signal: AbortSignal },
): Promise<TransactionPage> {
  const query = { ...filter, limit, ...(before === null ? {} : { before }) };
  const { data, headers } = await request(transactionCalls.list, { params: { userId }, query, signal });
  return { rows: data, total: Number(headers.get(TOTAL_COUNT_HEADER) ?? data.length) };
}

/** Returns the cursor of the next page; null after the last one. */
export function cursorAfter({ rows }: TransactionPage, limit: number): string | null {
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : `${Date.parse(last.createdAt)}_${last.id}`;
}

/**
 * Returns the user's transactions, live, page by page. All loaded pages are refetched together, so that they stay
 * consistent.
 */
export function useTransactions(userId: string, filter: TransactionFilter): TransactionList {
  const key = `${userId} ${filter.type} ${filter.status}`;
  const held = useRef<{ key: string; pages: PagesAtom } | null>(null);
  // Memoised by key: `filter` is a new object at every render, and a new atom would fetch again.
  if (held.current?.key !== key) held.current = { key, pages: pagesAtom(userId, filter) };
  const result = useAtomValue(held.current.pages);
  const { data, error } = result;
  return {
    ...pageState(result),
    rows: data?.pages.flatMap(({ rows }) => rows),
    total: data?.pages[0]?.total ?? null,
    error: error?.message ?? null,
  };
}

type PagesAtom = ReturnType<typeof pagesAtom>;

function pagesAtom(userId: string, filter: TransactionFilter) {
  return atomWithInfiniteQuery((get) => ({
    queryKey: [...userKeys.transactions(userId), 'pages', filter.type ?? '', filter.status ?? ''],
    queryFn: ({ pageParam, signal }: PageRequest) =>
      fetchPage(userId, filter, { before: pageParam, limit: PAGE_SIZE, signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (last: TransactionPage) => cursorAfter(last, PAGE_SIZE),
    refetchInterval: get(isLiveAtom) ? (false as const) : POLL_MS,
  }));
}
