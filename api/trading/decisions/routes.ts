import type { RouterInstance } from '@koa/router';
import { decisionCalls } from '../../../common/decisions/http.ts';
import { DECISION_DAYS, type DecisionCounts } from '../../../common/decisions/model.ts';
import { type Clock, DAY } from '../../../common/time.ts';
import { reasonCodes } from '../../../common/trading/reasons.ts';
import type { AdminActions } from '../../audit/admin-actions.ts';
import { actorOf } from '../../http/caller.ts';
import { register } from '../../http/route.ts';
import type { ExplainToken } from './explain.ts';
import { presentDecision } from './present.ts';
import type { DecisionCountRecord } from './record.ts';
import type { PlanResultsOf } from './results.ts';
import type { DecisionStore } from './store.ts';

export function decisionRoutes(
  router: RouterInstance,
  deps: {
    store: Pick<DecisionStore, 'list' | 'counts'>;
    results: PlanResultsOf;
    explain: ExplainToken;
    adminActions: AdminActions;
    clock: Clock;
  },
): void {
  const { store, results, explain, adminActions, clock } = deps;

  register(router, decisionCalls.list, async ({ query: { userId: asked, ...query } }, { user, ctx }) => {
    const userId = asked ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'decisions', 'trading-looked-up');
    return (await store.list(userId, query)).map(presentDecision);
  });

  register(router, decisionCalls.counts, async ({ query }, { user, ctx }) => {
    const userId = query.userId ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'decisions', 'trading-looked-up');
    const since = new Date(clock.now() - DECISION_DAYS * DAY);
    return summed(await store.counts(userId, query.plan, since));
  });

  register(router, decisionCalls.results, async ({ query }, { user, ctx }) => {
    const userId = query.userId ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'decisions', 'trading-looked-up');
    return results(userId);
  });

  register(router, decisionCalls.explain, async ({ params, query }, { user, ctx }) => {
    const userId = query.userId ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'decisions', 'trading-looked-up');
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
