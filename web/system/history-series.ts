import type { SystemMinute } from '../../common/admin/model.ts';
import { count, MISSING } from '../ui/format.ts';
import { megabytes, milliseconds, perSecond } from './labels.ts';

/** A figure per minute: one small chart, and one column of the table. */
export interface Series {
  id: string;
  label: string;
  /** Returns null when the value of that minute is unknown. */
  valueIn: (minute: SystemMinute) => number | null;
  format: (value: number) => string;
  /** Whether values are integers. */
  whole: boolean;
  /** Whether it is drawn as bars, for rare events, instead of a line. */
  bars: boolean;
}

export const series: readonly Series[] = [
  { id: 'clients', label: 'Clients', valueIn: ({ clients }) => clients, format: count, whole: true, bars: false },
  {
    id: 'events',
    label: 'Events',
    valueIn: ({ eventsPerSecond }) => eventsPerSecond,
    format: perSecond,
    whole: false,
    bars: false,
  },
  { id: 'lag', label: 'Lag p99', valueIn: ({ lagP99 }) => lagP99, format: milliseconds, whole: false, bars: false },
  { id: 'memory', label: 'Memory', valueIn: ({ rssBytes }) => rssBytes, format: megabytes, whole: false, bars: false },
  { id: 'errors', label: 'Source errors', valueIn: errorsOf, format: count, whole: true, bars: true },
];

/** Returns the number of errors of all sources in that minute. */
function errorsOf({ sources }: SystemMinute): number {
  return Object.values(sources).reduce((sum, { errors }) => sum + errors, 0);
}

/** Returns the number of errors by source, highest first; sources without errors are left out. */
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

/** Formats the value of a minute; a dash when it is unknown. */
export function formatValue({ valueIn, format }: Series, minute: SystemMinute | undefined): string {
  if (minute === undefined) return MISSING;
  const value: number | null = valueIn(minute);
  return value === null ? MISSING : format(value);
}

/** Formats error counts: `Jupiter 2, Solscan 1`. */
export function errorCounts(errors: readonly { source: string; errors: number }[], nameOf: (source: string) => string) {
  return errors.map(({ source, errors: amount }) => `${nameOf(source)} ${count(amount)}`).join(', ');
}
