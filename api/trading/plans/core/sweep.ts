import { SECOND } from '../../../../common/time.ts';
import { dayOf } from '../../../../common/trading/limits/book.ts';
import { isBlocked } from './guards.ts';
import { askIfMet, isBusy } from './judge.ts';
import { type ActivePlan, type CoreState, firstSince, touch } from './state.ts';

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
    state.sweep = { from: sweptAt, to: now, before: Number.POSITIVE_INFINITY };
    state.sweptAt = now;
    sweepRefusals(state, sweptAt);
    sweepUsers(state, dayOf(now) !== dayOf(sweptAt));
  }
  if (state.sweep !== null) sweepConditions(state, state.sweep);
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
    if (!user.hasWaiting) continue;
    const wasBlocked = user.isBlocked !== false;
    user.isBlocked = null;
    if (isNewDay || (wasBlocked && !isBlocked(state, user))) touch(user);
  }
}

/** A plan with the detections (epoch ms) of the tokens for which its time condition is due. */
interface Due {
  active: ActivePlan;
  first: number;
  last: number;
}

/** Asks plans for the tokens for which their time has come, the newest tokens first. Tokens of one time are not parted. */
function sweepConditions(state: CoreState, { from, to, before }: NonNullable<CoreState['sweep']>): void {
  const { tokens, now } = state;
  const due = state.plans.timed().flatMap((active) => dueOf(active, from, to) ?? []);
  const oldest = due.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY);
  let last = before;
  for (let index = firstSince(state, before) - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (!token || token.detectedAt < oldest) break;
    if (isBusy(state) && token.detectedAt < last) {
      state.sweep = { from, to, before: last };
      return;
    }
    last = token.detectedAt;
    for (const one of due) {
      if (last >= one.first && last <= one.last) askIfMet(state, one.active, token, now);
    }
  }
  state.sweep = null;
}

/** Returns for which tokens the time condition of a plan was completed after `from` and up to `to`; null for none. */
function dueOf(active: ActivePlan, from: number, to: number): Due | null {
  const { time, plan } = active;
  if (time === null || time.from > to) return null;
  const first = time.from > from ? Number.NEGATIVE_INFINITY : from - time.delay + 1;
  const due = { active, first: Math.max(first, plan.activeSince), last: Math.min(to - time.delay, time.lastDetection) };
  return due.first <= due.last ? due : null;
}
