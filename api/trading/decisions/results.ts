import type { PlanResults } from '../../../common/decisions/model.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { PositionStore } from '../positions/store.ts';
import { presentLast } from './present.ts';
import type { DecisionStore } from './store.ts';

/** Returns the results of a user's plans (hexadecimal id) in the mode in force; plans without any are missing. */
export type PlanResultsOf = (userId: string) => Promise<PlanResults[]>;

export function createPlanResults(deps: {
  store: Pick<DecisionStore, 'last'>;
  positions: Pick<PositionStore, 'resultsByPlan'>;
  accounts: Pick<TradingAccounts, 'read'>;
}): PlanResultsOf {
  return async (userId) => {
    const { activeMode } = await deps.accounts.read(userId);
    const [sums, last] = await Promise.all([
      activeMode === null ? [] : deps.positions.resultsByPlan(userId, activeMode),
      deps.store.last(userId),
    ]);
    const none = { bought: 0, open: 0, realisedLamports: 0 };
    const lastOf = new Map(last.map((record) => [record._id.toHexString(), presentLast(record)]));
    const sumsOf = new Map(sums.map(({ planId, ...sum }) => [planId, sum]));
    return [...new Set([...sumsOf.keys(), ...lastOf.keys()])].map((planId) => ({
      planId,
      ...(sumsOf.get(planId) ?? none),
      last: lastOf.get(planId) ?? null,
    }));
  };
}
