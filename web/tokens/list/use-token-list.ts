import { type RefObject, useEffect, useMemo, useState } from 'react';
import { listChoiceSchema } from '../../../common/tokens/http.ts';
import type { Token } from '../../../common/tokens/model.ts';
import {
  type Chosen,
  chosenAtom,
  isLiveAtom,
  type ListView,
  type LoadState,
  listAtoms,
  loadAtoms,
} from '../../live/atoms/atoms.ts';
import { pollEvery } from '../../live/connection/polling.ts';
import { type UsedList, useList } from '../../live/hooks/use-list.ts';
import { useListUpdates } from '../../live/hooks/use-list-updates.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue } from '../../store.ts';
import { useNotBlacklisted } from '../../watchlists/lists.ts';
import { countLimits } from '../filter/limits.ts';
import { usePageSettled } from '../use-page-settled.ts';
import { type Controls, choiceOf } from './controls.ts';
import type { Described, RowsOf } from './list-page-notes.tsx';
import type { TokenTableHandle } from './token-table.tsx';
import { useRows } from './use-rows.ts';

/** Delay of a search after typing, ms; loaded rows are filtered at once. */
const SEARCH_REST_MS = 250;
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
  /** That list, with its load state. */
  source: ListView & LoadState;
  retry: () => void;
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

/** Returns the content for the choices. `table`: the rows on screen, which are fetched again more often. */
export function useTokenList(controls: Controls, table: RefObject<TokenTableHandle | null>): TokenList {
  const { loader } = useLiveMarket();
  const all = useList('all', pollEvery.listPage);
  const found = useAtomValue(listAtoms.chosen);
  const finding = useAtomValue(loadAtoms.chosen);
  const followed = useFollowed(controls);
  const chosen = useChosen(controls, table, !followed.isCurrent);
  const isPlain = Object.keys(choiceOf(controls)).length === 0;
  const of: RowsOf = isPlain ? 'all' : 'chosen';
  const source = isPlain ? all : { ...found, ...finding };
  const sent = isPlain
    ? { addresses: all.addresses, border: null, whole: true }
    : { addresses: found.addresses, border: chosen?.border ?? null };
  const rows = useVisible(useRows(controls, sent));
  const isSearching = controls.text.trim() !== '';
  const isPending = isPlain ? all.fetchedAt === null : chosen === null || found.fetchedAt === null;
  const settled = usePageSettled();
  // Rows of events that precede the first response would move when it arrives.
  const isLoading = !settled || (isPlain && isPending && source.error === null);
  // The count of the server ignores the user's blacklist.
  const hidden = found.addresses.length - useNotBlacklisted(found.addresses).length;
  const total = followed.total ?? found.total;
  return {
    all,
    tokens: rows,
    of,
    source,
    retry: () => (isPlain ? all.reload() : void loader.refreshSearch()),
    // The table reports its end with every render: a page that failed waits for the user.
    onEnd: () => {
      if (source.olderError === null) void loader.loadOlder(of);
    },
    state: isLoading ? 'loading' : stateOf({ rows: rows.length, isPending, isSearching, error: source.error }),
    described: {
      filter: controls.filter,
      searching: isSearching,
      limited: countLimits(controls.limits) > 0,
      sorted: controls.sort !== 'detected' || controls.order !== 'desc',
      total: all.total,
      found: isPlain || isPending ? null : countOf(rows.length, source.more, total === null ? null : total - hidden),
      pending: !isPlain && isPending && source.error === null,
      covered: chosen?.covered ?? null,
    },
    isPending,
    checkedAt: isPlain || followed.isCurrent ? null : (chosen?.checkedAt ?? null),
  };
}

/** Follows the list of the choices by its events; `isCurrent`: it needs no further requests. */
function useFollowed(controls: Controls): { isCurrent: boolean; total: number | null } {
  const { loader, model } = useLiveMarket();
  const wanted = JSON.stringify(choiceOf(controls));
  const [rested, setRested] = useState(wanted);
  useEffect(() => {
    // Not one subscription for each letter of a search.
    const timer = setTimeout(() => setRested(wanted), SEARCH_REST_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { follows, total } = useListUpdates(
    listChoiceSchema.parse(JSON.parse(rested)),
    () => model.state.lists.chosen.cursor,
    () => void loader.refreshSearch(),
  );
  // A token that rises by its figure from below the loaded rows comes in with a response alone.
  if (rested !== wanted) return { isCurrent: false, total: null };
  return { isCurrent: follows && controls.sort === 'detected', total };
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

/**
 * Requests the list of the choices, and with `polls` again while the page is visible: its first page, and those of the rows
 * in `table`. Returns how far it is loaded; null before a response.
 */
function useChosen(controls: Controls, table: RefObject<TokenTableHandle | null>, polls: boolean): Chosen | null {
  const { loader, shownLists } = useLiveMarket();
  const chosen = useAtomValue(chosenAtom);
  const isLive = useAtomValue(isLiveAtom);
  const wanted = JSON.stringify(choiceOf(controls));
  const isPlain = wanted === '{}';
  const isTyping = controls.text.trim() !== '';
  useEffect(() => {
    const search = () => void loader.search(listChoiceSchema.parse(JSON.parse(wanted)));
    const timer = setTimeout(search, isTyping ? SEARCH_REST_MS : 0);
    return () => clearTimeout(timer);
  }, [loader, wanted, isTyping]);
  // Other pages with a search must not start with these rows.
  useEffect(() => () => void loader.search({}), [loader]);
  useEffect(() => {
    // Without the feed it is polled like every list.
    if (!isPlain) return shownLists.add('chosen', pollEvery.listPage);
  }, [shownLists, isPlain]);
  useEffect(() => {
    if (isPlain || !isLive || !polls) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void loader.refreshSearch(table.current?.sight() ?? []);
    }, CHOSEN_EVERY_MS);
    return () => clearInterval(timer);
  }, [loader, isPlain, isLive, polls, table]);
  return chosen !== null && JSON.stringify(chosen.choice) === wanted ? chosen : null;
}
