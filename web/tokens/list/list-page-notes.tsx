import { listCapacity } from '../../live/model/lists.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/format.ts';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import type { FilterName } from './filters.ts';

/** Source of the rows: the newest tokens, or the results of a search. */
export type RowsOf = 'newest' | 'search';

/** Shows an error in one line, with a retry. */
export function Failed({ text, onRetry, busy }: { text: string; onRetry: () => void; busy: boolean }) {
  return (
    <p role="alert" className="flex flex-wrap items-center justify-center gap-3 px-4 py-1.5 text-muted text-xs">
      {text}
      <Button size="sm" onClick={onRetry} busy={busy}>
        Retry
      </Button>
    </p>
  );
}

interface ListEndProps {
  of: RowsOf;
  rows: number;
  more: boolean;
  loadingOlder: boolean;
  olderError: string | null;
  onRetry: () => void;
}

/** Shows below the last row that more is loading, that it failed, or why there is no more. */
export function ListEnd({ of, rows, more, loadingOlder, olderError, onRetry }: ListEndProps) {
  if (loadingOlder) return <SkeletonRows rows={2} label="Loading older tokens" />;
  if (olderError !== null) {
    return <Failed text={`More tokens could not be loaded: ${olderError}`} onRetry={onRetry} busy={false} />;
  }
  if (!more || rows < listCapacity[of]) return null;
  return (
    <p className="px-4 py-3 text-center text-muted text-xs">
      {of === 'newest'
        ? `These are the newest ${count(rows)}. Search finds older ones.`
        : `These are the newest ${count(rows)} that match. A longer text finds older ones.`}
    </p>
  );
}

export interface Described {
  filter: FilterName;
  searching: boolean;
  /** Rows on screen. */
  shown: number;
  /** Number of tokens on the server; null while unknown. */
  total: number | null;
  /** Number of tokens on the server that match the text; null while unknown. */
  found: number | null;
  /** Number of loaded tokens that a filter searches while the server has older ones; null otherwise. */
  among: number | null;
}

/** Returns the number of tokens shown and their total, as text. */
export function subtitleOf({ filter, searching, shown, total, found, among }: Described): string {
  const all = total === null ? 'Tokens' : `${count(total)} ${total === 1 ? 'token' : 'tokens'}`;
  if (searching) return `${count(Math.max(shown, filter === 'All' ? (found ?? 0) : 0))} of ${all}`;
  if (among !== null) return `${count(shown)} of the newest ${count(among)}`;
  return filter === 'All' ? all : `${count(shown)} of ${all}`;
}

/** Returns why no row is shown. */
export function emptyText({ filter, searching, among }: Described): string {
  if (searching) return 'No token has this name, symbol or address.';
  if (among !== null) return `None of the newest ${count(among)} tokens is in '${filter}' right now.`;
  return filter === 'All'
    ? 'No token has been detected yet. New ones appear here at once.'
    : `No token is in '${filter}' right now. The list updates as the market moves.`;
}
