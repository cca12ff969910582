import type { Met } from './met.ts';
import { flawOf } from './met.ts';
import type { TimeConfig } from './model.ts';

/**
 * How a time condition stands at `now` for a token detected at `detectedAt` (both epoch ms).
 *
 * - `buy_immediately`: met from detection on.
 * - `buy_after_duration`: met from `duration` seconds after detection on.
 * - `buy_at_time`: met from `targetTime` on, for tokens detected by then; one that is detected later is never bought by it.
 * - `buy_within_timeframe`: met while `startTime` ≤ now ≤ `endTime`. A missing bound is open; at least one has to be there.
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

/** Why the condition can never be met, in words that follow 'Never buys:'; null when it can. */
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

/** Moments at which the condition may become met by the mere passing of time, epoch ms. */
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

/** Epoch ms of a time the contract has let through; null when it is not there. */
function timeOf(text: string | undefined): number | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
