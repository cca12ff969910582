import { type BuyPlan, type Candidate, type Decision, momentsOf, wouldBuy } from './conditions.ts';
import type { TokenHistory } from './history.ts';

/**
 * When a strategy would have bought a token, looked at from `until` (both epoch ms). Without a purchase, `unknown` says
 * whether that was because its liquidity or risk was not known when the conditions were met.
 */
export type FirstBuy = { at: number } | { at: null; unknown: boolean };

/** Goes through a history as it happened, deciding at each point and at each moment that time itself may decide. */
export function firstBuy(plan: BuyPlan, token: Candidate, history: TokenHistory, until: number): FirstBuy {
  let unknown = false;
  for (const at of momentsIn(plan, history, until)) {
    const decision = wouldBuy(plan, token, history, at);
    if (decision === 'buy') return { at };
    if (isFinal(decision)) break;
    unknown ||= decision === 'unknown-liquidity' || decision === 'unknown-risk';
  }
  return { at: null, unknown };
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
