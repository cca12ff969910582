import { useEffect, useState } from 'react';
import type { ListChoice } from '../../common/tokens/http.ts';
import { listAtoms, loadAtoms } from '../live/atoms/atoms.ts';
import { pollEvery } from '../live/connection/polling.ts';
import { useList } from '../live/hooks/use-list.ts';
import { useLiveMarket } from '../live/live.ts';
import { listCapacity } from '../live/model/lists.ts';
import { useAtomValue } from '../store.ts';
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
  const live = useLiveMarket();
  const all = useList('all', pollEvery.listPage);
  const found = useAtomValue(listAtoms.chosen);
  const finding = useAtomValue(loadAtoms.chosen);
  const [shown, setShown] = useState({ text, rows: ROWS_STEP });
  const searched = useSearchText(text);
  useEffect(() => void live.loader.search(choice(searched)), [live, searched]);
  // The token page's search shares this state and must not start with these results.
  useEffect(() => () => void live.loader.search({}), [live]);

  const name = text === '' ? 'all' : 'chosen';
  const list = name === 'all' ? all : { ...found, ...finding, reload: () => void live.loader.search(choice(text)) };
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

function choice(text: string): ListChoice {
  return text === '' ? {} : { q: text };
}
