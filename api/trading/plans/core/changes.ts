import type { StoredPoint } from '../../../../common/strategies/history.ts';
import { type Figures, pushFigures } from './conditions.ts';
import { judge, judgeAgain, listTokens } from './judge.ts';
import type { Change, CoreAccount, CoreFacts, CorePlan, CorePrice, CoreToken } from './model.ts';
import { mayAllowMore, onOrder, type RefusedInput, retryRefused } from './orders.ts';
import { nextRepeat, noteFigures } from './report.ts';
import { restore } from './snapshot.ts';
import {
  addToken,
  addTried,
  type CoreState,
  deadSince,
  dropUnused,
  removeToken,
  setPair,
  type TrackedToken,
  touch,
  userIn,
} from './state.ts';

/** Takes a change. New figures of a token are judged at once, everything else at the end of the step. */
export function apply(state: CoreState, change: Change): void {
  switch (change.type) {
    case 'plan':
      onPlan(state, change.plan);
      break;
    case 'plan-removed':
      state.plans.remove(change.planId);
      forgetPairs(state, change.planId);
      break;
    case 'token':
      onToken(state, change.token);
      break;
    case 'price':
      onPrice(state, change.price);
      break;
    case 'facts':
      onFacts(state, change.facts);
      break;
    case 'history':
      onHistory(state, change.address, change.points);
      break;
    case 'gone':
      removeToken(state, change.address);
      break;
    case 'source':
      onSource(state, change.source, change.isLive);
      break;
    case 'account':
      onAccount(state, change.account);
      break;
    case 'account-removed':
      onAccountRemoved(state, change.userId);
      break;
    case 'lists':
      listTokens(state, userIn(state, change.userId), listsOf(change));
      break;
    case 'order':
      onOrder(state, change.order);
      break;
    case 'tried':
      for (const key of change.keys) addTried(state, key);
      break;
    case 'stop-all':
      state.isStoppedForAll = change.isStopped;
      touchAll(state, change.isStopped ? null : 'stop-all');
      break;
    case 'database':
      state.isDatabaseAway = change.isAway;
      touchAll(state, change.isAway ? null : 'database');
      break;
    case 'rent':
      state.rentPerByte = change.perByte;
      touchAll(state);
      break;
    case 'kept':
      restore(state, change.kept);
      break;
  }
}

function onPlan(state: CoreState, plan: CorePlan): void {
  const before = state.plans.get(plan.id)?.plan;
  if (before && JSON.stringify(before) === JSON.stringify(plan)) return;
  const user = userIn(state, plan.userId);
  state.plans.put(plan, user);
  if (before && before.activeSince !== plan.activeSince) forgetPairs(state, plan.id);
  touch(user);
  state.changed.add(plan.id);
}

function forgetPairs(state: CoreState, planId: string): void {
  for (const token of state.tokens) setPair(state, token, planId, undefined);
}

function onToken(state: CoreState, detected: CoreToken): void {
  const known = state.byAddress.get(detected.address);
  if (known) {
    known.symbol = detected.symbol;
    known.source = detected.source;
    return;
  }
  // R1: no plan will ever consider it, so it takes no place.
  if (!detected.isNew) return;
  const { detectedAt } = detected;
  addToken(state, detected).repeatAt = nextRepeat(detectedAt, Math.max(detectedAt, state.now));
  state.mustJudge = true;
}

function onPrice(state: CoreState, price: CorePrice): void {
  const token = state.byAddress.get(price.address);
  if (!token) return;
  token.price = price;
  const at = Math.max(price.at, token.lastAt);
  push(state, token, at, { price: price.price, liquidity: price.liquidity, holders: token.figures.holders });
  judge(state, token, at);
}

function onFacts(state: CoreState, facts: CoreFacts): void {
  const token = state.byAddress.get(facts.address);
  if (!token) return;
  token.facts = facts;
  token.symbol = facts.symbol;
  const { price, liquidity } = token.figures;
  const at = Math.max(state.now, token.lastAt);
  push(state, token, at, { price, liquidity, holders: facts.holders });
  judge(state, token, at);
}

/** Fills the windows of a token. The extremes of a stored point were in force at most until its own time. */
function onHistory(state: CoreState, address: string, points: readonly StoredPoint[]): void {
  const token = state.byAddress.get(address);
  if (!token) return;
  for (const { at, high, low, ...figures } of points) {
    const time = Math.max(at, token.lastAt);
    for (const price of [low, high]) if (price !== null) push(state, token, time, { ...figures, price });
    push(state, token, time, figures);
  }
  token.resumedAt = state.now;
  token.mustJudge = true;
  state.mustJudge = true;
}

function push(state: CoreState, token: TrackedToken, at: number, figures: Figures): void {
  token.lastAt = at;
  noteFigures(state, token, at);
  pushFigures(token.figures, at, figures, state.plans.longestWindow());
}

function onSource(state: CoreState, source: string, isLive: boolean): void {
  const wasLive = deadSince(state, source) === null;
  if (wasLive === isLive && state.sources.has(source)) return;
  state.sources.set(source, isLive ? null : state.now);
  if (isLive) judgeAgain(state, source);
}

function onAccount(state: CoreState, account: CoreAccount): void {
  const user = userIn(state, account.userId);
  const before = user.account;
  user.account = account;
  if (before && mayAllowMore(before, account)) retryRefused(state, 'account', user.id);
  touch(user);
  if (!before || (before.mode === account.mode && before.tradesPools === account.tradesPools)) return;
  // At another place to trade, refusals by the market no longer count.
  for (const { plan } of state.plans.ofUser(user.id)) state.changed.add(plan.id);
}

/** Forgets the account and lists of a user, whose plans are removed before. */
function onAccountRemoved(state: CoreState, userId: string): void {
  const user = state.users.get(userId);
  if (!user) return;
  user.account = null;
  user.lists = new Map();
  user.block = null;
  user.waiting.clear();
  dropUnused(state, user);
}

function touchAll(state: CoreState, input: RefusedInput | null = null): void {
  if (input !== null) retryRefused(state, input, null);
  for (const user of state.users.values()) touch(user);
}

function listsOf({ white, black }: Extract<Change, { type: 'lists' }>): ReadonlyMap<string, 'white' | 'black'> {
  return new Map([
    ...white.map((address) => [address, 'white'] as const),
    ...black.map((address) => [address, 'black'] as const),
  ]);
}
