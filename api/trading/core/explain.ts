import { conditionsMet } from '../../../common/strategies/conditions.ts';
import type { TokenHistory } from '../../../common/strategies/history.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { needsOf } from './judge/ask.ts';
import { lateRefusal, userRefusal } from './judge/guards.ts';
import { historyOf } from './judge/plan-history.ts';
import { buyKey, type Detection } from './model.ts';
import { type CoreState, userIn } from './state/core-state.ts';
import { codeOf, isDone, PAIR, stateOf } from './state/pairs.ts';
import { considers } from './state/plans.ts';

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
export function explain(state: CoreState, { planId, address, detection }: Asked, now: number): Reason | null {
  const active = state.plans.get(planId);
  if (!active) return reason('inactive');
  const { plan, slot } = active;
  const user = userIn(state, plan.userId);
  const refusal = userRefusal(user.account, state.isStoppedForAll);
  const token = state.tokens.get(address);
  const pair = token ? stateOf(token, slot) : PAIR.fresh;
  if (pair === PAIR.ordered || pair === PAIR.bought) return null;
  if (refusal) return refusal;
  if (user.lists.get(address) === 'black') return reason('blacklisted');
  const key = buyKey(planId, address);
  if (isDone(pair) || state.tried.has(key)) return reason('already-tried');
  const detected = token ? { detectedAt: token.detectedAt, isNew: true } : detection;
  if (detected && !(detected.isNew && considers(active, detected))) return reason('not-new');
  if (!token) return reason('not-followed', detected ? { detectedAt: detected.detectedAt } : {});
  const late = lateRefusal(plan, token.detectedAt, now);
  if (late) return late;
  const met = conditionsMet(plan.conditions, historyOf(token, plan, now), now);
  if (met !== 'met') return reason(met === 'unknown' ? 'unknown-value' : met);
  const needs = needsOf(state, active, token, now);
  return needs.ok ? lastRefusal(state, key, pair) : needs.reason;
}

/** Returns why a pair was refused that nothing refuses any more: it is asked for again soon. */
function lastRefusal({ refusals }: CoreState, key: string, pair: number): Reason {
  const code = codeOf(pair) ?? 'waiting';
  const refused = refusals.get(key)?.reason;
  return refused?.code === code ? refused : reason(code);
}

/** Returns the figures of a token as a plan sees them; null for an unknown one. */
export function historyFor(state: CoreState, planId: string, address: string, now: number): TokenHistory | null {
  const [active, token] = [state.plans.get(planId), state.tokens.get(address)];
  return active && token ? historyOf(token, active.plan, now) : null;
}
