import { SECOND } from '../../../../common/time.ts';
import { dayOf } from '../../../../common/trading/limits/book.ts';
import { isBlocked } from './guards.ts';
import { askIfMet, isBusy } from './judge.ts';
import { type ActivePlan, type CoreState, firstSince, type TrackedToken, touch } from './state.ts';

const secondOf = (at: number) => Math.floor(at / SECOND);

/**
 * Does what time alone completes, in the first step of each second: nothing of it is early, and it is late by a second at most, unless
 * so much is due at once that it takes several steps.
 */
export function sweep(state: CoreState): void {
  const { now } = state;
  if (state.sweptAt === 0) state.sweptAt = now;
  if (state.sweep === null && secondOf(now) > secondOf(state.sweptAt)) {
    const { sweptAt } = state;
    state.sweep = sweepConditions(state, sweptAt, now);
    state.sweptAt = now;
    sweepRefusals(state, sweptAt);
    sweepUsers(state, dayOf(now) !== dayOf(sweptAt));
  }
  if (state.sweep?.next().done) state.sweep = null;
}

/** Asks again for refused orders whose wait ended after a time (epoch ms). */
function sweepRefusals(state: CoreState, from: number): void {
  const { refusals, plans, byAddress, now } = state;
  for (const { planId, address, until } of refusals.values()) {
    if (until <= from || until > now) continue;
    const [active, token] = [plans.get(planId), byAddress.get(address)];
    if (active && token) askIfMet(state, active, token, now);
  }
}

/** Finds users for whom time has ended a limit. A new day may end one that concerns some purchases alone. */
function sweepUsers(state: CoreState, isNewDay: boolean): void {
  for (const user of state.users.values()) {
    if (user.waiting.size === 0) continue;
    const wasBlocked = user.isBlocked !== false;
    user.isBlocked = null;
    if (isNewDay || (wasBlocked && !isBlocked(state, user))) touch(user);
  }
}

/**
 * Asks plans for the tokens for which their time has come after `from` and up to `to` (epoch ms). A plan that begins concerns all its
 * tokens, which take several steps when they are many: the newest come first.
 */
function* sweepConditions(state: CoreState, from: number, to: number): Generator<void, void> {
  const begun: ActivePlan[] = [];
  for (const active of state.plans.timed()) {
    const { from: begin, delay } = active.time ?? { from: 0, delay: 0 };
    if (begin > from && begin <= to) begun.push(active);
    for (const token of tokensBetween(state, from - delay + 1, to - delay)) askIfMet(state, active, token, to);
  }
  const tokens = begun.length === 0 ? [] : state.tokens.toReversed();
  for (const token of tokens) {
    if (isBusy(state)) yield;
    for (const active of begun) {
      const isActive = state.plans.get(active.plan.id) === active;
      if (isActive && !token.isGone) askIfMet(state, active, token, state.now);
    }
  }
}

/** Returns the tokens detected between two times (epoch ms, both included), the newest first. */
function tokensBetween(state: CoreState, first: number, last: number): TrackedToken[] {
  return state.tokens.slice(firstSince(state, first), firstSince(state, last + 1)).reverse();
}
