import { flawOf, type Met } from './met.ts';
import type { TimeConfig } from './model.ts';

/**
 * Evaluates a time condition at `now` for a token detected at `detectedAt` (both epoch ms).
 *
 * - `buy_immediately`: met from detection on.
 * - `buy_after_duration`: met from `duration` seconds after detection on.
 * - `buy_at_time`: met from `targetTime` on, for tokens detected by then; never met for tokens detected later.
 * - `buy_within_timeframe`: met while `startTime` ≤ now ≤ `endTime`. A missing bound is open; at least one is required.
 *
 * An option whose field is missing is never met.
 */
export function timeMet(config: TimeConfig, { detectedAt }: { detectedAt: number }, now: number): Met {
  if (timeFlaw(config) !== null) return 'never';
  switch (config.option) {
    case 'buy_immediately':
      return from(detectedAt, now);
    case 'buy_after_duration':
      return from(detectedAt + (config.duration ?? 0) * 1000, now);
    case 'buy_at_time': {
      const target = timeOf(config.targetTime) ?? 0;
      return detectedAt <= target ? from(target, now) : 'never';
    }
    case 'buy_within_timeframe': {
      const begin = timeOf(config.startTime) ?? Number.NEGATIVE_INFINITY;
      const end = timeOf(config.endTime) ?? Number.POSITIVE_INFINITY;
      return now > end ? 'never' : from(Math.max(begin, detectedAt), now);
    }
  }
}

/** Returns why the condition can never be met, as the end of 'Never buys: …'; null when it can be met. */
export function timeFlaw(config: TimeConfig): string | null {
  switch (config.option) {
    case 'buy_immediately':
      return null;
    case 'buy_after_duration':
      return flawOf('duration', config.duration);
    case 'buy_at_time':
      return timeOf(config.targetTime) === null ? 'no target time is set' : null;
    case 'buy_within_timeframe': {
      const begin = timeOf(config.startTime);
      const end = timeOf(config.endTime);
      if (begin === null && end === null) return 'no time frame is set';
      return begin !== null && end !== null && end < begin ? 'the time frame ends before it begins' : null;
    }
  }
}

/** Returns the moments when the condition may become met without a new point, epoch ms. */
export function timeMoments(config: TimeConfig, detectedAt: number): number[] {
  switch (config.option) {
    case 'buy_immediately':
      return [detectedAt];
    case 'buy_after_duration':
      return [detectedAt + (config.duration ?? 0) * 1000];
    case 'buy_at_time':
      return [timeOf(config.targetTime) ?? detectedAt];
    case 'buy_within_timeframe':
      return [detectedAt, timeOf(config.startTime) ?? detectedAt];
  }
}

function from(begin: number, now: number): Met {
  return now >= begin ? 'met' : 'waiting';
}

/** Parses a validated time to epoch ms; null when missing. */
export function timeOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
