import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';

/** Fetched data with its state, as the hooks of queries return it. */
export interface Fetched<Data> {
  data: Data | undefined;
  error: string | null;
  loading: boolean;
  reload: () => unknown;
}

/** Renders fetched data; before that a placeholder, or the error with a retry button. */
export function Loaded<Data>(props: {
  query: Fetched<Data>;
  /** Title of the error, e.g. 'Failed to fetch users'. */
  problem: string;
  /** The placeholder. */
  waiting: ReactNode;
  /** Shows the error without a card around it. */
  bare?: boolean;
  /** Classes of an error without a card. */
  className?: string;
  /** Shows that a later fetch has failed above the data: of a `list`, or under the same title as the error. */
  outdated?: 'list' | 'data';
  children: (data: Data) => ReactNode;
}) {
  const { query, problem, waiting, bare = false, className = '', outdated, children } = props;
  const { data, error, loading, reload } = query;
  if (data === undefined) {
    if (error === null) return waiting;
    const box = { title: problem, text: error, onRetry: () => void reload(), busy: loading };
    if (bare) return <Problem {...box} className={className} />;
    return (
      <Card flush>
        <Problem {...box} />
      </Card>
    );
  }
  return (
    <>
      {error !== null && outdated === 'list' && (
        <Notice tone="warning" title="This list may be out of date">
          {error}
        </Notice>
      )}
      {error !== null && outdated === 'data' && (
        <Notice tone="warning" title={problem}>
          {error} The data shown may be out of date.
        </Notice>
      )}
      {children(data)}
    </>
  );
}

/** A button that loads the next page of a list; renders nothing after the last one. */
export function LoadMore(list: { hasMore: boolean; loadMore: () => void; loadingMore: boolean }) {
  if (!list.hasMore) return null;
  return (
    <Button className="self-center" onClick={list.loadMore} busy={list.loadingMore}>
      Load more
    </Button>
  );
}
