import { type Reason, reason } from '../../../../common/trading/reasons.ts';
import { buyKey, type CoreAccount } from '../model.ts';
import { addTried, type CoreState, deadSince, userIn } from '../state/core-state.ts';
import { isRefusedByToken, isRefusedByUser, PAIR, refusedBy, setState, stateOf } from '../state/pairs.ts';
import type { ActivePlan } from '../state/plans.ts';
import type { TrackedToken } from '../state/tokens.ts';
import { block, pendingNeeds, type UserState } from '../state/users.ts';
import { note } from './answers.ts';
import { closeGate } from './gates.ts';
import {
  isSmall,
  lateRefusal,
  limitRefusal,
  moneyRefusal,
  openMarket,
  totalAt,
  userRefusal,
  withPending,
} from './guards.ts';

/** Buys for a pair whose conditions are met, or remembers the guard that refuses it. */
export function ask(state: CoreState, active: ActivePlan, token: TrackedToken, at: number): void {
  state.asked += 1;
  const { plan, slot } = active;
  const key = buyKey(plan.id, token.address);
  const user = userIn(state, plan.userId);
  if (state.tried.has(key)) {
    setState(token, slot, user.pending.has(key) ? PAIR.ordered : PAIR.tried, state.plans.slots);
    return;
  }
  if ((state.refusals.get(key)?.until ?? 0) > at) {
    return;
  }
  const needs = needsOf(state, active, token, state.now);
  if (needs.ok) buy(state, active, token, { totalLamports: needs.value, at });
  else refuse(state, active, token, needs.reason, at);
}

/** Returns the most that a purchase takes from the wallet, lamports; or the first guard that refuses it. */
export function needsOf(
  state: CoreState,
  { plan }: ActivePlan,
  token: TrackedToken,
  now: number,
): { ok: true; value: number } | { ok: false; reason: Reason } {
  const user = userIn(state, plan.userId);
  const { account } = user;
  const userReason = userRefusal(account, state.isStoppedForAll);
  if (userReason || account === null) return { ok: false, reason: userReason ?? reason('trading-off') };
  const listed = user.lists.get(token.address);
  if (listed === 'black') return { ok: false, reason: reason('blacklisted') };
  const late = lateRefusal(plan, token.detectedAt, now);
  if (late) return { ok: false, reason: late };
  const figures = { liquidity: token.figures.liquidity, risk: token.facts?.risk ?? null };
  const limit = limitRefusal(plan, figures, listed === 'white');
  if (limit) return { ok: false, reason: limit };
  const { price, facts } = token;
  const market = openMarket({ price, facts, deadSince: deadSince(state, token.source) }, account.tradesPools);
  if (!market.ok) return market;
  const { lamports } = plan;
  const { address } = token;
  const early = isSmall(plan, market.value) ? earlyRefusal(user, account, { lamports, address }, now) : null;
  if (early) return { ok: false, reason: early };
  const total = totalAt(plan, market, account, state.rentPerByte);
  if (!total.ok) return total;
  const refusal =
    moneyRefusal(
      withPending(account, pendingNeeds(user), now),
      { lamports, address, totalLamports: total.value },
      now,
    ) ?? (state.isDatabaseAway ? reason('database-away') : null);
  return refusal ? { ok: false, reason: refusal } : total;
}

/** Returns the limit that refuses a purchase of this size whatever it costs besides; remembered while nothing changes. */
function earlyRefusal(
  user: UserState,
  account: CoreAccount,
  { lamports, address }: { lamports: number; address: string },
  now: number,
): Reason | null {
  const pending = pendingNeeds(user);
  const { at, orders, account: of } = user.refusals;
  if (at !== now || orders !== pending.addresses.length || of !== account) {
    user.refusals = { at: now, orders: pending.addresses.length, account, byLamports: new Map() };
  }
  const { byLamports } = user.refusals;
  // A token that has a place needs no other one.
  const isHeld = account.book.places.includes(address) || pending.addresses.includes(address);
  const known = isHeld ? undefined : byLamports.get(lamports);
  if (known !== undefined) return known;
  const refusal = moneyRefusal(withPending(account, pending, now), { lamports, address, totalLamports: 0 }, now);
  // The balance is compared with all costs later.
  const early = refusal?.code === 'balance' ? null : refusal;
  if (!isHeld) byLamports.set(lamports, early);
  return early;
}

interface Made {
  totalLamports: number;
  at: number;
}

function buy(state: CoreState, active: ActivePlan, token: TrackedToken, { totalLamports, at }: Made): void {
  const { plan, slot } = active;
  const { id: planId, userId, lamports, slippageBps } = plan;
  const key = buyKey(planId, token.address);
  const bought = {
    key,
    planId,
    userId,
    address: token.address,
    lamports,
    slippageBps,
    observedAt: at,
    decidedAt: state.now,
  };
  addTried(state, key);
  const user = userIn(state, userId);
  state.ordering.set(key, user);
  user.refusals.at = 0;
  user.pending.set(key, { buy: bought, totalLamports, isHeld: false });
  // Its cooldown begins, and ends by time.
  state.toSchedule.add(user);
  const before = stateOf(token, slot);
  setState(token, slot, PAIR.ordered, state.plans.slots);
  state.effects.push({ type: 'buy', buy: bought });
  note(state, active, token, { before, reason: null, at });
}

/** Remembers why a pair is refused. */
export function refuse(
  state: CoreState,
  active: ActivePlan,
  token: TrackedToken,
  why: Reason,
  at: number,
  wasMet = true,
): void {
  const { plan, slot } = active;
  const before = stateOf(token, slot);
  const after = refusedBy(why);
  if (isRefusedByToken(after)) closeGate(token, plan, why, deadSince(state, token.source) === null);
  setState(token, slot, after, state.plans.slots);
  if (isRefusedByUser(after)) {
    const user = userIn(state, plan.userId);
    block(user, buyKey(plan.id, token.address), { planId: plan.id, token });
    state.toSchedule.add(user);
  }
  note(state, active, token, { before, reason: why, at, wasMet });
}
