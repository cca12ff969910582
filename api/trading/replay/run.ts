import type { Reason } from '../../../common/trading/reasons.ts';
import type { Change, Core, CoreAccount, CorePlan, Effect } from '../plans/core/model.ts';
import type { TapeEntry } from '../tape/format.ts';
import { createDesk } from './desk/desk.ts';

/** A plan that is run, with money and lists of its own. */
export interface ReplayTask {
  plan: CorePlan;
  account: CoreAccount;
  lists: readonly { address: string; listed: 'white' | 'black' }[];
  /** Returns the delay from sending an attempt to its fill, ms. */
  delayOf(signature: string): number;
}

/** Creates a run. `createCore`: called at the begin and after each gap. Times are epoch ms. */
export function createReplay(task: ReplayTask, createCore: () => Core) {
  const { plan, account, lists } = task;
  const desk = createDesk(task);
  const gaps: { from: number; to: number }[] = [];
  /** Last answers of the plan by token; null: bought. */
  const reasons = new Map<string, Reason | null>();
  let core = createCore();
  let beginning: Change[] = [];
  let from: number | null = null;
  let to = 0;

  function carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'buy') desk.buy(effect.buy);
      else if (effect.type === 'decided') reasons.set(effect.decided.address, effect.decided.reason);
    }
  }

  function begin({ at, changes }: Extract<TapeEntry, { type: 'begin' }>): void {
    from ??= at;
    core = createCore();
    const listed = (as: 'white' | 'black') => lists.filter((one) => one.listed === as).map(({ address }) => address);
    for (const change of changes) desk.markets.apply(change);
    const keys = desk.orders().flatMap(({ side, key }) => (side === 'buy' ? key : []));
    // Taken in one step with the changes that follow, as the state was then.
    beginning = [
      ...changes,
      { type: 'account', account: desk.account() },
      { type: 'lists', userId: account.userId, white: listed('white'), black: listed('black') },
      { type: 'plan', plan: { ...plan, activeSince: from } },
      { type: 'tried', keys },
    ];
  }

  return {
    desk,
    gaps,
    reasons,
    /** Returns the first and last time; null before the first entry. */
    span: () => (from === null ? null : { from, to }),
    /** Does what fell due after the last entry and before `end`, with the first changes after that. */
    finish(changes: readonly Change[], end: number): void {
      const isBefore = (change: Change) => change.type === 'price' && change.price.at < end;
      desk.tick(end, changes.filter(isBefore));
      to = end;
    },
    /** Takes the next entry of the tape. */
    take(entry: TapeEntry): void {
      switch (entry.type) {
        case 'gap':
          gaps.push({ from: entry.from, to: entry.to });
          return;
        case 'begin':
          to = entry.at;
          begin(entry);
          return;
        case 'tick': {
          to = entry.now;
          const own = desk.tick(entry.now, entry.changes);
          const effects = core.step(entry.now, [...beginning, ...entry.changes, ...own]);
          beginning = [];
          carryOut(effects);
        }
      }
    },
  };
}

export type Replay = ReturnType<typeof createReplay>;
