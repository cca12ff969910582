import { counted } from '../../../common/counted.ts';
import type { UsedList } from '../../live/hooks/use-list.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { cleanText } from '../text.ts';
import type { FilterName } from './filters.ts';

/** Source of the rows: the newest tokens, or what the server made for a filter, a search and an order. */
export type RowsOf = 'all' | 'chosen';

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

/** Names the parts of a link or a preset that mean nothing here; the list shows the others. */
export function Ignored({ parts, onDrop }: { parts: readonly string[]; onDrop: () => void }) {
  return (
    <Notice
      tone="warning"
      title="Parts of this link or preset are left out"
      action={
        <Button size="sm" onClick={onDrop}>
          Remove them
        </Button>
      }
    >
      No field of this version, or no value of its field: <bdi>{cleanText(parts.join(', '))}</bdi>. The list shows the
      rest.
    </Notice>
  );
}

/** Shows below the last row of a list that more is loading, that it failed, or why there is no more. */
export function ListEnd({ of, list }: { of: RowsOf; list: Omit<UsedList, 'complete'> }) {
  const { addresses, more, hasOlder, loadOlder, loadingOlder, olderError } = list;
  const rows = addresses.length;
  if (loadingOlder) return <SkeletonRows rows={2} label="Loading older tokens" />;
  if (olderError !== null) {
    return <Failed text={`More tokens could not be loaded: ${olderError}`} onRetry={loadOlder} busy={false} />;
  }
  if (!more || hasOlder) return null;
  return (
    <p className="px-4 py-3 text-center text-muted text-xs">
      {of === 'all'
        ? `These are the newest ${count(rows)}. Search finds older ones.`
        : `These are the first ${count(rows)}. A search or a filter finds others.`}
    </p>
  );
}

export interface Described {
  filter: FilterName;
  searching: boolean;
  /** Limits of the filter drawer are set. */
  limited: boolean;
  sorted: boolean;
  /** Number of tokens on the server; null while unknown. */
  total: number | null;
  /** Number of tokens that pass filter and search; null without them or while unknown. */
  found: number | null;
  /** The server is still filtering, searching or sorting. */
  pending: boolean;
  /** Number of the newest tokens that it covers; null when these are all. */
  covered: number | null;
}

/** Returns the number of tokens that are listed and their total, as text. */
export function subtitleOf(described: Described): string {
  const { filter, searching, limited, sorted, total, found, pending, covered } = described;
  const all = total === null ? 'Tokens' : counted(total, 'token');
  if (pending) return `${searching ? 'Searching' : sorted && !limited ? 'Sorting' : 'Filtering'} ${all}…`;
  if (covered !== null && found !== null) return `${count(found)} of the newest ${count(covered)}`;
  if (found === null || (filter === 'All' && !searching && !limited)) return all;
  return `${count(found)} of ${all}`;
}

/** Returns why no row is shown. */
export function emptyText({ filter, searching, limited }: Described): string {
  if (limited) return 'No token is within these limits right now. The list updates as the market moves.';
  if (searching) return 'No token has this in its name, symbol or address.';
  return filter === 'All'
    ? 'No token has been detected yet. New ones appear here at once.'
    : `No token is in '${filter}' right now. The list updates as the market moves.`;
}
