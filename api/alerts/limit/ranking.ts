import type { Token } from '../../../common/tokens/model.ts';
import type { Match } from '../matching/match.ts';

/** A match with its token. */
export type TokenMatch = Match & { token: Token };

/**
 * Returns the matches in the order in which they take the places of an hour: watched tokens, then moved prices of tokens
 * that the user knows, then new tokens; among equals the lower risk, then the higher liquidity. Unknown figures come last.
 */
export function bestFirst(matches: readonly TokenMatch[]): TokenMatch[] {
  return matches.toSorted(
    (one, other) =>
      kindOf(one) - kindOf(other) ||
      compare(riskOf(one), riskOf(other)) ||
      compare(lackOfLiquidity(one), lackOfLiquidity(other)),
  );
}

function kindOf({ isWatched, type }: TokenMatch): number {
  if (isWatched) return 0;
  return type === 'price_alert' ? 1 : 2;
}

function riskOf({ token }: TokenMatch): number {
  return token.scamProbability ?? Number.POSITIVE_INFINITY;
}

function lackOfLiquidity({ token }: TokenMatch): number {
  return token.currentLiquidity === null ? Number.POSITIVE_INFINITY : -token.currentLiquidity;
}

/** A difference of two infinities is no number. */
function compare(one: number, other: number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
