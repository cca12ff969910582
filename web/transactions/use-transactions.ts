import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { transactionCalls } from '../../common/transactions/http.ts';
import type { Transaction, TransactionStatus, TransactionType } from '../../common/transactions/model.ts';
import { request } from '../http/client.ts';
import type { FetchPage } from '../http/pages.ts';
import { type Pages, usePages } from '../live/hooks/use-pages.ts';
import { userKeys } from '../users/user-cache.ts';

/** Transactions per page. */
const PAGE_SIZE = 50;

export interface TransactionFilter {
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
}

/** Returns the user's transactions, newest first, page by page; every `transaction` event refetches them. */
export function useTransactions(userId: string, filter: TransactionFilter): Pages<Transaction> {
  return usePages({
    queryKey: [...userKeys.transactions(userId), 'pages', filter.type ?? '', filter.status ?? ''],
    fetchPage: fetchTransactions(userId, filter),
    size: PAGE_SIZE,
  });
}

/** Returns what fetches a page of the user's transactions that match, and their number. */
export function fetchTransactions(userId: string, filter: TransactionFilter): FetchPage<Transaction> {
  return async (before, limit, signal) => {
    const query = { ...filter, limit, before: before ?? undefined };
    const { data, headers } = await request(transactionCalls.list, { params: { userId }, query, signal });
    const last = data.length < limit ? undefined : data.at(-1);
    return {
      rows: data,
      total: Number(headers.get(TOTAL_COUNT_HEADER) ?? data.length),
      next: last === undefined ? null : `${Date.parse(last.createdAt)}_${last.id}`,
    };
  };
}
