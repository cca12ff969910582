import { askIfMet } from '../judge/candidates.ts';
import type { BegunPlan, CoreState } from '../state/core-state.ts';
import type { ActivePlan } from '../state/plans.ts';

/** Tokens for which a plan is asked before it is the turn of the next one. */
const TURN = 100;
/** Pairs asked in a step, for which about 20 ms are needed; the others follow in the next ones. */
const ASKED_MAX = 2_000;

/** Asks a plan whose time has come for the newest tokens that it considers; it is asked for the others by `askBegun`. */
export function begin(state: CoreState, { plan }: ActivePlan, at: number): void {
  const begun = { planId: plan.id, before: Number.POSITIVE_INFINITY };
  if (state.askedBegun >= ASKED_MAX || askTurn(state, begun, at)) state.begun.push(begun);
}

/** Asks plans that have begun for tokens that they were not asked for yet, the newest first, each in its turn. */
export function askBegun(state: CoreState): void {
  const { begun } = state;
  while (state.askedBegun < ASKED_MAX) {
    const next = begun.shift();
    if (!next) return;
    if (askTurn(state, next, Math.max(state.now, state.clock))) begun.push(next);
  }
}

/** Asks a plan for the next tokens. Returns whether there are more. Tokens of one time are not parted, since the time marks the place. */
function askTurn(state: CoreState, begun: BegunPlan, at: number): boolean {
  const active = state.plans.get(begun.planId);
  if (!active) return false;
  const { list, since } = state.tokens;
  const first = since(active.plan.activeSince);
  let index = since(begun.before);
  for (let asked = 0; index > first; asked += 1) {
    const token = list[index - 1];
    if (!token || (asked >= TURN && token.detectedAt < begun.before)) break;
    askIfMet(state, active, token, at);
    begun.before = token.detectedAt;
    state.askedBegun += 1;
    index -= 1;
  }
  return index > first;
}
