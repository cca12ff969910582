/** How far the pages of a list are loaded, and how to load more. */
export interface PageState {
  /** True while the loaded pages are fetched again, or the first one is. */
  loading: boolean;
  reload: () => void;
  hasMore: boolean;
  loadMore: () => void;
  loadingMore: boolean;
}

/** The part of a query for pages that its state is read from. */
interface PagesQuery {
  isFetching: boolean;
  isFetchingNextPage: boolean;
  hasNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}

/** Returns the state of a query for pages. */
export function pageState(options: PagesQuery): PageState {
  const { isFetching, isFetchingNextPage, hasNextPage, refetch, fetchNextPage } = options;
  return {
    loading: isFetching && !isFetchingNextPage,
    reload: () => void refetch(),
    hasMore: hasNextPage,
    loadMore: () => void fetchNextPage(),
    loadingMore: isFetchingNextPage,
  };
}

/** Cursor of the first page. */
export const FIRST_PAGE: string | null = null;

/** What the function of a query for pages with cursors receives. */
export interface PageRequest {
  /** Cursor of the page before; null for the first one. */
  pageParam: string | null;
  signal: AbortSignal;
}

/** Returns the id of the last row as the cursor of the next page; null after the last one. */
export function lastIdOf(page: readonly { id: string }[], limit: number): string | null {
  return page.length < limit ? null : (page.at(-1)?.id ?? null);
}
