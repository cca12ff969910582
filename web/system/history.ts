import type { SystemMinute } from '../../common/admin/model.ts';
import { count, MISSING } from '../ui/format.ts';
import { megabytes, milliseconds, perSecond } from './words.ts';

/** One small chart, and one column of the table behind them. */
export interface Series {
  id: string;
  label: string;
  /** Null: not known in that minute. */
  of: (minute: SystemMinute) => number | null;
  write: (value: number) => string;
  /** It has no fractions. */
  whole: boolean;
  /** Rare events are bars, the others lines. */
  bars: boolean;
}

export const series: readonly Series[] = [
  { id: 'clients', label: 'Clients', of: ({ clients }) => clients, write: count, whole: true, bars: false },
  {
    id: 'events',
    label: 'Events',
    of: ({ eventsPerSecond }) => eventsPerSecond,
    write: perSecond,
    whole: false,
    bars: false,
  },
  { id: 'lag', label: 'Lag p99', of: ({ lagP99 }) => lagP99, write: milliseconds, whole: false, bars: false },
  { id: 'memory', label: 'Memory', of: ({ rssBytes }) => rssBytes, write: megabytes, whole: false, bars: false },
  { id: 'errors', label: 'Source errors', of: errorsOf, write: count, whole: true, bars: true },
];

/** The errors of all sources in that minute. */
export function errorsOf({ sources }: SystemMinute): number {
  return Object.values(sources).reduce((sum, { errors }) => sum + errors, 0);
}

/** Errors of the whole span by source, most first; sources without any are left out. */
export function errorsBySource(history: readonly SystemMinute[]): { source: string; errors: number }[] {
  const sums = new Map<string, number>();
  for (const { sources } of history) {
    for (const [source, { errors }] of Object.entries(sources)) sums.set(source, (sums.get(source) ?? 0) + errors);
  }
  return [...sums]
    .map(([source, errors]) => ({ source, errors }))
    .filter(({ errors }) => errors > 0)
    .toSorted((one, other) => other.errors - one.errors);
}

/** What a series is at; a dash for what is not known. */
export function written({ of, write }: Series, minute: SystemMinute | undefined): string {
  if (minute === undefined) return MISSING;
  const value: number | null = of(minute);
  return value === null ? MISSING : write(value);
}

/** `jupiter 2, solscan 1`. */
export function errorText(errors: readonly { source: string; errors: number }[], nameOf: (source: string) => string) {
  return errors.map(({ source, errors: amount }) => `${nameOf(source)} ${count(amount)}`).join(', ');
}
