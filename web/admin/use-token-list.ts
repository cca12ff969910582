import { useState } from 'react';
import { pollEvery } from '../live/connection/polling.ts';
import { useChosenList } from '../live/hooks/use-chosen-list.ts';
import { useList } from '../live/hooks/use-list.ts';
import { useSearchText } from '../ui/search-input.tsx';

/** Rows shown at first, and added by 'Load more'. */
export const ROWS_STEP = 50;

export interface TokenList {
  /** Newest first, as many as were requested. */
  addresses: readonly string[];
  /** Null before the first response. */
  fetchedAt: number | null;
  /** Number of matches; null while unknown. */
  total: number | null;
  error: string | null;
  loading: boolean;
  reload: () => void;
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
  /** Error of fetching the next page. */
  moreError: string | null;
}

/** Returns all tokens, or the ones whose name, symbol or address matches `text`; updated by the feed. */
export function useTokenList(text: string): TokenList {
  const all = useList('all', pollEvery.listPage);
  const [shown, setShown] = useState({ text, rows: ROWS_STEP });
  const searched = useSearchText(text);
  const found = useChosenList(searched === '' ? {} : { q: searched });

  const list = text === '' ? all : found;
  const rows = shown.text === text ? shown.rows : ROWS_STEP;
  const known = list.addresses.length;

  function loadMore(): void {
    setShown({ text, rows: rows + ROWS_STEP });
    if (known < rows + ROWS_STEP) list.loadOlder();
  }

  return {
    addresses: list.addresses.slice(0, rows),
    fetchedAt: list.fetchedAt,
    total: list.total,
    error: list.error,
    loading: list.loading,
    reload: list.reload,
    hasMore: known > rows || list.hasOlder,
    loadMore,
    loadingMore: list.loadingOlder,
    moreError: list.olderError,
  };
}
