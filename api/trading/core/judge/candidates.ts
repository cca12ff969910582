import { conditionsMet } from '../../../../common/strategies/conditions.ts';
import { reason } from '../../../../common/trading/reasons.ts';
import { isWithin } from '../book/time-spans.ts';
import { buyKey } from '../model.ts';
import { type CoreState, deadSince, userIn } from '../state/core-state.ts';
import {
  codeOf,
  isDone,
  isFinal,
  isRefused,
  isRefusedByToken,
  isRefusedByUser,
  PAIR,
  setState,
  stateOf,
} from '../state/pairs.ts';
import { type ActivePlan, considers } from '../state/plans.ts';
import type { TrackedToken } from '../state/tokens.ts';
import { BLOCKED_MAX, type Pair, pendingNeeds, type UserState } from '../state/users.ts';
import { isFull, note } from './answers.ts';
import { ask, refuse } from './ask.ts';
import { closeGate, mayPass, mayPassFor, openGates } from './gates.ts';
import { allowanceOf, userRefusal, withPending } from './guards.ts';
import { historyOf } from './plan-history.ts';

/** Asks the plans whose conditions a token's new figures meet, then those whose guards may pass now. */
export function judge(state: CoreState, token: TrackedToken, at: number): void {
  const { book, inOrder, earliest } = state.plans.compiled();
  if (token.detectedAt < earliest) {
    token.isAdmitted = true;
    return;
  }
  const met = token.isAdmitted ? book.metByFigures(token.figures, at) : book.met(token.figures, at);
  token.isAdmitted = true;
  const isLive = deadSince(state, token.source) === null;
  if (mayPass(token, isLive)) askAgain(state, token, at);
  const fresh = met.filter((index) => {
    const active = inOrder[index];
    return active !== undefined && stateOf(token, active.slot) <= PAIR.waiting && considers(active, token);
  });
  for (const index of fresh.sort((a, b) => a - b)) {
    const active = inOrder[index];
    if (active) ask(state, active, token, at);
  }
}

/** Asks again for the pairs of a token that its figures or its source refused and may allow now. */
export function askAgain(state: CoreState, token: TrackedToken, at: number): void {
  const isLive = deadSince(state, token.source) === null;
  openGates(token, isLive);
  for (const active of state.plans.compiled().inOrder) {
    const pair = stateOf(token, active.slot);
    if (!isRefusedByToken(pair)) continue;
    if (mayPassFor(token, active.plan, pair)) askIfMet(state, active, token, at);
    else closeGate(token, active.plan, { code: codeOf(pair) ?? 'no-depth' }, isLive);
  }
}

/** Asks for a pair when its conditions are met; also when it was refused before. */
export function askIfMet(state: CoreState, active: ActivePlan, token: TrackedToken, at: number): void {
  const before = stateOf(token, active.slot);
  if (isDone(before) || isFinal(before) || !considers(active, token)) return;
  if (isMet(active, token, at)) {
    ask(state, active, token, at);
  } else if (isRefused(before)) {
    setState(token, active.slot, PAIR.waiting, state.plans.slots);
    note(state, active, token, { before, reason: reason('waiting'), at });
  }
}

/** Asks again for pairs that were refused by earlier figures of this step, and for pairs that are due to be reported again. */
export function settle(state: CoreState): void {
  const { answers, repeated, plans } = state;
  const at = Math.max(state.now, state.clock);
  for (const { active, token, reason: why, pushes } of answers) {
    const isCurrent = pushes === token.pushes || token.isGone || plans.get(active.plan.id) !== active;
    if (why !== null && !isCurrent && isRefusedByToken(stateOf(token, active.slot))) askOn(state, active, token, at);
  }
  if (isFull(state)) return;
  for (const token of repeated) {
    if (token.isGone || token.pairs.byToken === 0) continue;
    for (const active of plans.compiled().inOrder) {
      if (!token.noted?.has(active.slot) && isRefusedByToken(stateOf(token, active.slot)))
        askOn(state, active, token, at);
    }
  }
}

/** Asks for a refused pair with its present figures, unless its conditions are not met now or its user buys nothing. */
function askOn(state: CoreState, active: ActivePlan, token: TrackedToken, at: number): void {
  const { account } = userIn(state, active.plan.userId);
  if (userRefusal(account, state.isStoppedForAll) === null && isMet(active, token, at)) ask(state, active, token, at);
}

function isMet({ plan, time, isMetByTime }: ActivePlan, token: TrackedToken, at: number): boolean {
  if (isMetByTime && time !== null && isWithin(time, token.detectedAt, at)) return true;
  return conditionsMet(plan.conditions, historyOf(token, plan, at), at) === 'met';
}

/**
 * Asks again for the pairs of a user that the account refused, the newest launch first, whose market has moved least. `now`: epoch
 * ms. Those without room follow: some at once, the others with the next changes of the account.
 */
export function release(state: CoreState, user: UserState, now: number): void {
  const { account, blocked } = user;
  if (account === null || (blocked.size === 0 && !user.hasMore) || state.isDatabaseAway) return;
  if (userRefusal(account, state.isStoppedForAll) !== null) return;
  if (!askBlocked(state, user, newestFirst(blocked), now)) return;
  if (user.hasMore && blocked.size < MANY_BLOCKED) askBlocked(state, user, blockMore(state, user), now);
}

/** Returns pairs by the detection of their tokens; those of one time in the order in which they were refused, the last first. */
function newestFirst(blocked: UserState['blocked']): [string, Pair][] {
  return [...blocked].reverse().sort(([, one], [, other]) => other.token.detectedAt - one.token.detectedAt);
}

/** From so many pairs on that wait all the same, further ones are not looked for. */
const MANY_BLOCKED = BLOCKED_MAX / 2;

/** Asks for pairs that the account refused. Returns whether it may allow more. */
function askBlocked(state: CoreState, user: UserState, pairs: readonly [string, Pair][], now: number): boolean {
  const { account } = user;
  if (account === null) return false;
  const allowance = () => allowanceOf(withPending(account, pendingNeeds(user), now), now);
  let [orders, allowed] = [user.pending.size, allowance()];
  for (const [key, { planId, token }] of pairs) {
    if (allowed.lamports === 0) return false;
    const active = state.plans.get(planId);
    if (active && !token.isGone && isRefusedByUser(stateOf(token, active.slot))) {
      if (active.plan.lamports > allowed.lamports || allowed.tokens?.has(token.address) === false) continue;
      askIfMet(state, active, token, now);
      if (user.pending.size > orders) [orders, allowed] = [user.pending.size, allowance()];
      if (isRefusedByUser(stateOf(token, active.slot))) continue;
    }
    user.blocked.delete(key);
  }
  return allowed.lamports > 0;
}

/** Has pairs wait again that had no room, as many as there is now. Returns them, those of the newest tokens first. */
function blockMore({ tokens: { list }, plans }: CoreState, user: UserState): [string, Pair][] {
  const { blocked } = user;
  const own = plans.compiled().inOrder.filter(({ plan }) => plan.userId === user.id);
  const more: [string, Pair][] = [];
  user.hasMore = false;
  for (let index = list.length - 1; index >= 0 && !user.hasMore; index -= 1) {
    const token = list[index];
    if (!token || token.pairs.byUser === 0) continue;
    for (const { plan, slot } of own) {
      const key = buyKey(plan.id, token.address);
      if (!isRefusedByUser(stateOf(token, slot)) || blocked.has(key)) continue;
      more.push([key, { planId: plan.id, token }]);
    }
    // Tokens are not parted, so there may be a few more.
    user.hasMore = blocked.size + more.length >= BLOCKED_MAX;
  }
  const newer = [...blocked];
  blocked.clear();
  for (const [key, pair] of [...more.toReversed(), ...newer]) blocked.set(key, pair);
  return more;
}

/** Asks again for all pairs of a user and a token that are not over, after the user's lists changed. */
export function listed(state: CoreState, user: UserState, token: TrackedToken): void {
  const isBlack = user.lists.get(token.address) === 'black';
  for (const active of state.plans.compiled().inOrder) {
    if (active.plan.userId !== user.id || !considers(active, token)) continue;
    const before = stateOf(token, active.slot);
    if (isDone(before)) continue;
    if (isBlack) refuse(state, active, token, reason('blacklisted'), state.now, before !== PAIR.fresh);
    else if (isRefused(before)) askIfMet(state, active, token, state.now);
  }
}
