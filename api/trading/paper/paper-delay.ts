import { createHash } from 'node:crypto';
import { type Clock, MINUTE } from '../../../common/time.ts';
import { cachedValue } from '../../platform/cached-value.ts';

/** From the decision to a block while nothing was measured, ms: reading the market, sending, and a slot. */
export const PAPER_DELAY_MS = 900;
/** Real orders from which their own times count. */
const MEASURED_MIN = 50;
const FRESH_MS = MINUTE;

/** Delay after which a paper order is filled. */
export interface PaperDelay {
  /** Returns the delay of an attempt, ms: the same one however often it is asked for. */
  of(signature: string): Promise<number>;
}

/** `samples`: times of the last real orders from decision to verdict, ms. */
export function createPaperDelay(deps: { samples(): Promise<readonly number[]>; clock: Clock }): PaperDelay {
  const { samples, clock } = deps;
  const delays = cachedValue(async () => delaysOf(await samples()), { maxAge: FRESH_MS, clock });

  return {
    async of(signature) {
      return delayOf(signature, await delays.read());
    },
  };
}

/** Returns the delay of an attempt, ms: the same one for the same signature and delays. */
export function delayOf(signature: string, { p50, p90 }: Delays): number {
  return Math.round(p50 + (p90 - p50) * shareOf(signature));
}

/** Median and 90th percentile of the delays of real orders, ms. */
export interface Delays {
  p50: number;
  p90: number;
}

/** Returns median and 90th percentile of at least 50 samples; the default for fewer. */
export function delaysOf(samples: readonly number[]): Delays {
  if (samples.length < MEASURED_MIN) return { p50: PAPER_DELAY_MS, p90: PAPER_DELAY_MS };
  const sorted = samples.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? PAPER_DELAY_MS;
  return { p50: at(0.5), p90: at(0.9) };
}

/** Returns a number from 0 to 1 that depends on the text alone. */
function shareOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0) / 2 ** 32;
}
