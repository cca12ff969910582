import { SearchX } from 'lucide-react';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { usePageTitle } from '../../layout/page-title.ts';
import { StaleNote } from '../../live/hooks/stale-note.tsx';
import { useLiveMarket } from '../../live/live.ts';
import { useAtom } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLayout } from '../use-layout.ts';
import { filterAtom, searchTextAtom } from './controls.ts';
import { emptyText, Failed, ListEnd, subtitleOf } from './list-page-notes.tsx';
import { ListSearch } from './list-search.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { TokenTable, type TokenTableHandle } from './token-table.tsx';
import { useListKeys } from './use-list-keys.ts';
import { useTokenList } from './use-token-list.ts';

/** Shows all tokens, live. `onPaint` is called for each painted row, for tests. */
export default function TokenListPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Tokens');
  const live = useLiveMarket();
  const [filter, setFilter] = useAtom(filterAtom);
  const [text, setText] = useAtom(searchTextAtom);
  const { list, tokens, of, source, searchError, state, described, onEnd, picking } = useTokenList(filter, text);

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

  function reset(): void {
    setFilter('All');
    setText('');
  }

  const searchAgain = () => void live.loader.search(text.trim());
  const end = of !== null && (
    <ListEnd
      of={of}
      rows={source.addresses.length}
      more={source.more}
      loadingOlder={source.loadingOlder}
      olderError={source.olderError}
      onRetry={() => void live.loader.loadOlder(of)}
    />
  );
  return (
    <div ref={measure} className="flex min-w-0 flex-col gap-3">
      <ListSearch input={search} />
      <ListToolbar
        subtitle={subtitleOf(described)}
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
      {list.fetchedAt !== null && list.error !== null && (
        <Failed text={`The list could not be refreshed: ${list.error}`} onRetry={list.reload} busy={list.loading} />
      )}
      {state === 'failed' && (
        <Bordered>
          <Problem
            title="Error Loading Tokens"
            text="There was an error loading the token data. Please try again."
            onRetry={list.reload}
            busy={list.loading}
          />
        </Bordered>
      )}
      {state === 'loading' && (
        <Bordered>
          <SkeletonRows rows={12} label="Loading tokens" rowClassName={layout === 'compact' ? 'h-16' : 'h-11'} />
        </Bordered>
      )}
      {state === 'search-failed' && (
        <Bordered>
          <Problem
            title="Error Searching Tokens"
            text={`The server could not be asked for this text: ${searchError}`}
            onRetry={searchAgain}
            busy={source.loading}
          />
        </Bordered>
      )}
      {state === 'empty' && (
        <Bordered>
          <Empty
            icon={SearchX}
            title="No Matching Tokens"
            text={emptyText(described)}
            action={(filter !== 'All' || described.searching) && <Button onClick={reset}>Show all tokens</Button>}
          />
          {picking && end}
        </Bordered>
      )}
      {state === 'rows' && (
        <TokenTable
          handle={table}
          tokens={tokens}
          layout={layout}
          paused={paused}
          choice={`${filter} ${text.trim()}`}
          onEnd={onEnd}
          onHold={onHold}
          onPaint={onPaint}
          footer={
            <>
              {searchError !== null && (
                <Failed
                  text={`Only loaded tokens were searched: ${searchError}`}
                  onRetry={searchAgain}
                  busy={source.loading}
                />
              )}
              {end}
            </>
          }
        />
      )}
    </div>
  );
}

function Bordered({ children }: { children: ReactNode }) {
  return <div className="overflow-hidden rounded-lg border border-line bg-surface">{children}</div>;
}
