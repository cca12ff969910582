import { type BuyPlan, type Candidate, type Decision, momentsOf, wouldBuy } from './conditions.ts';
import type { TokenHistory } from './history.ts';

/**
 * When a strategy would have bought a token, looked at from `until` (both epoch ms). Without a purchase, `unknown` says
 * whether that was because a value that decides was not known: liquidity or risk when the conditions were met, or, to the
 * end, what the conditions look at.
 */
export type FirstBuy = { at: number } | { at: null; unknown: boolean };

/** Goes through a history as it happened, deciding at each point and at each moment that time itself may decide. */
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

/** What was not known when it would have been needed: a limit's value, or one of the conditions. */
type Missing = 'limit' | 'condition' | null;

/** A value that is heard of later and then speaks against the purchase was no reason. */
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
      return before;
  }
}

function momentsIn(plan: BuyPlan, { detectedAt, points }: TokenHistory, until: number): number[] {
  const moments = points.map(({ at }) => at);
  const extra = momentsOf(plan, detectedAt);
  // Points come in order; so sorting is only needed for what is added.
  if (extra.length > 0) moments.push(...extra);
  const inTime = moments.filter((at) => at >= detectedAt && at <= until);
  return extra.length > 0 ? inTime.sort((a, b) => a - b) : inTime;
}

/** No later moment can change it. */
function isFinal(decision: Decision): boolean {
  switch (decision) {
    case 'inactive':
    case 'no-wallet':
    case 'already-bought':
    case 'blacklisted':
    case 'never':
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
