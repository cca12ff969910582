import { SearchX } from 'lucide-react';
import { useRef, useState } from 'react';
import { usePageTitle } from '../../layout/page-title.ts';
import { StaleNote } from '../../live/hooks/stale-note.tsx';
import { useLiveMarket } from '../../live/live.ts';
import { useAtom, useAtomValue, useSetAtom } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useLayout } from '../use-layout.ts';
import { filterAtom, searchTextAtom } from './controls.ts';
import { emptyText, Failed, ListEnd, subtitleOf } from './list-page-notes.tsx';
import { ListSearch } from './list-search.tsx';
import { ListToolbar } from './list-toolbar.tsx';
import { type TableStand, TokenTable, type TokenTableHandle } from './token-table.tsx';
import { useListKeys } from './use-list-keys.ts';
import { type TokenList, useTokenList } from './use-token-list.ts';

/** Shows all tokens, live. `onPaint` is called for each painted row, for tests. */
export default function TokenListPage({ onPaint }: { onPaint?: (address: string) => void }) {
  usePageTitle('Tokens');
  const live = useLiveMarket();
  const filter = useAtomValue(filterAtom);
  const [text, setText] = useAtom(searchTextAtom);
  const content = useTokenList(filter, text);
  const { list } = content;

  const [paused, setPaused] = useState(false);
  const [stand, setStand] = useState<TableStand>({ held: false, waiting: 0, scrolled: false });
  const search = useRef<HTMLInputElement | null>(null);
  const table = useRef<TokenTableHandle | null>(null);
  const [measure, layout] = useLayout();
  useListKeys({
    search,
    clearSearch: () => setText(''),
    togglePause: () => setPaused((before) => !before),
    move: (by) => table.current?.move(by),
  });

  return (
    <div ref={measure} className="flex min-w-0 flex-col gap-3">
      <ListSearch input={search} />
      <ListToolbar
        subtitle={subtitleOf(content.described)}
        paused={paused}
        onPause={() => setPaused((before) => !before)}
        held={stand.held}
        // A scrolled table shows the count itself.
        waiting={stand.scrolled ? 0 : stand.waiting}
        onShowNew={() => {
          setPaused(false);
          table.current?.showNew();
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
      {content.state === 'rows' ? (
        <TokenTable
          handle={table}
          tokens={content.tokens}
          layout={layout}
          paused={paused}
          choice={`${filter} ${text.trim()}`}
          onEnd={content.onEnd}
          onStand={setStand}
          onPaint={onPaint}
          footer={<TableFooter content={content} />}
        />
      ) : (
        <div className="overflow-hidden rounded-lg border border-line bg-surface">
          <NoRows content={content} compact={layout === 'compact'} />
        </div>
      )}
    </div>
  );
}

function TableFooter({ content }: { content: TokenList }) {
  const search = useRepeatSearch();
  return (
    <>
      {content.searchError !== null && (
        <Failed
          text={`Only loaded tokens were searched: ${content.searchError}`}
          onRetry={search}
          busy={content.source.loading}
        />
      )}
      <EndOf content={content} />
    </>
  );
}

/** Shows the end of a list with pages; renders nothing for a list without. */
function EndOf({ content: { of, source } }: { content: TokenList }) {
  const { loader } = useLiveMarket();
  if (of === null) return null;
  return (
    <ListEnd
      of={of}
      rows={source.addresses.length}
      more={source.more}
      loadingOlder={source.loadingOlder}
      olderError={source.olderError}
      onRetry={() => void loader.loadOlder(of)}
    />
  );
}

/** Shows why there are no rows: they are loading, that failed, or none matches. */
function NoRows({ content, compact }: { content: TokenList; compact: boolean }) {
  const { list, source, described } = content;
  const [filter, setFilter] = useAtom(filterAtom);
  const setText = useSetAtom(searchTextAtom);
  const search = useRepeatSearch();
  switch (content.state) {
    case 'failed':
      return (
        <Problem
          title="Error Loading Tokens"
          text="There was an error loading the token data. Please try again."
          onRetry={list.reload}
          busy={list.loading}
        />
      );
    case 'search-failed':
      return (
        <Problem
          title="Error Searching Tokens"
          text={`The server could not search for this text: ${content.searchError}`}
          onRetry={search}
          busy={source.loading}
        />
      );
    case 'empty': {
      const reset = () => {
        setFilter('All');
        setText('');
      };
      return (
        <>
          <Empty
            icon={SearchX}
            title="No Matching Tokens"
            text={emptyText(described)}
            action={(filter !== 'All' || described.searching) && <Button onClick={reset}>Show all tokens</Button>}
          />
          {content.picking && <EndOf content={content} />}
        </>
      );
    }
    case 'loading':
    case 'rows':
      return <SkeletonRows rows={12} label="Loading tokens" rowClassName={compact ? 'h-16' : 'h-11'} />;
  }
}

/** Returns a function that repeats the search. */
function useRepeatSearch(): () => void {
  const { loader } = useLiveMarket();
  const text = useAtomValue(searchTextAtom);
  return () => void loader.search(text.trim());
}
