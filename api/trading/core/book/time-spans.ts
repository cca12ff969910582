import type { TimeConfig } from '../../../../common/strategies/model.ts';
import { timeFlaw, timeOf } from '../../../../common/strategies/time.ts';

/** A time condition in numbers: met from `delay` after the detection, within `from` and `until`, for tokens detected by `lastDetection`. */
export interface TimeSpan {
  /** ms. */
  delay: number;
  /** Epoch ms, as the following ones. */
  from: number;
  until: number;
  lastDetection: number;
}

const ALWAYS: TimeSpan = {
  delay: 0,
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  lastDetection: Number.POSITIVE_INFINITY,
};

/** Returns a time condition in numbers; null when it can never be met. */
export function timeSpanOf(config: TimeConfig): TimeSpan | null {
  if (timeFlaw(config) !== null) return null;
  switch (config.option) {
    case 'buy_immediately':
      return ALWAYS;
    case 'buy_after_duration':
      return { ...ALWAYS, delay: (config.duration ?? 0) * 1000 };
    case 'buy_at_time': {
      const target = timeOf(config.targetTime) ?? Number.NEGATIVE_INFINITY;
      return { ...ALWAYS, from: target, lastDetection: target };
    }
    case 'buy_within_timeframe':
      return {
        ...ALWAYS,
        from: timeOf(config.startTime) ?? Number.NEGATIVE_INFINITY,
        until: timeOf(config.endTime) ?? Number.POSITIVE_INFINITY,
      };
  }
}

/** Returns whether the condition is met at `now` (epoch ms) for a token detected at `detectedAt`. */
export function isWithin({ delay, from, until, lastDetection }: TimeSpan, detectedAt: number, now: number): boolean {
  return now >= detectedAt + delay && now >= from && now <= until && detectedAt <= lastDetection;
}
