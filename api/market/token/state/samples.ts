import { HOUR, MINUTE } from '../../../../common/time.ts';
import type { PriceRange, SampleRecord, TokenRecord } from '../../../tokens/record.ts';
import type { LiveToken } from './live-token.ts';
import { RETENTION } from './live-token.ts';

/** Lifetime of chart points, ms: every change for 10 minutes, one a minute for 8 hours, one an hour as long as the token. */
const SAMPLE_LIFETIME = { full: 10 * MINUTE, minute: 8 * HOUR, hour: RETENTION } as const;

interface SampleContext {
  now: number;
  sample(record: SampleRecord): void;
}

/** Writes the points of the minute and hour that end with a trade at `at`, and opens its own. To be called before the trade is merged. */
export function samplesBefore(live: LiveToken, at: number, context: SampleContext): void {
  const minute = Math.floor(at / MINUTE);
  const open = live.record.openSample;
  // A late trade counts in the open minute.
  if (open !== null && minute <= open.minute) {
    if (open.minuteDue && open.hourDue) return;
    open.minuteDue = true;
    open.hourDue = true;
    live.dirty.add('openSample');
    return;
  }
  const isSameHour = open !== null && Math.floor(minute / 60) === Math.floor(open.minute / 60);
  if (open !== null) {
    closeMinute(live, context);
    if (!isSameHour) closeHour(live, context);
  }
  const before = tradedIn(live.record, Math.floor(minute / 60));
  const hourRange = isSameHour ? (open.hourRange ?? null) : null;
  live.record.openSample = { minute, before, minuteDue: true, hourDue: true, minuteRange: null, hourRange };
  live.dirty.add('openSample');
}

/** Widens the open points to a price of that time. To be called after `samplesBefore`. */
export function widenSamples(live: LiveToken, at: number, price: number | null): void {
  const open = live.record.openSample;
  if (price === null || open === null) return;
  live.sampleRange = widened(live.sampleRange, price);
  const minute = Math.floor(at / MINUTE);
  // A late price belongs to no open minute, and to the hour only if it is the same.
  if (Math.floor(minute / 60) !== Math.floor(open.minute / 60)) return;
  const hourRange = widened(open.hourRange ?? null, price);
  const minuteRange = minute === open.minute ? widened(open.minuteRange ?? null, price) : (open.minuteRange ?? null);
  if (hourRange === open.hourRange && minuteRange === open.minuteRange) return;
  open.hourRange = hourRange;
  open.minuteRange = minuteRange;
  live.dirty.add('openSample');
}

/** Returns the same range when the price lies within it. */
function widened(range: PriceRange | null, price: number): PriceRange {
  if (range === null) return { open: price, high: price, low: price };
  if (price <= range.high && price >= range.low) return range;
  return { open: range.open, high: Math.max(range.high, price), low: Math.min(range.low, price) };
}

/** Writes the point of this tick, if the token traded in it. */
export function fullSample(live: LiveToken, { now, sample }: SampleContext): void {
  if (!live.sampleDue) return;
  live.sampleDue = false;
  const { record } = live;
  const at = record.lastTradeAt ?? now;
  const { sampleLamports: volumeLamports, sampleRange: range } = live;
  live.sampleLamports = 0;
  live.sampleRange = null;
  // Points of loaded history would expire at once.
  if (at < now - SAMPLE_LIFETIME.full) return;
  sample(point(record, { grain: 'full', at, volumeLamports, range, expiresAt: now + SAMPLE_LIFETIME.full }));
}

/** Returns whether the minute or hour of the last trade is over and its point not written. */
export function hasDueSample(record: TokenRecord, now: number): boolean {
  const open = record.openSample;
  if (open === null) return false;
  return (
    (open.minuteDue && now >= (open.minute + 1) * MINUTE) ||
    (open.hourDue && now >= (Math.floor(open.minute / 60) + 1) * HOUR)
  );
}

/** Writes the points of a minute and hour that ended without another trade. */
export function dueSamples(live: LiveToken, context: SampleContext): void {
  const open = live.record.openSample;
  if (open === null) return;
  if (open.minuteDue && context.now >= (open.minute + 1) * MINUTE) closeMinute(live, context);
  if (open.hourDue && context.now >= (Math.floor(open.minute / 60) + 1) * HOUR) closeHour(live, context);
}

function closeMinute(live: LiveToken, { now, sample }: SampleContext): void {
  const open = live.record.openSample;
  if (open === null || !open.minuteDue) return;
  open.minuteDue = false;
  live.dirty.add('openSample');
  const at = (open.minute + 1) * MINUTE;
  if (at <= now - SAMPLE_LIFETIME.minute) return;
  const volumeLamports = tradedIn(live.record, Math.floor(open.minute / 60)) - open.before;
  const range = open.minuteRange ?? null;
  sample(point(live.record, { grain: 'minute', at, volumeLamports, range, expiresAt: at + SAMPLE_LIFETIME.minute }));
}

function closeHour(live: LiveToken, { sample }: SampleContext): void {
  const open = live.record.openSample;
  if (open === null || !open.hourDue) return;
  open.hourDue = false;
  live.dirty.add('openSample');
  const hour = Math.floor(open.minute / 60);
  const at = (hour + 1) * HOUR;
  const volumeLamports = tradedIn(live.record, hour);
  const range = open.hourRange ?? null;
  sample(point(live.record, { grain: 'hour', at, volumeLamports, range, expiresAt: at + SAMPLE_LIFETIME.hour }));
}

/** Returns the lamports traded in an hour; 0 when unknown, since the chart has no bar then. */
function tradedIn(record: TokenRecord, hour: number): number {
  return record.volumeByHour.find((bucket) => bucket.hour === hour)?.lamports ?? 0;
}

interface PointOf {
  grain: SampleRecord['grain'];
  at: number;
  volumeLamports: number;
  range: PriceRange | null;
  expiresAt: number;
}

/** Returns a point that closes at the present price. */
function point(record: TokenRecord, { grain, at, volumeLamports, range, expiresAt }: PointOf): SampleRecord {
  const { price } = record;
  // The price may have moved by the rate alone since the last trade.
  const known = price === null || range === null ? range : widened(range, price);
  return {
    address: record._id,
    at: new Date(at),
    grain,
    price,
    open: known?.open ?? price,
    high: known?.high ?? price,
    low: known?.low ?? price,
    liquidityLamports: record.liquidityLamports,
    volumeLamports,
    holders: record.holderCount,
    expiresAt: new Date(expiresAt),
  };
}
