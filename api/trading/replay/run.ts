import type { Exits } from '../../../common/trading/account.ts';
import type { Reason } from '../../../common/trading/reasons.ts';
import type { Change, Core, CoreAccount, CorePlan, Decided, Effect } from '../core/model.ts';
import type { TapeEntry, TapeOrder } from '../tape/format.ts';
import { createDesk, type Desk, type DeskOpening } from './desk/desk.ts';
import { createVisible } from './visible.ts';

/** One plan of a user, with money and lists of its own. */
export interface OwnPlan {
  type: 'own';
  plan: CorePlan;
  account: CoreAccount;
  lists: { address: string; listed: 'white' | 'black' }[];
}

/** A run that is asked for. */
export interface ReplayTask {
  userId: string;
  wallet: string;
  /** One plan with money and lists of its own, or the user's plans as recorded with their orders. */
  plans:
    | (OwnPlan & { delayOf(signature: string): number })
    /** `ids`: all plans of the user, also inactive ones. */
    | { type: 'recorded'; orders: readonly TapeOrder[]; ids: readonly string[] };
  defaultExits: Exits;
  opening: DeskOpening;
}

/** A run, so far. Times are epoch ms. */
export interface Replay {
  /** Takes the next entry of the tape. */
  take(entry: TapeEntry): void;
  desk: Desk;
  /** First and last time; null before the first entry. */
  span(): { from: number; to: number } | null;
  gaps: { from: number; to: number }[];
  /** Last reason of each token against buying it by the plans; null: bought. */
  reasons: Map<string, Reason | null>;
  /** Everything that the core reported, in its order; only with `keepDecided`. */
  decided: Decided[];
}

/** `createCore`: called at the begin and after each gap. `keepDecided`: for comparisons, which need more memory. */
export function createReplay(task: ReplayTask, createCore: () => Core, keepDecided = false): Replay {
  const { plans } = task;
  const visible = createVisible(plans.type === 'recorded' ? { userId: task.userId, planIds: plans.ids } : null);
  const desk = createDesk(task);
  const gaps: Replay['gaps'] = [];
  const reasons: Replay['reasons'] = new Map();
  const decided: Decided[] = [];
  let core = createCore();
  let beginning: Change[] = [];
  let from: number | null = null;
  let to = 0;

  function carryOut(effects: readonly Effect[], now: number): void {
    for (const effect of effects) {
      if (effect.type === 'buy') desk.buy(effect.buy, now);
      else {
        reasons.set(`${effect.decided.planId} ${effect.decided.address}`, effect.decided.reason);
        if (keepDecided) decided.push(effect.decided);
      }
    }
  }

  /** Returns what a new core of a run with its own plan is to know. */
  function ownBegin(at: number): Change[] {
    if (plans.type === 'recorded') return [];
    const { plan, account, lists } = plans;
    const tried = desk.orders().flatMap(({ side, key }) => (side === 'buy' ? key : []));
    return [
      { type: 'account', account: desk.account() ?? account },
      ...lists.map((entry): Change => ({ type: 'list', userId: task.userId, ...entry })),
      { type: 'plan', plan: { ...plan, activeSince: from ?? at } },
      { type: 'tried', keys: tried },
    ];
  }

  function begin(at: number, changes: readonly Change[]): void {
    from ??= at;
    core = createCore();
    const state = visible.of(changes);
    for (const change of state) desk.markets.apply(change);
    // Taken in one step with the changes that follow, as the state was then.
    beginning = [...state, ...ownBegin(at)];
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
    span: () => (from === null ? null : { from, to }),
    take(entry) {
      if (entry.type === 'order') return;
      if (entry.type === 'gap') {
        gaps.push({ from: entry.from, to: entry.to });
        return;
      }
      if (entry.type === 'begin') {
        to = entry.at;
        begin(entry.at, entry.changes);
        return;
      }
      to = entry.now;
      step(entry.now, visible.of(entry.changes));
    },
  };
}
