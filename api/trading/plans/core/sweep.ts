import { SECOND } from '../../../../common/time.ts';
import { dayOf } from '../../../../common/trading/limits/book.ts';
import { blockOf } from './guards.ts';
import { askIfMet } from './judge.ts';
import { askRounds } from './rounds.ts';
import { type ActivePlan, type CoreState, firstSince, type TrackedToken, touch } from './state.ts';

const secondOf = (at: number) => Math.floor(at / SECOND);

/** Does what time alone has completed since the last step: nothing of it is early. Limits of users end with the first step of a second. */
export function sweep(state: CoreState): void {
  const { now } = state;
  const from = state.sweptAt || now;
  state.sweptAt = now;
  sweepRefusals(state, from);
  if (secondOf(now) > secondOf(from)) sweepUsers(state, dayOf(now) !== dayOf(from));
  sweepConditions(state, from);
  state.begunRounds = askRounds(state, state.begunRounds);
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
    const before = user.block;
    user.block = null;
    const { isHeldRefused, isOtherRefused } = blockOf(state, user);
    const wasHeldRefused = before?.isHeldRefused ?? true;
    const wasOtherRefused = before?.isOtherRefused ?? true;
    if (isNewDay || (wasHeldRefused && !isHeldRefused) || (wasOtherRefused && !isOtherRefused)) touch(user);
  }
}

/** Asks plans for the tokens whose delay has ended after a time (epoch ms), and collects the plans that have begun since then. */
function sweepConditions(state: CoreState, from: number): void {
  const { now, plans, tokens } = state;
  const begun: ActivePlan[] = [];
  for (const active of plans.timed()) {
    const { delay = 0, from: begin = 0 } = active.time ?? {};
    if (begin > from && begin <= now) begun.push(active);
    if (delay === 0) continue;
    for (const token of tokensBetween(state, from - delay + 1, now - delay)) askIfMet(state, active, token, now);
  }
  if (begun.length > 0) state.begunRounds.push({ plans: begun, tokens: [...tokens] });
}

/** Returns the tokens detected between two times (epoch ms, both included), the newest first. */
function tokensBetween(state: CoreState, first: number, last: number): TrackedToken[] {
  return state.tokens.slice(firstSince(state, first), firstSince(state, last + 1)).reverse();
}
