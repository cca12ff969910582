import { apply, takePlans } from './changes.ts';
import { explain, historyFor } from './explain.ts';
import { report } from './judge/answers.ts';
import { judge, settle } from './judge/candidates.ts';
import type { Core, Effect } from './model.ts';
import { askBegun } from './moments/begun.ts';
import { createMoments, type Moments } from './moments/moments.ts';
import { keepAll } from './snapshot.ts';
import { type CoreState, createState } from './state/core-state.ts';

/** Pairs asked in a step from which on tokens without new figures wait for the next one. */
const ASKED_MAX = 5_000;

/** Creates a core without plans and tokens. */
export function createCore(): Core {
  const state = createState();
  const moments = createMoments(state);
  const { tokens, plans } = state;
  return {
    step(now, changes) {
      const effects: Effect[] = [];
      state.effects = effects;
      Object.assign(state, { now, asked: 0, askedBegun: 0 });
      if (state.clock === 0) state.clock = now;
      for (const change of changes) apply(state, moments, change);
      finish(state, moments);
      return effects;
    },
    explain: (planId, address, now, detection = null) => explain(state, { planId, address, detection }, now),
    history: (planId, address, now) => historyFor(state, planId, address, now),
    pending: () => [...state.users.values()].flatMap(({ pending }) => [...pending.values()].map(({ buy }) => buy)),
    snapshot: () => keepAll(state),
    size: {
      get tokens() {
        return tokens.list.length;
      },
      get plans() {
        return plans.size;
      },
      get candidates() {
        return tokens.list.reduce((sum, { pairs }) => sum + pairs.byToken + pairs.byUser, 0);
      },
    },
  };
}

/** Does what follows from all changes of a step together, and from time. */
function finish(state: CoreState, moments: Moments): void {
  const { now, toSchedule } = state;
  takePlans(state, moments);
  if (state.hasToAdmit) admit(state);
  moments.runUntil(now);
  askBegun(state);
  settle(state);
  report(state);
  for (const user of toSchedule) moments.schedule(user);
  toSchedule.clear();
  for (const leftOut of state.leftOut.values()) state.effects.push({ type: 'left-out', leftOut });
  state.leftOut.clear();
}

/** Asks the plans of tokens without new figures, the newest first: after a start there are too many for one step. */
function admit(state: CoreState): void {
  const { list } = state.tokens;
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const token = list[index];
    if (!token || token.isAdmitted) continue;
    if (state.asked >= ASKED_MAX) return;
    judge(state, token, Math.max(state.now, state.clock));
  }
  state.hasToAdmit = false;
}
