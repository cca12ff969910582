import { useMemo } from 'react';
import type { Token } from '../../../common/tokens/model.ts';
import { type ListView, type LoadState, listAtoms, loadAtoms } from '../../live/atoms/atoms.ts';
import { pollEvery } from '../../live/connection/polling.ts';
import { type UsedList, useList } from '../../live/hooks/use-list.ts';
import { useAtomValue } from '../../store.ts';
import { useNotBlacklisted } from '../../watchlists/lists.ts';
import { useRows } from '../use-rows.ts';
import { defaultSorting, sortingAtom } from './controls.ts';
import type { FilterName } from './filters.ts';
import type { Described, RowsOf } from './list-page-notes.tsx';
import { type Paging, usePaging } from './use-paging.ts';

const noAddresses: readonly string[] = [];

/** Content of the list page for a filter and a text. */
export interface TokenList extends Paging {
  /** The list that the filter applies to. */
  list: UsedList;
  tokens: readonly Token[];
  /** List with further pages on the server; null for a list without pages. */
  of: RowsOf | null;
  /** That list, with its load state. */
  source: ListView & LoadState;
  /** Error of the search; null after a success. */
  searchError: string | null;
  /** Content in place of the rows. */
  state: 'loading' | 'failed' | 'rows' | 'search-failed' | 'empty';
  described: Described;
}

export function useTokenList(filter: FilterName, text: string): TokenList {
  const sorting = useAtomValue(sortingAtom);
  const newest = useList('newest', pollEvery.listPage);
  const runners = useList('runners', pollEvery.liveLists);
  const mightRun = useList('mightRun', pollEvery.liveLists);
  const found = useAtomValue(listAtoms.search);
  const finding = useAtomValue(loadAtoms.search);
  const list = chosen(filter, { newest, runners, mightRun });
  const searching = text.trim() !== '';
  const of = sourceOf(list === newest, searching);
  const source = of === 'search' ? { ...found, ...finding } : newest;

  const loaded = list.addresses;
  const elsewhere = of === 'search' ? found.addresses : noAddresses;
  const everywhere = useMemo(
    () => (elsewhere.length > 0 ? [...new Set([...loaded, ...elsewhere])] : loaded),
    [loaded, elsewhere],
  );
  const addresses = useNotBlacklisted(everywhere);
  // The count of the server ignores the user's blacklist.
  const hidden = elsewhere.length - useNotBlacklisted(elsewhere).length;
  const values = filter === 'New' || filter === 'Risky' || filter === 'Safe' || sorting !== defaultSorting;
  const tokens = useRows(addresses, { filter, text, values });
  const paging = usePaging({ of, source, filter, empty: tokens.length === 0 });

  const searchError = of === 'search' ? finding.error : null;
  const waiting = paging.lookingOn || (of === 'search' && (finding.loading || found.fetchedAt === null));
  const among = paging.picking && of === 'newest' && newest.more ? newest.addresses.length : null;
  return {
    ...paging,
    list,
    tokens,
    of,
    source,
    searchError,
    state: stateOf({ list, rows: tokens.length, waiting, searchError }),
    described: {
      filter,
      searching,
      shown: tokens.length,
      total: newest.total,
      found: found.total === null ? null : found.total - hidden,
      among,
    },
  };
}

function sourceOf(pages: boolean, searching: boolean): RowsOf | null {
  if (!pages) return null;
  return searching ? 'search' : 'newest';
}

function stateOf(given: { list: UsedList; rows: number; waiting: boolean; searchError: string | null }) {
  const { list, rows, waiting, searchError } = given;
  if (list.fetchedAt === null) return list.error === null ? 'loading' : 'failed';
  if (rows > 0) return 'rows';
  if (searchError !== null) return 'search-failed';
  return waiting ? 'loading' : 'empty';
}

function chosen(filter: FilterName, lists: { newest: UsedList; runners: UsedList; mightRun: UsedList }): UsedList {
  if (filter === 'Runners') return lists.runners;
  return filter === 'Might Run' ? lists.mightRun : lists.newest;
}
