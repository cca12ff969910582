import type { HistoryPoint } from '../../../common/strategies/history.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { nextRepeat, note, noteFigures } from './judge/answers.ts';
import { askAgain, askIfMet, judge, listed, release } from './judge/candidates.ts';
import { mayPass } from './judge/gates.ts';
import type { Change, CoreAccount, CoreFacts, CorePlan, CorePrice, CoreToken } from './model.ts';
import type { Moments } from './moments/moments.ts';
import { onOrder } from './orders.ts';
import { mayAllowMore, retryRefused } from './retries.ts';
import { restore } from './snapshot.ts';
import { addTried, type CoreState, deadSince, userIn } from './state/core-state.ts';
import { isRefused, isRefusedByToken, PAIR, setState, stateOf } from './state/pairs.ts';
import type { ActivePlan } from './state/plans.ts';
import { TOKENS_MAX, type TrackedToken } from './state/tokens.ts';

/** Takes a change, and asks the plans that it concerns. */
export function apply(state: CoreState, moments: Moments, change: Change): void {
  if (change.type !== 'plan' && change.type !== 'plan-removed') takePlans(state, moments);
  switch (change.type) {
    case 'plan':
      onPlan(state, change.plan);
      break;
    case 'plan-removed':
      onPlanRemoved(state, change.planId);
      break;
    case 'token':
      onToken(state, moments, change.token);
      break;
    case 'price':
      onPrice(state, moments, change.price);
      break;
    case 'facts':
      onFacts(state, moments, change.facts);
      break;
    case 'history':
      onHistory(state, change.address, change.points);
      break;
    case 'gone':
      onGone(state, change.address);
      break;
    case 'source':
      onSource(state, moments, change);
      break;
    case 'account':
      onAccount(state, moments, change.account);
      break;
    case 'account-removed':
      onAccountRemoved(state, change.userId);
      break;
    case 'list':
      onList(state, moments, change);
      break;
    case 'order':
      onOrder(state, moments, change.order);
      break;
    case 'tried':
      for (const key of change.keys) addTried(state, key);
      break;
    case 'stop-all':
      state.isStoppedForAll = change.isStopped;
      if (!change.isStopped) retryRefused(state, moments, 'stop-all', null);
      releaseAll(state);
      break;
    case 'database':
      state.isDatabaseAway = change.isAway;
      if (!change.isAway) retryRefused(state, moments, 'database', null);
      releaseAll(state);
      break;
    case 'rent':
      state.rentPerByte = change.perByte;
      releaseAll(state);
      break;
    case 'kept':
      restore(state, moments, change.kept);
      break;
  }
}

/** Takes changed plans into use, all in one go. */
export function takePlans(state: CoreState, moments: Moments): void {
  if (state.plansSince === null) return;
  const { list, since } = state.tokens;
  for (let index = since(state.plansSince); index < list.length; index += 1) {
    const token = list[index];
    if (!token) continue;
    token.isAdmitted = false;
    state.hasToAdmit = true;
  }
  state.plansSince = null;
  moments.onPlans();
}

function onPlan(state: CoreState, plan: CorePlan): void {
  const before = state.plans.get(plan.id)?.plan;
  const active = state.plans.put(plan);
  if (before && before.activeSince !== plan.activeSince) clearSlot(state, active.slot);
  else if (before && !isSameButName(before, plan)) askPlanAgain(state, active);
  state.plansSince = Math.min(state.plansSince ?? Number.POSITIVE_INFINITY, plan.activeSince);
}

function isSameButName(one: CorePlan, other: CorePlan): boolean {
  return JSON.stringify({ ...one, name: '' }) === JSON.stringify({ ...other, name: '' });
}

function onPlanRemoved(state: CoreState, planId: string): void {
  const removed = state.plans.remove(planId);
  if (!removed) return;
  clearSlot(state, removed.slot);
  state.plansSince ??= Number.POSITIVE_INFINITY;
}

function clearSlot({ tokens, plans }: CoreState, slot: number): void {
  for (const token of tokens.list) setState(token, slot, PAIR.fresh, plans.slots);
}

/** Has refused pairs of a plan asked again, as its limits changed. */
function askPlanAgain(state: CoreState, active: ActivePlan): void {
  for (const token of state.tokens.list) {
    const before = stateOf(token, active.slot);
    if (!isRefused(before)) continue;
    setState(token, active.slot, PAIR.waiting, state.plans.slots);
    note(state, active, token, { before, reason: reason('waiting'), at: state.now });
  }
}

function onToken(state: CoreState, moments: Moments, detected: CoreToken): void {
  const { tokens } = state;
  const known = tokens.get(detected.address);
  if (known) {
    known.symbol = detected.symbol;
    known.source = detected.source;
    return;
  }
  // R1: no plan will ever consider it, so it takes no place.
  if (!detected.isNew) return;
  tokens.add(detected).repeatAt = nextRepeat(detected.detectedAt, Math.max(detected.detectedAt, state.now));
  state.hasToAdmit = true;
  moments.onToken(detected.detectedAt);
  if (tokens.list.length <= TOKENS_MAX) return;
  const oldest = tokens.list.find(({ pairs }) => pairs.ordered === 0) ?? tokens.list[0];
  if (oldest) tokens.remove(oldest);
}

function onGone({ tokens }: CoreState, address: string): void {
  const token = tokens.get(address);
  if (token) tokens.remove(token);
}

function onPrice(state: CoreState, moments: Moments, price: CorePrice): void {
  const token = state.tokens.get(price.address);
  if (!token) return;
  const at = Math.max(price.at, token.lastAt);
  runBefore(state, moments, at);
  token.price = price;
  push(state, token, at, { price: price.price, liquidity: price.liquidity, holders: token.figures.holders });
  judge(state, token, Math.max(at, state.clock));
}

/** Completes everything due before `at` (epoch ms), with the figures until then. */
function runBefore({ now }: CoreState, moments: Moments, at: number): void {
  const until = Math.min(at, now) - 1;
  if (moments.nextAt <= until) moments.runUntil(until);
}

function onFacts(state: CoreState, moments: Moments, facts: CoreFacts): void {
  const token = state.tokens.get(facts.address);
  if (!token) return;
  runBefore(state, moments, state.now);
  token.facts = facts;
  token.symbol = facts.symbol;
  const { price, liquidity } = token.figures;
  push(state, token, Math.max(state.now, token.lastAt), { price, liquidity, holders: facts.holders });
  judge(state, token, Math.max(state.now, state.clock));
}

function onHistory(state: CoreState, address: string, points: readonly HistoryPoint[]): void {
  const token = state.tokens.get(address);
  if (!token) return;
  for (const point of points) push(state, token, Math.max(point.at, token.lastAt), point);
  token.resumedAt = state.now;
  token.isAdmitted = false;
  state.hasToAdmit = true;
}

function push(state: CoreState, token: TrackedToken, at: number, figures: Omit<HistoryPoint, 'at'>): void {
  token.lastAt = at;
  noteFigures(state, token, at);
  state.plans.compiled().book.push(token.figures, at, figures);
}

function onSource(state: CoreState, moments: Moments, { source, isLive }: Extract<Change, { type: 'source' }>): void {
  runBefore(state, moments, state.now);
  const wasLive = deadSince(state, source) === null;
  if (wasLive === isLive && state.sources.has(source)) return;
  state.sources.set(source, isLive ? null : state.now);
  for (const token of state.tokens.list) {
    if (token.source === source && mayPass(token, isLive)) askAgain(state, token, state.now);
  }
}

function onAccount(state: CoreState, moments: Moments, account: CoreAccount): void {
  runBefore(state, moments, state.now);
  const user = userIn(state, account.userId);
  const before = user.account;
  user.account = account;
  if (before && mayAllowMore(before, account)) retryRefused(state, moments, 'account', user.id);
  release(state, user, Math.max(state.now, state.clock));
  state.toSchedule.add(user);
  if (before && before.mode === account.mode && before.tradesPools === account.tradesPools) return;
  // Another place to trade: its refusals by the market no longer count.
  const own = state.plans.compiled().inOrder.filter(({ plan }) => plan.userId === account.userId);
  for (const token of state.tokens.list) {
    if (token.pairs.byToken === 0) continue;
    for (const active of own) {
      if (isRefusedByToken(stateOf(token, active.slot))) askIfMet(state, active, token, state.now);
    }
  }
}

function onAccountRemoved({ users }: CoreState, userId: string): void {
  const user = users.get(userId);
  if (!user) return;
  user.account = null;
  user.lists.clear();
  user.blocked.clear();
  user.hasMore = false;
  if (user.pending.size === 0) users.delete(userId);
}

function onList(
  state: CoreState,
  moments: Moments,
  { userId, address, listed: list }: Extract<Change, { type: 'list' }>,
): void {
  runBefore(state, moments, state.now);
  const user = userIn(state, userId);
  if (list === null) user.lists.delete(address);
  else user.lists.set(address, list);
  const token = state.tokens.get(address);
  if (token) listed(state, user, token);
}

function releaseAll(state: CoreState): void {
  // In an order that does not depend on how the state came about.
  const users = [...state.users.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const user of users) release(state, user, Math.max(state.now, state.clock));
}
