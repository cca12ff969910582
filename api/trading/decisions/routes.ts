import type { RouterInstance } from '@koa/router';
import { decisionCalls } from '../../../common/decisions/http.ts';
import { DECISION_DAYS, type DecisionCounts, type PlanResults } from '../../../common/decisions/model.ts';
import { type Clock, DAY } from '../../../common/time.ts';
import { reasonCodes } from '../../../common/trading/reasons.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import { actorOf } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { PositionStore } from '../positions/store.ts';
import type { ExplainToken } from './explain.ts';
import { presentDecision, presentLast } from './present.ts';
import type { DecisionCountRecord } from './record.ts';
import type { DecisionStore } from './store.ts';

export interface DecisionRouteDeps {
  store: Pick<DecisionStore, 'list' | 'counts' | 'last'>;
  positions: Pick<PositionStore, 'resultsByPlan'>;
  accounts: Pick<TradingAccounts, 'read'>;
  explain: ExplainToken;
  adminActions: AdminActions;
  clock: Clock;
}

export function decisionRoutes(router: RouterInstance, deps: DecisionRouteDeps): void {
  const { store, explain, adminActions, clock } = deps;

  /** Returns the user whose answers are asked for, the caller by default. Those of another one need an administrator. */
  async function authorized(asked: string | undefined, ...[user, ctx]: Parameters<typeof actorOf>): Promise<string> {
    const userId = asked ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'decisions', 'trading-looked-up');
    return userId;
  }

  register(router, decisionCalls.list, async ({ query: { userId: asked, ...query } }, { user, ctx }) => {
    const userId = await authorized(asked, user, ctx);
    return (await store.list(userId, query)).map(presentDecision);
  });

  register(router, decisionCalls.counts, async ({ query }, { user, ctx }) => {
    const userId = await authorized(query.userId, user, ctx);
    const since = new Date(clock.now() - DECISION_DAYS * DAY);
    return summed(await store.counts(userId, query.plan, since));
  });

  register(router, decisionCalls.results, async ({ query }, { user, ctx }) => {
    const userId = await authorized(query.userId, user, ctx);
    return resultsOf(deps, userId);
  });

  register(router, decisionCalls.explain, async ({ params, query }, { user, ctx }) => {
    const userId = await authorized(query.userId, user, ctx);
    return explain(user, userId, params.address);
  });
}

/** Returns the sums of some hours. */
function summed(hours: readonly DecisionCountRecord[]): DecisionCounts {
  const sum = (of: (hour: DecisionCountRecord) => number | undefined) =>
    hours.reduce((total, hour) => total + (of(hour) ?? 0), 0);
  const reasons = reasonCodes.map((code) => ({ code, count: sum((hour) => hour.lost[code]) }));
  return {
    considered: sum(({ considered }) => considered),
    dropped: sum(({ dropped }) => dropped),
    reasons: reasons.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count),
  };
}

/** Returns the results of a user's plans (hexadecimal id) in the mode in force; plans without any are missing. */
async function resultsOf({ store, positions, accounts }: DecisionRouteDeps, userId: string): Promise<PlanResults[]> {
  const { activeMode } = await accounts.read(userId);
  const [sums, last] = await Promise.all([
    activeMode === null ? [] : positions.resultsByPlan(userId, activeMode),
    store.last(userId),
  ]);
  const none = { bought: 0, open: 0, realisedLamports: 0 };
  const lastOf = new Map(last.map((record) => [record._id.toHexString(), presentLast(record)]));
  const sumsOf = new Map(sums.map(({ planId, ...sum }) => [planId, sum]));
  return [...new Set([...sumsOf.keys(), ...lastOf.keys()])].map((planId) => ({
    planId,
    ...(sumsOf.get(planId) ?? none),
    last: lastOf.get(planId) ?? null,
  }));
}
