import { SearchX } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { listNameOf } from '../../../common/live/lists.ts';
import { usePageTitle } from '../../layout/page-title.ts';
import { StaleNote } from '../../live/hooks/stale-note.tsx';
import type { UsedList } from '../../live/hooks/use-list.ts';
import { useLiveMarket } from '../../live/live.ts';
import { useAtomValue, useSetAtom } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { ListsProblem } from '../blacklist-note.tsx';
import { linkedAtom, viewAtom } from '../board/board-state.ts';
import type { Layout } from '../columns.tsx';
import { countLimits } from '../filter/limits.ts';
import { hasNews } from '../motion/new-pill.tsx';
import { PresetChips } from '../presets/preset-chips.tsx';
import { useRowLayout } from '../use-layout.ts';
import { type Controls, choiceOf, defaultControls, type UsedControls, useControls } from './controls.ts';
import { FirstVisit } from './first-visit.tsx';
import { emptyText, Failed, Ignored, ListEnd, subtitleOf } from './list-page-notes.tsx';
import { ListSearch, ListToolbar } from './list-toolbar.tsx';
import { type TableStand, TokenTable, type TokenTableHandle } from './token-table.tsx';
import { useListKeys } from './use-list-keys.ts';
import { type TokenList, useTokenList } from './use-token-list.ts';

/** On demand: the rows need neither. */
const Board = lazy(() => import('../board/board.tsx'));
const FilterDrawer = lazy(() => import('../filter/filter-drawer.tsx'));

/** Before the table reports. */
const still: TableStand = { held: false, waiting: 0, moreWaiting: false, behind: false, scrolled: false };

/** Shows all tokens, live: as a list, or several lists side by side. A choice in the address is shown as a list. */
export default function TokenListPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Tokens');
  const view = useAtomValue(viewAtom);
  const [params] = useSearchParams();
  const hasChoice = params.size > 0;
  const setLinked = useSetAtom(linkedAtom);
  useEffect(() => {
    if (hasChoice) setLinked(true);
  }, [hasChoice, setLinked]);
  useEffect(() => () => setLinked(false), [setLinked]);
  const used = useControls();
  const search = useRef<HTMLInputElement | null>(null);
  function openList(changed: Partial<Controls>): void {
    setLinked(true);
    used.change(changed);
  }
  return (
    <>
      {/* One box for both views: it keeps the focus when the first letter opens the list. */}
      <ListSearch input={search} text={used.controls.text} onText={(text) => openList({ text })} />
      {view === 'list' || hasChoice ? (
        <TokenListView used={used} search={search} onPaint={onPaint} />
      ) : (
        <Suspense fallback={<SkeletonRows rows={12} label="Loading tokens" />}>
          <Board search={search} onFilter={(filter) => openList({ filter })} />
        </Suspense>
      )}
    </>
  );
}

function TokenListView(props: {
  used: UsedControls;
  search: RefObject<HTMLInputElement | null>;
  onPaint: ((address: string) => void) | undefined;
}) {
  const { used, search, onPaint } = props;
  const live = useLiveMarket();
  const { controls, change, open } = used;
  const table = useRef<TokenTableHandle | null>(null);
  const content = useTokenList(controls);
  const [filtering, setFiltering] = useState(false);
  const [paused, setPaused] = useState(false);
  const [stand, setStand] = useState(still);
  const [measure, layout] = useRowLayout();
  useListKeys({
    search,
    clearSearch: () => change({ text: '' }),
    togglePause: () => setPaused((before) => !before),
    move: (by) => table.current?.move(by),
  });
  const showNew = () => {
    setPaused(false);
    table.current?.showNew();
  };
  const refresh = () => {
    // On touch, rows and their order stay until this or the pill.
    table.current?.showNew();
    content.all.reload();
    if (content.of === 'chosen') content.source.reload();
    void live.loader.loadStats();
  };

  return (
    <div className="flex gap-3">
      <div ref={measure} className="flex min-w-0 flex-1 flex-col gap-3 max-md:gap-2 flat:gap-1! max-md:pb-11">
        <ListToolbar
          subtitle={subtitleOf(content.described)}
          checkedAt={content.checkedAt}
          filter={controls.filter}
          onFilter={(name) => change({ filter: name })}
          limited={countLimits(controls.limits)}
          filtering={filtering}
          onFiltering={() => setFiltering((before) => !before)}
          paused={paused}
          onPause={() => setPaused((before) => !before)}
          held={stand.held}
          // A scrolled table shows the button itself.
          news={!stand.scrolled && hasNews(stand) ? stand : null}
          onShowNew={showNew}
          refreshing={content.all.loading && content.all.fetchedAt !== null}
          onRefresh={refresh}
          sorting={controls}
          onSort={change}
          presets={<PresetChips choice={choiceOf(controls)} onOpen={open} />}
        />
        <Notes used={used} all={content.all} hasRows={content.state === 'rows'} />
        <Rows {...{ content, used, table, layout, paused, onPaint }} onStand={setStand} />
      </div>
      {filtering && (
        <Suspense fallback={null}>
          <FilterDrawer
            choice={choiceOf(controls)}
            limits={controls.limits}
            onLimits={(limits) => change({ limits })}
            onClose={() => setFiltering(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Shows problems of the address and of the list. */
function Notes(props: { used: UsedControls; all: UsedList; hasRows: boolean }) {
  const { all, hasRows } = props;
  const { ignored, change } = props.used;
  return (
    <>
      {ignored.length > 0 && <Ignored parts={ignored} onDrop={() => change({})} />}
      <FirstVisit />
      <ListsProblem />
      {/* Without rows there is nothing that could be old. */}
      {hasRows && <StaleNote complete={all.complete} />}
      {all.fetchedAt !== null && all.error !== null && (
        <Failed text={`The list could not be refreshed: ${all.error}`} onRetry={all.reload} busy={all.loading} />
      )}
    </>
  );
}

interface RowsProps {
  content: TokenList;
  used: UsedControls;
  table: RefObject<TokenTableHandle | null>;
  layout: Layout;
  paused: boolean;
  onStand: (stand: TableStand) => void;
  onPaint: ((address: string) => void) | undefined;
}

function Rows({ content, used, table, layout, paused, onStand, onPaint }: RowsProps) {
  const { controls, change } = used;
  if (content.state !== 'rows') {
    return (
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        <NoRows content={content} compact={layout.kind === 'cards'} onReset={() => change(defaultControls)} />
      </div>
    );
  }
  return (
    <TokenTable
      handle={table}
      tokens={content.tokens}
      layout={layout}
      paused={paused}
      choice={listNameOf(choiceOf(controls))}
      pending={content.isPending}
      sorting={controls}
      onSort={change}
      onEnd={content.onEnd}
      onStand={onStand}
      onPaint={onPaint}
      footer={<TableFooter content={content} />}
    />
  );
}

function TableFooter({ content }: { content: TokenList }) {
  const { of, source, described } = content;
  return (
    <>
      {of === 'chosen' && source.error !== null && (
        <Failed
          text={`Only loaded tokens were ${described.searching ? 'searched' : 'sorted and filtered'}: ${source.error}`}
          onRetry={source.reload}
          busy={source.loading}
        />
      )}
      <ListEnd of={of} list={source} />
    </>
  );
}

/** Shows why there are no rows: they are loading, that failed, or none matches. */
function NoRows({ content, compact, onReset }: { content: TokenList; compact: boolean; onReset: () => void }) {
  const { source, described } = content;
  switch (content.state) {
    case 'failed':
      return (
        <Problem
          title="Error Loading Tokens"
          text="There was an error loading the token data. Please try again."
          onRetry={source.reload}
          busy={source.loading}
        />
      );
    case 'search-failed':
      return (
        <Problem
          title="Error Searching Tokens"
          text={`The server could not search for this text: ${source.error}`}
          onRetry={source.reload}
          busy={source.loading}
        />
      );
    case 'empty': {
      const isNarrowed = described.filter !== 'All' || described.searching || described.limited;
      return (
        <Empty
          icon={SearchX}
          title="No Matching Tokens"
          text={emptyText(described)}
          action={isNarrowed && <Button onClick={onReset}>Show all tokens</Button>}
        />
      );
    }
    case 'loading':
    case 'rows':
      return <SkeletonRows rows={12} label="Loading tokens" rowClassName={compact ? 'h-16' : 'h-11'} />;
  }
}
