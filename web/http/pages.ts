/** A part of a list. */
export interface Page<Row> {
  rows: Row[];
  /** Number of rows in the whole list; null when the server does not send it. */
  total: number | null;
  /** Cursor of the next page; null after the last one. */
  next: string | null;
}

/** Fetches the page after a cursor; after null the first one. */
export type FetchPage<Row> = (before: string | null, limit: number, signal: AbortSignal) => Promise<Page<Row>>;

/** Cursor of the first page. */
export const FIRST_PAGE: string | null = null;

/** Returns the id of the last row as the cursor of the next page; null after the last one. */
export function lastIdOf(rows: readonly { id: string }[], limit: number): string | null {
  return rows.length < limit ? null : (rows.at(-1)?.id ?? null);
}
