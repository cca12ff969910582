import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { blockOf, isBlocked, needsOf } from './guards.ts';
import { buyKey } from './model.ts';
import { note } from './report.ts';
import {
  type ActivePlan,
  addTried,
  type CoreState,
  considers,
  isRefused,
  kindOf,
  setPair,
  type TrackedToken,
  type UserState,
} from './state.ts';

/** Work of a step without new figures from which on the rest waits for the next step: about 20 ms. */
const WORK_MAX = 100_000;
/** Work of an asked guard, compared with conditions that are not met. */
const ASK_WORK = 20;

/** Returns whether the present step has done as much as it may without new figures; the rest follows in the next ones. */
export function isBusy({ work }: CoreState): boolean {
  return work >= WORK_MAX;
}

/** Asks all plans of a token with its present figures, at a time (epoch ms). */
export function judge(state: CoreState, token: TrackedToken, at: number): void {
  token.mustJudge = false;
  const { figures, detectedAt, isRepeated } = token;
  for (const active of state.plans.inOrder()) {
    // The next ones were switched on even later (R1).
    if (active.plan.activeSince > detectedAt) return;
    state.work += 1;
    if (active.isMet(figures, at)) ask(state, active, token, at);
    else if (isRepeated && kindOf(token.pairs.get(active.plan.id)) === 'token') wait(state, active, token, at);
  }
}

/** Asks a plan that considers a token when its conditions are met. */
export function askIfMet(state: CoreState, active: ActivePlan, token: TrackedToken, at: number): void {
  if (!considers(active, token)) return;
  state.work += 1;
  if (active.isMet(token.figures, at)) ask(state, active, token, at);
  else if (isRefused(token.pairs.get(active.plan.id))) wait(state, active, token, at);
}

/** Remembers that the conditions of a refused pair are no longer met. */
function wait(state: CoreState, active: ActivePlan, token: TrackedToken, at: number): void {
  refuse(state, active, token, reason('waiting'), { at });
}

/** Buys for a pair whose conditions are met, or remembers the guard that refuses it. */
function ask(state: CoreState, active: ActivePlan, token: TrackedToken, at: number): void {
  const { plan, user } = active;
  const pair = token.pairs.get(plan.id);
  const kind = kindOf(pair);
  if (kind === 'done' || kind === 'final') return;
  if (kind === 'user' && isBlocked(state, user, token.address)) return;
  state.work += ASK_WORK;
  if (pair === undefined && restoreOrder(state, active, token)) return;
  const needs = needsOf(state, active, token, state.now);
  if (needs.ok) order(state, active, token, { totalLamports: needs.value, at });
  else refuse(state, active, token, needs.reason, { at });
}

/** Gives a pair without a state that of its order from before a start. Returns false when there is none. */
function restoreOrder(state: CoreState, { plan, user }: ActivePlan, token: TrackedToken): boolean {
  const key = buyKey(plan.id, token.address);
  if (!state.tried.has(key)) return false;
  setPair(state, token, plan.id, user.pending.has(key) ? 'ordered' : 'tried');
  return true;
}

/** Buys for a pair that no guard refuses, unless its order was refused a short time ago. */
function order(
  state: CoreState,
  active: ActivePlan,
  token: TrackedToken,
  { totalLamports, at }: { totalLamports: number; at: number },
): void {
  const { user } = active;
  const { id: planId, userId, lamports, slippageBps, activeSince: planSince } = active.plan;
  const { address } = token;
  const key = buyKey(planId, address);
  const refusal = state.refusals.get(key);
  if (refusal && refusal.until > at) {
    refuse(state, active, token, refusal.reason, { at });
    return;
  }
  const terms = { lamports, slippageBps, planSince };
  const made = { key, planId, userId, address, ...terms, observedAt: at, decidedAt: state.now };
  addTried(state, key);
  state.ordering.set(key, user);
  user.pending.set(key, { buy: made, totalLamports, isHeld: false });
  user.block = null;
  const before = token.pairs.get(planId);
  setPair(state, token, planId, 'ordered');
  state.effects.push({ type: 'buy', buy: made });
  note(state, active, token, { before, reason: null, at, wasMet: true, isFinal: false });
}

/**
 * Remembers why a pair is refused, and that it waits when the account refuses it. `wasMet`: whether its conditions were met, now or
 * before.
 */
export function refuse(
  state: CoreState,
  active: ActivePlan,
  token: TrackedToken,
  why: Reason,
  { at, wasMet = true }: { at: number; wasMet?: boolean },
): void {
  const before = token.pairs.get(active.plan.id);
  // Remembers what the account refuses now: computed only after the end of a limit, it would hide that end from `sweep`.
  if (kindOf(why.code) === 'user') blockOf(state, active.user);
  const isSame = before === why.code && !token.answers?.has(active.plan.id);
  if (isSame && !(token.isRepeated && Object.keys(why.numbers).length > 0)) return;
  if (kindOf(why.code) === 'user') active.user.waiting.add(token);
  setPair(state, token, active.plan.id, why.code);
  note(state, active, token, { before, reason: why, at, wasMet, isFinal: false });
}

/** Asks again for the pairs that the account refused of users whose account has changed. */
export function releaseUsers(state: CoreState): void {
  // In an order that does not depend on how the state came about.
  const touched = [...state.users.values()].filter(({ mustRelease }) => mustRelease);
  for (const user of touched.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    user.mustRelease = false;
    if (user.waiting.size > 0) release(state, user);
  }
}

/** Asks again for the pairs that the account of a user refused, the newest launch first, whose market has moved least. */
function release(state: CoreState, user: UserState): void {
  const { tokens } = state;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    // Tokens that it refuses on are asked when an input of the account changes again.
    if (!token || !user.waiting.has(token) || isBlocked(state, user, token.address)) continue;
    if (!releasePairs(state, user, token)) user.waiting.delete(token);
  }
}

/** Asks again for the pairs of a user and a token that the account refused. Returns whether there are any. */
function releasePairs(state: CoreState, user: UserState, token: TrackedToken): boolean {
  const refused = state.plans.ofUser(user.id).filter(({ plan }) => kindOf(token.pairs.get(plan.id)) === 'user');
  for (const active of refused) askIfMet(state, active, token, state.now);
  return refused.length > 0;
}

/** Asks the plans of tokens without new figures, the newest first: after a start there are too many for one step. */
export function judgeWaiting(state: CoreState): void {
  if (!state.mustJudge) return;
  const { tokens, now } = state;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (!token?.mustJudge) continue;
    if (isBusy(state)) return;
    judge(state, token, now);
  }
  state.mustJudge = false;
}

/** Has the tokens of a source judged without new figures. */
export function judgeAgain(state: CoreState, source: string): void {
  for (const token of state.tokens) {
    if (token.source !== source) continue;
    token.mustJudge = true;
    state.mustJudge = true;
  }
}

/** Takes the lists of a user: refuses tokens that are on the blacklist now, and has tokens judged whose listing has changed. */
export function listTokens(state: CoreState, user: UserState, lists: UserState['lists']): void {
  const before = user.lists;
  user.lists = lists;
  for (const address of new Set([...before.keys(), ...lists.keys()])) {
    const token = state.byAddress.get(address);
    if (!token || before.get(address) === lists.get(address)) continue;
    token.mustJudge = true;
    state.mustJudge = true;
    for (const active of state.plans.ofUser(user.id)) {
      const pair = token.pairs.get(active.plan.id);
      // The judgement names what refuses it now, if its conditions are met.
      if (pair === 'blacklisted') wait(state, active, token, state.now);
      if (lists.get(address) !== 'black' || !considers(active, token) || kindOf(pair) === 'done') continue;
      // Refused first, the pair would be bought a second time once the token leaves the blacklist.
      if (pair === undefined && restoreOrder(state, active, token)) continue;
      refuse(state, active, token, reason('blacklisted'), { at: state.now, wasMet: pair !== undefined });
    }
  }
}
