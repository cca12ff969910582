import { useEffect, useState } from 'react';
import { listAtoms, loadAtoms } from '../live/atoms/atoms.ts';
import { pollEvery } from '../live/connection/polling.ts';
import { useList } from '../live/hooks/use-list.ts';
import { useLiveMarket } from '../live/live.ts';
import { listCapacity } from '../live/model/lists.ts';
import { useAtomValue } from '../store.ts';

/** How long typing must rest before the server is asked. */
const SEARCH_REST_MS = 250;
/** Rows that are shown at first, and more at a time. */
export const ROWS_STEP = 50;

export interface TokenRows {
  /** Newest first, as many as were asked for. */
  addresses: readonly string[];
  /** Null before the first answer. */
  fetchedAt: number | null;
  /** How many match in all; null while not known. */
  total: number | null;
  error: string | null;
  loading: boolean;
  reload: () => void;
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
  /** The page after the last row could not be fetched. */
  moreError: string | null;
}

/** All tokens, or what the server finds for a text by name, symbol or address. Kept up to date by the feed. */
export function useTokenRows(text: string): TokenRows {
  const live = useLiveMarket();
  const newest = useList('newest', pollEvery.listPage);
  const found = useAtomValue(listAtoms.search);
  const finding = useAtomValue(loadAtoms.search);
  const [shown, setShown] = useState({ text, rows: ROWS_STEP });
  useEffect(() => {
    // An emptied box has nothing to wait for.
    const timer = setTimeout(() => void live.loader.search(text), text === '' ? 0 : SEARCH_REST_MS);
    return () => clearTimeout(timer);
  }, [live, text]);
  // The list of tokens has a search of its own, which must not begin with this one's rows.
  useEffect(() => () => void live.loader.search(''), [live]);

  const name = text === '' ? 'newest' : 'search';
  const list = name === 'newest' ? newest : { ...found, ...finding, reload: () => void live.loader.search(text) };
  const rows = shown.text === text ? shown.rows : ROWS_STEP;
  const known = list.addresses.length;

  function loadMore(): void {
    setShown({ text, rows: rows + ROWS_STEP });
    if (known < rows + ROWS_STEP) void live.loader.loadOlder(name);
  }

  return {
    addresses: list.addresses.slice(0, rows),
    fetchedAt: list.fetchedAt,
    total: list.total,
    error: list.error,
    loading: list.loading,
    reload: list.reload,
    hasMore: known > rows || (list.more && known < listCapacity[name]),
    loadMore,
    loadingMore: list.loadingOlder,
    moreError: list.olderError,
  };
}
