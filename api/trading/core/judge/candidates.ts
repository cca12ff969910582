import { conditionsMet } from '../../../../common/strategies/conditions.ts';
import { reason } from '../../../../common/trading/reasons.ts';
import { isWithin } from '../book/time-spans.ts';
import { type CoreState, deadSince } from '../state/core-state.ts';
import {
  codeOf,
  isDone,
  isRefused,
  isRefusedByToken,
  isRefusedByUser,
  PAIR,
  setState,
  stateOf,
} from '../state/pairs.ts';
import { type ActivePlan, considers } from '../state/plans.ts';
import type { TrackedToken } from '../state/tokens.ts';
import { pendingNeeds, type UserState } from '../state/users.ts';
import { ask, note, refuse } from './ask.ts';
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
  if (isDone(before) || !considers(active, token)) return;
  if (isMet(active, token, at)) {
    ask(state, active, token, at);
  } else if (isRefused(before)) {
    setState(token, active.slot, PAIR.waiting, state.plans.slots);
    note(state, active, token, { reason: reason('waiting'), at });
  }
}

function isMet({ plan, time, isMetByTime }: ActivePlan, token: TrackedToken, at: number): boolean {
  if (isMetByTime && time !== null && isWithin(time, token.detectedAt, at)) return true;
  return conditionsMet(plan.conditions, historyOf(token, plan, at), at) === 'met';
}

/**
 * Asks again for the pairs of a user that the account refused, the newest first: an old one has waited for long already. `now`:
 * epoch ms.
 */
export function release(state: CoreState, user: UserState, now: number): void {
  const { account, blocked } = user;
  if (account === null || blocked.size === 0 || state.isDatabaseAway) return;
  if (userRefusal(account, state.isStoppedForAll) !== null) return;
  const allowance = () => allowanceOf(withPending(account, pendingNeeds(user), now), now);
  let [orders, allowed] = [user.pending.size, allowance()];
  if (allowed.lamports === 0) return;
  for (const [key, { planId, token }] of [...blocked].reverse()) {
    const active = state.plans.get(planId);
    if (!active || token.isGone || !isRefusedByUser(stateOf(token, active.slot))) {
      blocked.delete(key);
      continue;
    }
    if (active.plan.lamports > allowed.lamports || allowed.tokens?.has(token.address) === false) continue;
    askIfMet(state, active, token, now);
    if (user.pending.size === orders) continue;
    [orders, allowed] = [user.pending.size, allowance()];
    if (allowed.lamports === 0) return;
  }
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
