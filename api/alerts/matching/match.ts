import type { AlertSettings } from '../../../common/settings/model.ts';
import type { TokenAlertType } from '../../../common/templates/model.ts';
import type { Token } from '../../../common/tokens/model.ts';

/** A user who may receive alerts. Inactive users are included: activity may change and is checked for every alert. */
export interface Subscriber {
  /** Hexadecimal. */
  id: string;
  alerts: AlertSettings;
  /** When the alert settings last changed or the user was created, epoch ms: only tokens detected later count. */
  since: number;
  /** When price alerts were last switched on, epoch ms: baselines count from then. 0: they were never off. */
  priceSince: number;
}

/** Users to alert about a token. The alert writer decides in the database who of them receives the alert. */
export interface Match {
  type: TokenAlertType;
  address: string;
  /** The token at that moment; null: not in memory, to be loaded. */
  token: Token | null;
  userIds: string[];
  /** The token is on the watchlists of these users, so that no limit holds the alert back. */
  isWatched: boolean;
  /** Found among the stored tokens at a start, perhaps again. */
  isFromStart: boolean;
}

/** A match with its token. */
export type TokenMatch = Match & { token: Token };

/**
 * Returns the matches in the order in which they count towards the limit of an hour: watched tokens, then moved prices of
 * tokens that the user knows, then new tokens; among equals the lower risk, then the higher liquidity. Unknown figures come last.
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
