import { type BuyPlan, type Candidate, type Decision, momentsOf, wouldBuy } from './conditions.ts';
import type { TokenHistory } from './history.ts';

/**
 * Time of the first purchase, epoch ms. Without a purchase, `unknown` is true when an unknown value prevented it: liquidity or
 * risk when the conditions were met, or a value of the conditions at the end.
 */
export type FirstBuy = { at: number } | { at: null; unknown: boolean };

/** Returns the first purchase in a history up to `until` (epoch ms), evaluated at each point and at each moment of a time condition. */
export function firstBuy(plan: BuyPlan, token: Candidate, history: TokenHistory, until: number): FirstBuy {
  let missing: Missing = null;
  for (const at of momentsIn(plan, history, until)) {
    const decision = wouldBuy(plan, token, history, at);
    if (decision === 'buy') return { at };
    missing = missingAfter(missing, decision);
    if (isFinal(decision)) break;
  }
  return { at: null, unknown: missing !== null };
}

/** The kind of value that was unknown when it was needed. */
type Missing = 'limit' | 'condition' | null;

/** A value that becomes known later and then prevents the purchase was not missing. */
function missingAfter(before: Missing, decision: Decision): Missing {
  switch (decision) {
    case 'unknown-liquidity':
    case 'unknown-risk':
      return 'limit';
    case 'unknown-value':
      return before ?? 'condition';
    case 'waiting':
      return before === 'limit' ? before : null;
    case 'low-liquidity':
    case 'high-risk':
      return null;
    case 'buy':
    case 'inactive':
    case 'no-wallet':
    case 'already-bought':
    case 'blacklisted':
    case 'never':
    case 'too-late':
      return before;
  }
}

function momentsIn(plan: BuyPlan, { detectedAt, points }: TokenHistory, until: number): number[] {
  const moments = points.map(({ at }) => at);
  const extra = momentsOf(plan, detectedAt);
  // Points are sorted already; only additional moments make sorting necessary.
  if (extra.length > 0) moments.push(...extra);
  const inTime = moments.filter((at) => at >= detectedAt && at <= until);
  return extra.length > 0 ? inTime.sort((a, b) => a - b) : inTime;
}

/** Returns true when no later moment can change the decision. */
function isFinal(decision: Decision): boolean {
  switch (decision) {
    case 'inactive':
    case 'no-wallet':
    case 'already-bought':
    case 'blacklisted':
    case 'never':
    case 'too-late':
    case 'high-risk':
      return true;
    case 'buy':
    case 'waiting':
    case 'unknown-value':
    case 'low-liquidity':
    case 'unknown-liquidity':
    case 'unknown-risk':
      return false;
  }
}
