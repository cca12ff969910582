import type { Reason } from '../../../common/trading/reasons.ts';
import type { Buy, Change, Core, CorePlan, Decided, Effect } from '../core/model.ts';
import type { TapeEntry } from '../tape/format.ts';
import { createDesk, type Desk } from './desk/desk.ts';
import type { RefusalReasons } from './refusals.ts';
import type { ReplayTask } from './run-task.ts';
import { createVisible } from './visible.ts';

/** A run, so far. Times are epoch ms. */
export interface Replay {
  /** Takes the next entry of the tape. */
  take(entry: TapeEntry): void;
  /** Does what fell due after the last entry and before `end` (epoch ms), with the first changes after that. */
  finish(changes: readonly Change[], end: number): void;
  desk: Desk;
  /** First and last time; null before the first entry. */
  span(): { from: number; to: number } | null;
  gaps: { from: number; to: number }[];
  reasons: RefusalReasons;
  /** Returns how many answers the core has only counted. */
  dropped(): number;
  /** Everything that the core reported, in its order; only with `keepDecided`. */
  decided: Decided[];
}

/** `createCore`: called at the begin and after each gap. `keepDecided`: for comparisons, which need more memory. */
export function createReplay(task: ReplayTask, createCore: () => Core, keepDecided = false): Replay {
  const { plans } = task;
  const known = new Map<string, CorePlan>(plans.type === 'own' ? [[plans.plan.id, plans.plan]] : []);
  const planOf = (id: string) => known.get(id) ?? null;
  const desk = createDesk({ ...task, plans: plans.type === 'recorded' ? plans : { ...plans, type: 'own', planOf } });
  const { seen, begins } = createRunChanges(task, { desk, known });
  const gaps: Replay['gaps'] = [];
  const reasons: Replay['reasons'] = new Map();
  const decided: Decided[] = [];
  let core = createCore();
  let beginning: Change[] = [];
  let from: number | null = null;
  let to = 0;
  let dropped = 0;

  function carryOut(effects: readonly Effect[], now: number): void {
    for (const effect of effects) {
      if (effect.type === 'buy') desk.buy(effect.buy, now);
      else if (effect.type === 'decided') {
        note(reasons, effect.decided);
        if (keepDecided) decided.push(effect.decided);
      } else dropped += effect.leftOut.answers;
    }
  }

  function begin({ at, changes, positions }: Extract<TapeEntry, { type: 'begin' }>): void {
    from ??= at;
    // Of positions that the run has not opened it knows none but the user's.
    desk.restore(positions.filter(({ userId }) => userId === task.userId));
    core = createCore();
    const state = seen(changes);
    for (const change of state) desk.markets.apply(change);
    // Decided before, and made since.
    if (plans.type === 'recorded') for (const buy of pendingOf(state)) desk.buy(buy, at);
    // Taken in one step with the changes that follow, as the state was then.
    beginning = [...state, ...begins(from)];
  }

  function step(now: number, changes: readonly Change[]): void {
    const own = desk.tick(now, changes);
    const effects = core.step(now, [...beginning, ...changes, ...own]);
    beginning = [];
    carryOut(effects, now);
  }

  return {
    desk,
    gaps,
    reasons,
    decided,
    dropped: () => dropped,
    span: () => (from === null ? null : { from, to }),
    finish(changes, end) {
      const isBefore = (change: Change) => change.type === 'price' && change.price.at < end;
      desk.tick(end, seen(changes.filter(isBefore)));
      to = end;
    },
    take(entry) {
      if (entry.type === 'order') return;
      if (entry.type === 'gap') {
        gaps.push({ from: entry.from, to: entry.to });
        return;
      }
      if (entry.type === 'begin') {
        to = entry.at;
        begin(entry);
        return;
      }
      to = entry.now;
      step(entry.now, seen(entry.changes));
    },
  };
}

function note(reasons: RefusalReasons, { planId, address, reason }: Decided): void {
  const known = reasons.get(address) ?? new Map<string, Reason | null>();
  reasons.set(address, known);
  // The order is that of the last answers.
  known.delete(planId);
  known.set(planId, reason);
}

/** Returns the purchases that were decided when a state was recorded, and whose orders were not over. */
function pendingOf(state: readonly Change[]): Buy[] {
  return state.flatMap((change) =>
    change.type === 'kept' && change.kept.of === 'pending' ? change.kept.pending.buy : [],
  );
}

/** The changes that the core of a run takes. */
interface RunChanges {
  /** Returns those that the run may see, without recorded orders and money where it has its own. */
  seen(changes: readonly Change[]): Change[];
  /** Returns those that a new core takes besides the recorded state. `from`: begin of the run, epoch ms. */
  begins(from: number): Change[];
}

/** `known`: receives the plans that the run sees. */
function createRunChanges(
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
