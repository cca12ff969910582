import { SearchX } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { isNew } from '../../common/tokens/lists.ts';
import { usePageTitle } from '../frame/page-title.ts';
import { listAtoms, loadAtoms } from '../live/atoms.ts';
import { listCapacity, listedAt } from '../live/lists.ts';
import { useLiveMarket } from '../live/live.ts';
import { pollEvery } from '../live/polling.ts';
import { StaleNote } from '../live/stale-note.tsx';
import { type UsedList, useList } from '../live/use-list.ts';
import { useAtom, useAtomValue } from '../store.ts';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { count } from '../ui/format.ts';
import { Problem } from '../ui/problem.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { defaultSorting, filterAtom, searchTextAtom, sortingAtom } from './controls.ts';
import type { FilterName } from './filters.ts';
import { ListSearch } from './list-search.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { TokenTable, type TokenTableHandle } from './token-table.tsx';
import { useLayout } from './use-layout.ts';
import { useListKeys } from './use-list-keys.ts';
import { useRows } from './use-rows.ts';

const noAddresses: readonly string[] = [];

/** All tokens, as they come. `onPaint` hears of every painted row; a test counts them. */
export default function TokenListPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Tokens');
  const live = useLiveMarket();
  const [filter, setFilter] = useAtom(filterAtom);
  const [text, setText] = useAtom(searchTextAtom);
  const sorting = useAtomValue(sortingAtom);
  const newest = useList('newest', pollEvery.listPage);
  const runners = useList('runners', pollEvery.liveLists);
  const mightRun = useList('mightRun', pollEvery.liveLists);
  const found = useAtomValue(listAtoms.search);
  const finding = useAtomValue(loadAtoms.search);
  const list = chosen(filter, { newest, runners, mightRun });
  const searching = text.trim() !== '';

  const loaded = list.addresses;
  const elsewhere = searching && list === newest ? found.addresses : noAddresses;
  const addresses = useMemo(
    () => (elsewhere.length > 0 ? [...new Set([...loaded, ...elsewhere])] : loaded),
    [loaded, elsewhere],
  );
  const values = filter === 'New' || filter === 'Risky' || filter === 'Safe' || sorting !== defaultSorting;
  const tokens = useRows(addresses, { filter, text, values });

  const [paused, setPaused] = useState(false);
  const [hold, setHold] = useState({ held: false, waiting: 0 });
  const onHold = useCallback((held: boolean, waiting: number) => setHold({ held, waiting }), []);
  const search = useRef<HTMLInputElement | null>(null);
  const table = useRef<TokenTableHandle | null>(null);
  const [measure, layout] = useLayout();
  useListKeys({
    search,
    clearSearch: () => setText(''),
    togglePause: () => setPaused((before) => !before),
    move: (by) => table.current?.move(by),
  });

  const onEnd = useCallback(() => {
    if (filter === 'Runners' || filter === 'Might Run') return;
    if (searching) void live.loader.loadOlder('search');
    const last = live.model.state.lists.newest.addresses.at(-1);
    const oldest = last === undefined ? undefined : live.model.state.tokens.get(last);
    // What is beyond the hour is not new, so there is nothing to find further back.
    const pointless = filter === 'New' && oldest !== undefined && !isNew(listedAt(oldest), Date.now());
    if (!searching && !pointless && newest.error === null) void live.loader.loadOlder('newest');
  }, [live, filter, searching, newest.error]);

  function reset(): void {
    setFilter('All');
    setText('');
  }

  const waitingForSearch = searching && tokens.length === 0 && (finding.loading || found.fetchedAt === null);
  return (
    <div ref={measure} className="flex min-w-0 flex-col gap-3">
      <ListSearch input={search} />
      <ListToolbar
        subtitle={subtitleOf({ filter, searching, shown: tokens.length, total: newest.total, found: found.total })}
        paused={paused}
        onPause={() => setPaused((before) => !before)}
        held={hold.held}
        waiting={hold.waiting}
        onShowNew={() => {
          setPaused(false);
          table.current?.toTop();
        }}
        refreshing={list.loading && list.fetchedAt !== null}
        onRefresh={() => {
          list.reload();
          void live.loader.loadStats();
        }}
      />
      <StaleNote complete={list.complete} />
      {list.fetchedAt === null && list.error !== null && (
        <Bordered>
          <Problem
            title="Error Loading Tokens"
            text="There was an error loading the token data. Please try again."
            onRetry={list.reload}
            busy={list.loading}
          />
        </Bordered>
      )}
      {((list.fetchedAt === null && list.error === null) || (list.fetchedAt !== null && waitingForSearch)) && (
        <Bordered>
          <SkeletonRows rows={12} label="Loading tokens" rowClassName={layout === 'compact' ? 'h-16' : 'h-11'} />
        </Bordered>
      )}
      {list.fetchedAt !== null && !waitingForSearch && tokens.length === 0 && (
        <Bordered>
          <Empty
            icon={SearchX}
            title="No Matching Tokens"
            text={emptyText(filter, searching)}
            action={(filter !== 'All' || searching) && <Button onClick={reset}>Show all tokens</Button>}
          />
        </Bordered>
      )}
      {list.fetchedAt !== null && tokens.length > 0 && (
        <TokenTable
          handle={table}
          tokens={tokens}
          layout={layout}
          paused={paused}
          choice={`${filter} ${text.trim()}`}
          onEnd={onEnd}
          onHold={onHold}
          onPaint={onPaint}
          footer={<ListEnd list={list} searching={searching} onRetry={() => void live.loader.loadOlder('newest')} />}
        />
      )}
    </div>
  );
}

function chosen(filter: FilterName, lists: { newest: UsedList; runners: UsedList; mightRun: UsedList }): UsedList {
  if (filter === 'Runners') return lists.runners;
  return filter === 'Might Run' ? lists.mightRun : lists.newest;
}

function Bordered({ children }: { children: ReactNode }) {
  return <div className="overflow-hidden rounded-lg border border-line bg-surface">{children}</div>;
}

/** What stands below the last row: that more is on its way, that it failed, or why there is no more. */
function ListEnd({ list, searching, onRetry }: { list: UsedList; searching: boolean; onRetry: () => void }) {
  if (list.loadingOlder) return <SkeletonRows rows={2} label="Loading older tokens" />;
  if (list.error !== null) {
    return (
      <p role="alert" className="flex items-center justify-center gap-3 px-4 py-3 text-muted text-xs">
        More tokens could not be loaded: {list.error}
        <Button size="sm" onClick={onRetry}>
          Retry
        </Button>
      </p>
    );
  }
  if (!searching && list.more && list.addresses.length >= listCapacity.newest) {
    return (
      <p className="px-4 py-3 text-center text-muted text-xs">
        These are the newest {count(list.addresses.length)}. Search finds older ones.
      </p>
    );
  }
  return null;
}

function subtitleOf(given: {
  filter: FilterName;
  searching: boolean;
  shown: number;
  total: number | null;
  found: number | null;
}): string {
  const { filter, searching, shown, total, found } = given;
  const all = total === null ? 'Tokens' : `${count(total)} ${total === 1 ? 'token' : 'tokens'}`;
  if (searching) return `${count(Math.max(shown, filter === 'All' ? (found ?? 0) : 0))} of ${all}`;
  return filter === 'All' ? all : `${count(shown)} of ${all}`;
}

function emptyText(filter: FilterName, searching: boolean): string {
  if (searching) return 'Nothing with this name, symbol or address is known.';
  return filter === 'All'
    ? 'No token has been detected yet. New ones appear here by themselves.'
    : `No token is in '${filter}' right now. It fills by itself as the market moves.`;
}
