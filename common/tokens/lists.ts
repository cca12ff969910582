import { z } from 'zod';
import { HOUR } from '../time.ts';
import type { Token } from './model.ts';

/** A token is new for one hour after its creation. */
export const NEW_FOR = HOUR;

/**
 * Runner: at most one hour old, growth score above 30, and evidence that the growth is real: at least a minute old, at least ten
 * buyers of 0.05 SOL or more other than developer and insiders, neither drained nor rugged.
 */
export const RUNNER_MAX_AGE = HOUR;
export const RUNNER_GROWTH_ABOVE = 30;
export const RUNNER_MIN_AGE = 60_000;
export const RUNNER_MIN_BUYERS = 10;

/** Fields that decide whether a token is a runner; `createdAt` in epoch ms. */
export interface RunnerFields {
  createdAt: number | null;
  growthScore: number | null;
  /** Counted up to ten; null when unknown. */
  outsideBuyers: number | null;
  drained: boolean;
  rugged: boolean;
}

/** Might run: market cap 400,000 to 1,000,000 US dollars, volume at least 2.5 times that, one to two hours old. */
export const MIGHT_RUN_MIN_CAP = 400_000;
export const MIGHT_RUN_MAX_CAP = 1_000_000;
export const MIGHT_RUN_VOLUME_FACTOR = 2.5;
export const MIGHT_RUN_MIN_AGE = HOUR;
export const MIGHT_RUN_MAX_AGE = 2 * HOUR;

/** The filters 'Risky' and 'Safe', on the risk scale 0–100. */
export const RISKY_ABOVE = 50;
export const SAFE_BELOW = 30;

/** Returns whether a token was created within the last hour. Times in epoch ms; an unknown creation is not new. */
export function isNew(createdAt: number | null, now: number): boolean {
  return createdAt !== null && now - createdAt <= NEW_FOR;
}

/** Returns whether a token belongs to the runners. Unknown values do not qualify. */
export function isRunner(token: RunnerFields, now: number): boolean {
  const { createdAt, growthScore, outsideBuyers, drained, rugged } = token;
  if (createdAt === null || growthScore === null || outsideBuyers === null) return false;
  const age = now - createdAt;
  return (
    age >= RUNNER_MIN_AGE &&
    age <= RUNNER_MAX_AGE &&
    growthScore > RUNNER_GROWTH_ABOVE &&
    outsideBuyers >= RUNNER_MIN_BUYERS &&
    !drained &&
    !rugged
  );
}

/** Returns whether a token belongs to Might Run. Market cap and volume in US dollars, bounds included. Unknown values do not qualify. */
export function isMightRun(
  token: { createdAt: number | null; marketCapUsd: number | null; volumeUsd: number | null },
  now: number,
): boolean {
  const { createdAt, marketCapUsd, volumeUsd } = token;
  if (createdAt === null || marketCapUsd === null || volumeUsd === null) return false;
  const age = now - createdAt;
  return (
    marketCapUsd >= MIGHT_RUN_MIN_CAP &&
    marketCapUsd <= MIGHT_RUN_MAX_CAP &&
    volumeUsd >= MIGHT_RUN_VOLUME_FACTOR * marketCapUsd &&
    age >= MIGHT_RUN_MIN_AGE &&
    age <= MIGHT_RUN_MAX_AGE
  );
}

/** Returns whether a risk on the scale 0–100 is above 50; an unknown risk is neither risky nor safe. */
export function isRisky(scamProbability: number | null): boolean {
  return scamProbability !== null && scamProbability > RISKY_ABOVE;
}

/** Returns whether a risk on the scale 0–100 is below 30; an unknown risk is neither risky nor safe. */
export function isSafe(scamProbability: number | null): boolean {
  return scamProbability !== null && scamProbability < SAFE_BELOW;
}

/** Filters of the token list; without one it contains all tokens. */
export const listFilterSchema = z.enum(['new', 'runners', 'might-run', 'risky', 'safe']);
export type ListFilter = z.infer<typeof listFilterSchema>;

/** Returns whether a token passes a filter now (epoch ms). Unknown values do not pass. */
export function passesFilter(
  filter: ListFilter,
  token: Pick<Token, 'createdAt' | 'runner' | 'mightRun' | 'scamProbability'>,
  now: number,
): boolean {
  switch (filter) {
    case 'new':
      return isNew(token.createdAt === null ? null : Date.parse(token.createdAt), now);
    case 'runners':
      return token.runner;
    case 'might-run':
      return token.mightRun;
    case 'risky':
      return isRisky(token.scamProbability);
    case 'safe':
      return isSafe(token.scamProbability);
  }
}
