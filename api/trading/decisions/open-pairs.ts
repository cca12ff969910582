import type { DecisionOutcome } from '../../../common/decisions/model.ts';
import type { Reason } from '../../../common/trading/reasons.ts';

/** Pairs in memory: of one plan, and in all. */
const OPEN_OF_PLAN_MAX = 2_000;
const OPEN_MAX = 50_000;

/** Last answer to a pair. Times are epoch ms. */
export interface KnownAnswer {
  /** `counted`: it was counted, and not stored. */
  outcome: DecisionOutcome | 'counted';
  /** Under which the token is counted; null: none. */
  reason: Reason | null;
  firstAt: number;
  at: number;
}

/** Pairs of a plan and a token whose answer may still change, with the last one. Beyond the limits the oldest ones are forgotten. */
export interface OpenPairs {
  get(planId: string, address: string): KnownAnswer | undefined;
  set(planId: string, address: string, answer: KnownAnswer): void;
  remove(planId: string, address: string): void;
}

export function createOpenPairs(): OpenPairs {
  const byPlan = new Map<string, Map<string, KnownAnswer>>();
  let size = 0;

  function remove(planId: string, address: string): void {
    const ofPlan = byPlan.get(planId);
    if (!ofPlan?.delete(address)) return;
    size -= 1;
    if (ofPlan.size === 0) byPlan.delete(planId);
  }

  function removeOldest(planId: string): void {
    const oldest = byPlan.get(planId)?.keys().next();
    if (oldest && !oldest.done) remove(planId, oldest.value);
  }

  return {
    get: (planId, address) => byPlan.get(planId)?.get(address),
    set(planId, address, answer) {
      const ofPlan = byPlan.get(planId) ?? new Map<string, KnownAnswer>();
      if (!ofPlan.has(address)) size += 1;
      // Also one that is known becomes the newest.
      ofPlan.delete(address);
      ofPlan.set(address, answer);
      byPlan.set(planId, ofPlan);
      if (ofPlan.size > OPEN_OF_PLAN_MAX) removeOldest(planId);
      if (size > OPEN_MAX) removeOldest(byPlan.keys().next().value ?? planId);
    },
    remove,
  };
}
