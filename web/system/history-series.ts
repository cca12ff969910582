import type { SystemMinute } from '../../common/admin/model.ts';
import { HOUR, MINUTE } from '../../common/time.ts';
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
  /** Bars for rare events, steps for counts, else a line. */
  look: 'bars' | 'steps' | 'line';
  /** Bounds of good and of fair values, shown as bands. */
  limits?: { good: number; fair: number };
}

/** Spans of the charts, ms. */
export const spans = { '15 m': 15 * MINUTE, '1 h': HOUR, '24 h': 24 * HOUR } as const;
export type Span = keyof typeof spans;

/** Returns the times of the labels between two times, epoch ms, at whole multiples of a step, so that no two are equal. */
export function ticksOf(from: number, to: number): number[] {
  const step = tickSteps.find((one) => (to - from) / one <= TICKS_MAX) ?? 24 * HOUR;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, at) => first + at * step);
}

const TICKS_MAX = 4;
const tickSteps = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR];

/** A value is drawn above the scale when it is more than this many times the highest of the other values. */
const OUTLIER_FACTOR = 4;
/** Share of the values that may be outliers. */
const OUTLIERS = 0.05;

/** Returns the highest value of the scale: at least 1, without outliers, which would flatten all others. */
export function scaleOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const highest = sorted.at(-1) ?? 0;
  // At least one may be an outlier, of few values as well.
  const usual = sorted.at(-1 - Math.max(1, Math.floor(values.length * OUTLIERS))) ?? highest;
  return Math.max(1, usual > 0 && highest > OUTLIER_FACTOR * usual ? 1.25 * usual : highest);
}

export const series: readonly Series[] = [
  { id: 'clients', label: 'Clients', valueIn: ({ clients }) => clients, format: count, whole: true, look: 'steps' },
  {
    id: 'events',
    label: 'Events',
    valueIn: ({ eventsPerSecond }) => eventsPerSecond,
    format: perSecond,
    whole: false,
    look: 'line',
  },
  {
    id: 'lag',
    label: 'Lag p99',
    valueIn: ({ lagP99 }) => lagP99,
    format: milliseconds,
    whole: false,
    look: 'line',
    limits: { good: 100, fair: 500 },
  },
  { id: 'memory', label: 'Memory', valueIn: ({ rssBytes }) => rssBytes, format: megabytes, whole: false, look: 'line' },
  { id: 'errors', label: 'Source errors', valueIn: errorsOf, format: count, whole: true, look: 'bars' },
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
