import { SearchX } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { listNameOf } from '../../../common/live/lists.ts';
import { usePageTitle } from '../../layout/page-title.ts';
import { StaleNote } from '../../live/hooks/stale-note.tsx';
import { useLiveMarket } from '../../live/live.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { countLimits } from '../filter/limits.ts';
import { hasNews } from '../motion/new-pill.tsx';
import { PresetChips } from '../presets/preset-chips.tsx';
import { useRowLayout } from '../use-layout.ts';
import { choiceOf, defaultControls, useControls } from './controls.ts';
import { FirstVisit } from './first-visit.tsx';
import { emptyText, Failed, Ignored, ListEnd, subtitleOf } from './list-page-notes.tsx';
import { ListSearch, ListToolbar } from './list-toolbar.tsx';
import { type TableStand, TokenTable, type TokenTableHandle } from './token-table.tsx';
import { useListKeys } from './use-list-keys.ts';
import { type TokenList, useTokenList } from './use-token-list.ts';

/** On demand: it is not needed for the rows. */
const FilterDrawer = lazy(() => import('../filter/filter-drawer.tsx'));

/** Before the table reports. */
const still: TableStand = { held: false, waiting: 0, moreWaiting: false, behind: false, scrolled: false };

/** Shows all tokens, live. `onPaint` is called for each painted row, for tests. */
export default function TokenListPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Tokens');
  const live = useLiveMarket();
  const { controls, ignored, change: setControls, open } = useControls();
  const { filter, text, limits } = controls;
  const choice = choiceOf(controls);
  const [filtering, setFiltering] = useState(false);
  const table = useRef<TokenTableHandle | null>(null);
  const content = useTokenList(controls, table);
  const { all } = content;

  const [paused, setPaused] = useState(false);
  const [stand, setStand] = useState(still);
  const search = useRef<HTMLInputElement | null>(null);
  const [measure, layout] = useRowLayout();
  useListKeys({
    search,
    clearSearch: () => setControls({ text: '' }),
    togglePause: () => setPaused((before) => !before),
    move: (by) => table.current?.move(by),
  });

  return (
    <div className="flex gap-3">
      <div ref={measure} className="flex min-w-0 flex-1 flex-col gap-3">
        <ListSearch input={search} text={text} onText={(typed) => setControls({ text: typed })} />
        <ListToolbar
          subtitle={subtitleOf(content.described)}
          checkedAt={content.checkedAt}
          filter={filter}
          onFilter={(name) => setControls({ filter: name })}
          limited={countLimits(limits)}
          filtering={filtering}
          onFiltering={() => setFiltering((before) => !before)}
          paused={paused}
          onPause={() => setPaused((before) => !before)}
          held={stand.held}
          // A scrolled table shows the button itself.
          news={!stand.scrolled && hasNews(stand) ? stand : null}
          onShowNew={() => {
            setPaused(false);
            table.current?.showNew();
          }}
          refreshing={all.loading && all.fetchedAt !== null}
          onRefresh={() => {
            // On touch, rows and their order stay until this or the pill.
            table.current?.showNew();
            all.reload();
            if (content.of === 'chosen') content.retry();
            void live.loader.loadStats();
          }}
        />
        <PresetChips choice={choice} onOpen={open} />
        {ignored.length > 0 && <Ignored parts={ignored} onDrop={() => setControls({})} />}
        <FirstVisit />
        <StaleNote complete={all.complete} />
        {all.fetchedAt !== null && all.error !== null && (
          <Failed text={`The list could not be refreshed: ${all.error}`} onRetry={all.reload} busy={all.loading} />
        )}
        {content.state === 'rows' ? (
          <TokenTable
            handle={table}
            tokens={content.tokens}
            layout={layout}
            paused={paused}
            choice={listNameOf(choice)}
            pending={content.isPending}
            sorting={controls}
            onSort={setControls}
            onEnd={content.onEnd}
            onStand={setStand}
            onPaint={onPaint}
            footer={<TableFooter content={content} />}
          />
        ) : (
          <div className="overflow-hidden rounded-lg border border-line bg-surface">
            <NoRows content={content} compact={layout.kind === 'cards'} onReset={() => setControls(defaultControls)} />
          </div>
        )}
      </div>
      {filtering && (
        <Suspense fallback={null}>
          <FilterDrawer
            choice={choice}
            limits={limits}
            onLimits={(changed) => setControls({ limits: changed })}
            onClose={() => setFiltering(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

function TableFooter({ content }: { content: TokenList }) {
  const { loader } = useLiveMarket();
  const { of, retry, source, described } = content;
  return (
    <>
      {of === 'chosen' && source.error !== null && (
        <Failed
          text={`Only loaded tokens were ${described.searching ? 'searched' : 'sorted and filtered'}: ${source.error}`}
          onRetry={retry}
          busy={source.loading}
        />
      )}
      <ListEnd of={of} list={source} onRetry={() => void loader.loadOlder(of)} />
    </>
  );
}

/** Shows why there are no rows: they are loading, that failed, or none matches. */
function NoRows({ content, compact, onReset }: { content: TokenList; compact: boolean; onReset: () => void }) {
  const { source, described, retry } = content;
  switch (content.state) {
    case 'failed':
      return (
        <Problem
          title="Error Loading Tokens"
          text="There was an error loading the token data. Please try again."
          onRetry={retry}
          busy={source.loading}
        />
      );
    case 'search-failed':
      return (
        <Problem
          title="Error Searching Tokens"
          text={`The server could not search for this text: ${source.error}`}
          onRetry={retry}
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
