import type { ExplainedToken, Explanation } from '../../../common/decisions/model.ts';
import { ruleAsPlan } from '../../../common/rules/conditions.ts';
import type { Rule } from '../../../common/rules/model.ts';
import { type Conditions, needsAll } from '../../../common/strategies/conditions.ts';
import type { Strategy } from '../../../common/strategies/model.ts';
import { progressOf } from '../../../common/strategies/progress.ts';
import type { Clock } from '../../../common/time.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { RequestUser } from '../../http/caller.ts';
import type { Rules } from '../../rules/service.ts';
import type { Strategies } from '../../strategies/service.ts';
import type { Core, Detection } from '../plans/core/model.ts';
import { presentDecision } from './present.ts';
import type { DecisionStore } from './store.ts';

/** The part of the core that explains its answers. */
export type Explainer = Pick<Core, 'explain' | 'history'>;

export interface ExplainDeps {
  store: Pick<DecisionStore, 'ofPairs'>;
  rules: Pick<Rules, 'list'>;
  strategies: Pick<Strategies, 'list'>;
  /** Returns the running core; null while another server decides, or none. */
  explainer(): Explainer | null;
  /** Returns when a stored token was detected; null when it is not stored. */
  detectionOf(address: string): Promise<Detection | null>;
  clock: Clock;
}

/** Explains, for each plan of a user (hexadecimal id), why it does not buy a token now. The caller is authorized already. */
export type ExplainToken = (caller: RequestUser, userId: string, address: string) => Promise<ExplainedToken>;

interface Plan extends Pick<Explanation, 'plan' | 'isActive'> {
  conditions: Conditions;
}

export function createExplaining(deps: ExplainDeps): ExplainToken {
  const { store, rules, strategies, explainer, detectionOf, clock } = deps;
  return async (caller, userId, address) => {
    const lists = await Promise.all([rules.list(caller, userId), strategies.list(caller, userId)]);
    const plans = [...lists[0].map(planOfRule), ...lists[1].map(planOfStrategy)].sort(
      (one, other) => Number(other.isActive) - Number(one.isActive),
    );
    const [stored, detection] = await Promise.all([
      store.ofPairs(plans.map(({ plan }) => ({ planId: plan.id, address }))),
      detectionOf(address),
    ]);
    const byPlan = new Map(stored.map((record) => [record.planId.toHexString(), presentDecision(record)]));
    const core = explainer();
    const now = clock.now();
    return {
      isDeciding: core !== null,
      plans: plans.map(({ plan, isActive, conditions }) => ({
        plan,
        isActive,
        reason: isActive ? (core?.explain(plan.id, address, now, detection) ?? null) : reason('inactive'),
        needsAll: needsAll(conditions),
        progress: progressIn(core, plan.id, conditions, address, now),
        last: byPlan.get(plan.id) ?? null,
      })),
      at: new Date(now).toISOString(),
    };
  };
}

function progressIn(core: Explainer | null, planId: string, conditions: Conditions, address: string, now: number) {
  const history = core?.history(planId, address, now);
  return history ? progressOf(conditions, history, now) : [];
}

function planOfRule(rule: Rule): Plan {
  const { id, name, isActive } = rule;
  return { plan: { id, kind: 'rule', name }, isActive, conditions: ruleAsPlan(rule, true) };
}

function planOfStrategy(strategy: Strategy): Plan {
  const { id, name, isActive } = strategy;
  return { plan: { id, kind: 'strategy', name }, isActive, conditions: strategy };
}
