import { useEffect, useMemo } from 'react';
import type { Token } from '../../../common/tokens/model.ts';
import { isLiveAtom } from '../../live/atoms/atoms.ts';
import { pollEvery } from '../../live/connection/polling.ts';
import { type ChosenList, useChosenList } from '../../live/hooks/use-chosen-list.ts';
import { type UsedList, useList } from '../../live/hooks/use-list.ts';
import { useListUpdates } from '../../live/hooks/use-list-updates.ts';
import { PAGE_ROWS } from '../../live/model/loader.ts';
import { useAtomValue } from '../../store.ts';
import { useSearchText } from '../../ui/search-input.tsx';
import { useNotBlacklisted } from '../../watchlists/lists.ts';
import { countLimits } from '../filter/limits.ts';
import { usePageSettled } from '../use-page-settled.ts';
import { type Controls, choiceOf } from './controls.ts';
import type { Described, RowsOf } from './list-page-notes.tsx';
import { useRows } from './use-rows.ts';

/**
 * Interval of sorting and filtering on the server, ms. Events update the rows that are loaded; a token that is not comes
 * in with the next response.
 */
const CHOSEN_EVERY_MS = 5_000;

/** Content of the list page for its choices. */
export interface TokenList {
  /** The list of all tokens. */
  all: UsedList;
  tokens: readonly Token[];
  /** The list that the rows come from. */
  of: RowsOf;
  /** That list. */
  source: Omit<UsedList, 'complete'>;
  /** Loads the page after the last row, unless that failed. */
  onEnd: () => void;
  /** Content in place of the rows. */
  state: 'loading' | 'failed' | 'rows' | 'search-failed' | 'empty';
  described: Described;
  /** The server has not responded to this choice yet. */
  isPending: boolean;
  /** Time of the server's latest filter, search or order, epoch ms by the browser's clock; null without one. */
  checkedAt: number | null;
}

/** Returns the content for the choices. */
export function useTokenList(controls: Controls): TokenList {
  const all = useList('all', pollEvery.listPage);
  const chosen = useChosen(controls);
  const isPlain = Object.keys(choiceOf(controls)).length === 0;
  const of: RowsOf = isPlain ? 'all' : 'chosen';
  const source = isPlain ? all : chosen;
  const sent = isPlain
    ? { addresses: all.addresses, border: null, whole: true }
    : { addresses: chosen.addresses, border: chosen.border };
  const rows = useVisible(useRows(controls, sent));
  const isSearching = controls.text.trim() !== '';
  const isPending = source.fetchedAt === null || (!isPlain && chosen.isTyped);
  const settled = usePageSettled();
  // Rows of events that precede the first response would move when it arrives.
  const isLoading = !settled || (isPlain && isPending && source.error === null);
  // The count of the server ignores the user's blacklist.
  const hidden = chosen.addresses.length - useNotBlacklisted(chosen.addresses).length;
  return {
    all,
    tokens: rows,
    of,
    source,
    // The table reports its end with every render: a page that failed waits for the user.
    onEnd: () => {
      if (source.olderError === null) source.loadOlder();
    },
    state: isLoading ? 'loading' : stateOf({ rows: rows.length, isPending, isSearching, error: source.error }),
    described: {
      filter: controls.filter,
      searching: isSearching,
      limited: countLimits(controls.limits) > 0,
      sorted: controls.sort !== 'detected' || controls.order !== 'desc',
      total: all.total,
      found:
        isPlain || isPending
          ? null
          : countOf(rows.length, source.more, chosen.total === null ? null : chosen.total - hidden),
      pending: !isPlain && isPending && source.error === null,
      covered: chosen.covered,
    },
    isPending,
    checkedAt: isPlain || isPending || chosen.isCurrent ? null : chosen.fetchedAt,
  };
}

/**
 * Returns the list of the choices, followed by its events. `isTyped`: of the text before, since the user is still typing.
 * `isCurrent`: it needs no further requests.
 */
function useChosen(controls: Controls): ChosenList & { isTyped: boolean; isCurrent: boolean } {
  const choice = choiceOf({ ...controls, text: useSearchText(controls.text) });
  const chosen = useChosenList(choice);
  const { follows, total } = useListUpdates(choice, () => chosen.position, chosen.reload);
  // A token that rises by its figure from below the loaded rows comes in with a response alone.
  const isCurrent = follows && controls.sort === 'detected';
  useRepeated(chosen, !isCurrent);
  const isTyped = choice.q !== choiceOf(controls).q;
  return {
    ...chosen,
    border: isTyped ? null : chosen.border,
    covered: isTyped ? null : chosen.covered,
    total: total ?? chosen.total,
    isTyped,
    isCurrent,
  };
}

/** Returns the number of tokens that pass: with all rows loaded, those on screen are newer than the server's count. */
function countOf(rows: number, hasMore: boolean, ofServer: number | null): number {
  return hasMore && ofServer !== null ? Math.max(rows, ofServer) : rows;
}

/** Returns the tokens without those on the user's blacklist. */
function useVisible(tokens: readonly Token[]): readonly Token[] {
  const addresses = useMemo(() => tokens.map(({ address }) => address), [tokens]);
  const visible = useNotBlacklisted(addresses);
  return useMemo(() => {
    if (visible === addresses) return tokens;
    const kept = new Set(visible);
    return tokens.filter(({ address }) => kept.has(address));
  }, [tokens, addresses, visible]);
}

function stateOf(given: { rows: number; isPending: boolean; isSearching: boolean; error: string | null }) {
  const { rows, isPending, isSearching, error } = given;
  if (rows > 0) return 'rows';
  if (error !== null && isSearching) return 'search-failed';
  if (!isPending) return 'empty';
  return error === null ? 'loading' : 'failed';
}

/** Fetches the list again every few seconds while the page is visible, unless a page of it waits for the user. */
function useRepeated({ addresses, reload, olderError }: ChosenList, isOn: boolean): void {
  const isLive = useAtomValue(isLiveAtom);
  const repeats = isOn && isLive && olderError === null;
  // Each loaded page is a request.
  const everyMs = CHOSEN_EVERY_MS * Math.max(1, Math.ceil(addresses.length / PAGE_ROWS));
  useEffect(() => {
    if (!repeats) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [repeats, reload, everyMs]);
}
