import type { Change, CorePlan } from '../core/model.ts';
import type { Desk } from './desk/desk.ts';
import type { ReplayTask } from './run-task.ts';
import { createVisible } from './visible.ts';

/** The changes that the core of a run takes. */
export interface RunChanges {
  /** Returns those that the run may see, without recorded orders and money where it has its own. */
  seen(changes: readonly Change[]): Change[];
  /** Returns those that a new core takes besides the recorded state. `from`: begin of the run, epoch ms. */
  begins(from: number): Change[];
}

/** `known`: receives the plans that the run sees. */
export function createRunChanges(
  { userId, plans }: ReplayTask,
  { desk, known }: { desk: Desk; known: Map<string, CorePlan> },
): RunChanges {
  const visible = createVisible(plans.type === 'own' ? null : { userId, planIds: plans.ids });

  return {
    seen(changes) {
      const all = visible.of(changes);
      if (plans.type !== 'filled') return all;
      for (const change of all) if (change.type === 'plan') known.set(change.plan.id, change.plan);
      return all.flatMap((change) => withOwnMoney(change, desk) ?? []);
    },
    begins(from) {
      if (plans.type === 'recorded') return [];
      const keys = desk.orders().flatMap(({ side, key }) => (side === 'buy' ? key : []));
      const tried: Change = { type: 'tried', keys };
      if (plans.type === 'filled') return [tried];
      const { plan, account, lists } = plans;
      return [
        { type: 'account', account: desk.account() ?? account },
        ...lists.map((entry): Change => ({ type: 'list', userId, ...entry })),
        { type: 'plan', plan: { ...plan, activeSince: from } },
        tried,
      ];
    },
  };
}

/** Returns a recorded change for a run with its own orders and money; null for one that concerns the recorded ones alone. */
function withOwnMoney(change: Change, desk: Desk): Change | null {
  if (change.type === 'order') return null;
  if (change.type === 'account') return { type: 'account', account: desk.account(change.account) ?? change.account };
  const isOrder = change.type === 'kept' && ['pending', 'refusal', 'blocked'].includes(change.kept.of);
  return isOrder ? null : change;
}
