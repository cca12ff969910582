import { HOUR, MINUTE, SECOND } from '../time.ts';
import type { Token } from '../tokens/model.ts';
import type { CalibrationMarket, ScoreRange } from './model.ts';

/** Ages for recording every coin, ms. */
export const CALIBRATION_AGES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR] as const;
/** Time from a snapshot to the decision on its outcome, ms. */
export const SETTLED_AFTER = HOUR;
/** Cases from which on a rate is shown for a single token. */
export const MIN_CASES = 200;

/** SOL of liquidity from which on a snapshot counts: with less there is nothing to lose. */
export const MIN_CASE_LIQUIDITY = 0.5;
/** Share of the liquidity that is left when 80 % are lost. On a curve the price falls less (market-data, thresholds). */
const LOST_LEFT = 0.2;
const DOUBLED = 2;
/** Width of a bin of scores; the bounds of the bins include those of the bands, 30 and 70. */
const BIN_WIDTH = 10;

/** Returns the market of a token; null for a token of a test network. */
export function marketOf({
  metadata,
}: {
  metadata: Pick<Token['metadata'], 'detectedBy' | 'cluster'>;
}): CalibrationMarket | null {
  if (metadata.detectedBy === 'simulator') return 'simulated';
  if (metadata.detectedBy === 'replay') return 'replay';
  return metadata.cluster === 'mainnet' ? 'live' : null;
}

/** Age up to which a coin is compared, ms: twice the last recorded age. An older coin has outlived most of those recorded. */
const OLDEST_COMPARED = 2 * HOUR;

/** Returns the last recorded age at or below an age in ms; null before the first and beyond two hours. */
export function calibrationAge(age: number): number | null {
  if (age > OLDEST_COMPARED) return null;
  return CALIBRATION_AGES.findLast((recorded) => recorded <= age) ?? null;
}

/** Bins of the scale: 0–10, 11–20, … 91–100. */
export const scoreBins: readonly NonNullable<ScoreRange>[] = Array.from({ length: 100 / BIN_WIDTH }, (_, number) => ({
  from: number === 0 ? 0 : number * BIN_WIDTH + 1,
  to: (number + 1) * BIN_WIDTH,
}));

/** Returns the bin of a score 0–100, fractions rounded up as the bands do; null for an unknown one. */
export function scoreBin(score: number | null): ScoreRange {
  if (score === null) return null;
  return scoreBins.find(({ to }) => Math.ceil(score) <= to) ?? null;
}

/** Returns whether the least liquidity of the hour is at most a fifth of the snapshot's. Both in the same unit. */
export function hasLost(liquidity: number, lowestLiquidity: number): boolean {
  return lowestLiquidity <= liquidity * LOST_LEFT;
}

/** Returns whether the highest price of the hour is at least twice the snapshot's; false without a price. */
export function hasDoubled(price: number | null, highestPrice: number | null): boolean {
  return price !== null && highestPrice !== null && highestPrice >= DOUBLED * price;
}
