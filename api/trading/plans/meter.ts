import { SECOND } from '../../../common/time.ts';

/** Decisions whose lag is shown. */
const LAGS_KEPT = 200;
/** Span of the rate, s. */
const SPAN = 10;

/** Counts what the core does. */
export interface EngineMeter {
  /** Counts prices and facts that the core has judged at a time (epoch ms). */
  judged(count: number, now: number): void;
  /** Counts the time from the figures of a decision until its order was stored, ms. */
  stored(lag: number): void;
  perSecond(now: number): number;
  lag(): { p50: number | null; p99: number | null };
}

export function createEngineMeter(): EngineMeter {
  const counts = new Map<number, number>();
  const lags: number[] = [];
  const secondOf = (now: number) => Math.floor(now / SECOND);
  return {
    judged(count, now) {
      const second = secondOf(now);
      counts.set(second, (counts.get(second) ?? 0) + count);
      if (counts.size > 2 * SPAN) for (const old of counts.keys()) if (old < second - SPAN) counts.delete(old);
    },
    stored(lag) {
      lags.push(Math.max(0, lag));
      if (lags.length > LAGS_KEPT) lags.shift();
    },
    perSecond(now) {
      const present = secondOf(now);
      const whole = [...counts].filter(([second]) => second < present && second >= present - SPAN);
      return whole.reduce((sum, [, count]) => sum + count, 0) / SPAN;
    },
    lag() {
      return percentiles(lags);
    },
  };
}

/** Returns the median and the 99th percentile of the known values; null without any. */
export function percentiles(values: readonly (number | null)[]): { p50: number | null; p99: number | null } {
  const sorted = values.filter((value) => value !== null).toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  return { p50: at(0.5), p99: at(0.99) };
}
