import type { Token } from '../../../common/tokens/model.ts';
import { tokenRecord } from '../../testing/tokens.ts';
import { presentToken } from '../../tokens/present.ts';

/** Returns a token detected at `at` (epoch ms): risk 10, liquidity 2 SOL, unless `fields` differ. */
export function detectedToken(number: number, at: number, fields: Partial<Token> = {}): Token {
  const token = presentToken(tokenRecord(number, { createdAt: at, riskScore: 10 }));
  return { ...token, ...fields };
}

/** Returns numbers in [0, 1), the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a whole number from `low` to `high`. */
export const between = (random: () => number, low: number, high: number): number =>
  Math.floor(low + random() * (high - low + 1));
