import { conditionsMet } from '../../../../common/strategies/conditions.ts';
import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { apply } from './changes.ts';
import { historyOf } from './conditions.ts';
import { lateRefusal, needsOf, userRefusal } from './guards.ts';
import { judgeWaiting, releaseUsers } from './judge.ts';
import { buyKey, type Core, type Detection, type Effect } from './model.ts';
import { report } from './report.ts';
import { askChanged } from './rounds.ts';
import { keepAll } from './snapshot.ts';
import {
  type ActivePlan,
  type CoreState,
  considers,
  createState,
  kindOf,
  reasonIn,
  type TrackedToken,
} from './state.ts';
import { sweep } from './sweep.ts';

/**
 * Creates a core without plans and tokens. A step takes changes: each new figure of a token is judged by all plans, which ask their
 * guards in order once their conditions are met. At the end of the step follow what time completes, tokens that are to be judged
 * without new figures, plans that have changed, and what the accounts of users allow now.
 */
export function createCore(): Core {
  const state = createState();
  return {
    step(now, changes) {
      const effects: Effect[] = [];
      Object.assign(state, { now, effects, work: 0 });
      for (const change of changes) apply(state, change);
      // The judgement of changed tokens was no work that could wait.
      state.work = 0;
      // First, since only time makes a purchase late.
      sweep(state);
      judgeWaiting(state);
      askChanged(state);
      releaseUsers(state);
      report(state);
      return effects;
    },
    explain: (planId, address, now, detection = null) => explain(state, { planId, address, detection }, now),
    history(planId, address, now) {
      const [active, token] = [state.plans.get(planId), state.byAddress.get(address)];
      return active && token ? historyOf(token.figures, active.plan.conditions, now) : null;
    },
    pending: () => [...state.users.values()].flatMap(({ pending }) => [...pending.values()].map(({ buy }) => buy)),
    snapshot: () => keepAll(state),
    size: {
      get tokens() {
        return state.tokens.length;
      },
      get plans() {
        return state.plans.size;
      },
      get candidates() {
        return state.refused;
      },
    },
  };
}

/** A plan and a token to explain. `detection`: as stored, for a token that is not in memory; null is unknown. */
interface Asked {
  planId: string;
  address: string;
  detection: Detection | null;
}

/**
 * Returns why a plan does not buy a token at `now` (epoch ms), by the first guard in order; null when it has bought it, or is about
 * to. The order that a plan has made is named before `not-new`: its tokens no longer count as new once it was switched on again.
 */
function explain(state: CoreState, { planId, address, detection }: Asked, now: number): Reason | null {
  const active = state.plans.get(planId);
  if (!active) return reason('inactive');
  const { plan, user } = active;
  const token = state.byAddress.get(address);
  const pair = token?.pairs.get(planId);
  if (pair === 'ordered' || pair === 'bought') return null;
  const refusal = userRefusal(user.account, state.isStoppedForAll);
  if (refusal) return refusal;
  if (user.lists.get(address) === 'black') return reason('blacklisted');
  const key = buyKey(planId, address);
  if (kindOf(pair) === 'done' || state.tried.has(key)) return reason('already-tried');
  const detected = token ? { detectedAt: token.detectedAt, isNew: true } : detection;
  if (detected && !(detected.isNew && considers(active, detected))) return reason('not-new');
  if (!token) return reason('not-followed', detected ? { detectedAt: detected.detectedAt } : {});
  const late = lateRefusal(plan, token.detectedAt, now);
  if (late) return late;
  return conditionsReason(state, active, token, now);
}

/** Returns the reason of a pair that no earlier guard refuses: its conditions, the later guards, or its last refusal. */
function conditionsReason(state: CoreState, active: ActivePlan, token: TrackedToken, now: number): Reason {
  const { plan } = active;
  const met = conditionsMet(plan.conditions, historyOf(token.figures, plan.conditions, now), now);
  if (met !== 'met') return reason(met === 'unknown' ? 'unknown-value' : met);
  const needs = needsOf(state, active, token, now);
  if (!needs.ok) return needs.reason;
  // Nothing refuses it any more: it is asked for again soon.
  const code = reasonIn(token.pairs.get(plan.id)) ?? 'waiting';
  const refused = state.refusals.get(buyKey(plan.id, token.address))?.reason;
  return refused?.code === code ? refused : reason(code);
}
