import type { SampleRecord, TokenRecord } from '../../../tokens/record.ts';
import type { LiveToken } from './live-token.ts';
import { RETENTION } from './live-token.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Lifetime of chart points, ms: every change for 10 minutes, one a minute for 8 hours, one an hour as long as the token. */
export const SAMPLE_LIFETIME = { full: 10 * MINUTE, minute: 8 * HOUR, hour: RETENTION } as const;

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
  if (open !== null) {
    closeMinute(live, context);
    if (Math.floor(minute / 60) > Math.floor(open.minute / 60)) closeHour(live, context);
  }
  const before = tradedIn(live.record, Math.floor(minute / 60));
  live.record.openSample = { minute, before, minuteDue: true, hourDue: true };
  live.dirty.add('openSample');
}

/** Writes the point of this tick, if the token traded in it. */
export function fullSample(live: LiveToken, { now, sample }: SampleContext): void {
  if (!live.sampleDue) return;
  live.sampleDue = false;
  const { record } = live;
  const at = record.lastTradeAt ?? now;
  const volumeLamports = live.sampleLamports;
  live.sampleLamports = 0;
  // Points of loaded history would expire at once.
  if (at < now - SAMPLE_LIFETIME.full) return;
  sample(point(record, 'full', at, volumeLamports, now + SAMPLE_LIFETIME.full));
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
  if (at > now - SAMPLE_LIFETIME.minute) {
    const traded = tradedIn(live.record, Math.floor(open.minute / 60)) - open.before;
    sample(point(live.record, 'minute', at, traded, at + SAMPLE_LIFETIME.minute));
  }
}

function closeHour(live: LiveToken, { sample }: SampleContext): void {
  const open = live.record.openSample;
  if (open === null || !open.hourDue) return;
  open.hourDue = false;
  live.dirty.add('openSample');
  const hour = Math.floor(open.minute / 60);
  const at = (hour + 1) * HOUR;
  sample(point(live.record, 'hour', at, tradedIn(live.record, hour), at + SAMPLE_LIFETIME.hour));
}

/** Returns the lamports traded in an hour; 0 when unknown, since the chart has no bar then. */
function tradedIn(record: TokenRecord, hour: number): number {
  return record.volumeByHour.find((bucket) => bucket.hour === hour)?.lamports ?? 0;
}

function point(
  record: TokenRecord,
  grain: SampleRecord['grain'],
  at: number,
  volumeLamports: number,
  expiresAt: number,
): SampleRecord {
  return {
    address: record._id,
    at: new Date(at),
    grain,
    price: record.price,
    liquidityLamports: record.liquidityLamports,
    volumeLamports,
    holders: record.holderCount,
    expiresAt: new Date(expiresAt),
  };
}
