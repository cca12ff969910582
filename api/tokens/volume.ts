import { DAY, HOUR, MINUTE } from '../../common/time.ts';
import type { ReportedFigure, TokenRecord } from './record.ts';

/** What a token traded, as stored. */
export type Volume = Pick<TokenRecord, 'quote' | 'volumeByHour' | 'volumeMinutes' | 'runningMinute'>;
/** What the volume of 24 hours follows from. */
export type VolumeFields = Volume &
  Pick<
    TokenRecord,
    | 'detectedAt'
    | 'detectedBy'
    | 'storedAt'
    | 'publishedAt'
    | 'lastTradeAt'
    | 'lastUpdated'
    | 'complete'
    | 'buys'
    | 'sells'
    | 'reported'
    | 'volumeUsd'
  >;
export type VolumeHour = TokenRecord['volumeByHour'][number];

/** Millionths of a dollar, the unit of stored dollars; USDC has the same. */
const MICRO_USD = 1_000_000;

/** A volume at most this old is shown as stored, ms: a token in memory stores its own once a minute. */
const RECENT = 2 * MINUTE;
/** Greatest age of an observation at its first write that is measured, ms; older ones are loaded history. */
const MAX_MEASURED_DELAY = MINUTE;

/** Returns whether the times of the first write and publication are recorded; they stay null for loaded history. */
export function isMeasured(record: Pick<TokenRecord, 'detectedAt'>, now: number): boolean {
  return now - record.detectedAt <= MAX_MEASURED_DELAY;
}

/**
 * Returns when the 24 hours of the volume end: now. A replay with recorded times has the volume of its own day, so there they
 * end with the last trade. Such coins are detected at a past time, so their publication was never measured.
 */
export function endOfVolumeDay(record: VolumeFields, now: number): number {
  const { detectedBy, storedAt, publishedAt, lastTradeAt } = record;
  if (detectedBy !== 'replay' || lastTradeAt === null) return now;
  const isPast = storedAt === null && publishedAt === null && !isMeasured(record, now);
  return isPast ? Math.min(now, lastTradeAt) : now;
}

/** Returns the volume of 24 hours in dollars from the trades and a service's `report`; null when both are unknown. */
export function currentVolume(record: VolumeFields, report: ReportedFigure<number> | null, now: number): number | null {
  const { complete, buys, sells } = record;
  // A token known only from a data service may have had trades that were not observed.
  const counted = complete || buys + sells > 0 ? volumeUsd(record, endOfVolumeDay(record, now)) : null;
  // With some of the trades observed, the higher count is the more complete one.
  if (report === null || now - report.at > DAY) return counted;
  return complete || counted === null ? report.value : Math.max(report.value, counted);
}

/** Returns a record as read from the database with the volume of the 24 hours before `now`, which falls without a write. */
export function withCurrentVolume<Stored extends VolumeFields>(record: Stored, now: number): Stored {
  const report = record.reported?.volumeUsd ?? null;
  const isCounted = record.volumeByHour.length > 0;
  if ((!isCounted && report === null) || now - record.lastUpdated < RECENT) return record;
  // With all trades known a report seldom takes precedence; where it did, the stored volume is its value.
  const applied = report !== null && record.complete && record.volumeUsd !== report.value ? null : report;
  return { ...record, volumeUsd: currentVolume(record, applied, now) };
}

/** Returns the dollars traded in the 24 hours before `now`; null with a trade whose worth is unknown. */
export function volumeUsd(volume: Volume, now: number): number | null {
  const from = now - DAY;
  let sum = 0;
  for (const bucket of volume.volumeByHour) {
    if ((bucket.hour + 1) * HOUR <= from) continue;
    if (bucket.microUsd === null || (bucket.unvalued ?? 0) > 0) return null;
    sum += bucket.microUsd * shareSince(volume, bucket, from);
  }
  return sum / MICRO_USD;
}

/** Returns the share 0–1 of an hour's trades that came after `from`: by its minutes, and by the time for what they miss. */
function shareSince({ quote, volumeMinutes, runningMinute }: Volume, bucket: VolumeHour, from: number): number {
  const { hour } = bucket;
  const passed = from - hour * HOUR;
  if (passed <= 0) return 1;
  let known = 0;
  let since = 0;
  const count = (begin: number, amount: number) => {
    known += amount;
    since += amount * Math.min(1, Math.max(0, 1 - (from - begin) / MINUTE));
  };
  const minutes = volumeMinutes.find((entry) => entry.hour === hour)?.minutes ?? [];
  for (let place = 0; place < minutes.length; place += 2) {
    count(hour * HOUR + (minutes[place] ?? 0) * MINUTE, minutes[place + 1] ?? 0);
  }
  const running = runningMinute ? runningMinute.minute * MINUTE : null;
  if (runningMinute && running !== null && Math.floor(running / HOUR) === hour) count(running, runningMinute.amount);
  // Trades loaded late are in no minute.
  const missed = Math.max(0, (tradedIn(bucket, quote) ?? 0) - known);
  const left = 1 - passed / HOUR;
  return known + missed === 0 ? left : (since + missed * left) / (known + missed);
}

/** Returns the amount traded in an hour in the unit of its minutes; null when unknown. */
function tradedIn({ lamports, microUsd }: VolumeHour, quote: TokenRecord['quote']): number | null {
  return quote === 'USDC' ? microUsd : lamports;
}
