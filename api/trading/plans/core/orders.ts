import { MINUTE, SECOND } from '../../../../common/time.ts';
import { placesTaken } from '../../../../common/trading/limits/book.ts';
import { reason } from '../../../../common/trading/reasons.ts';
import { refuse } from './judge.ts';
import type { CoreAccount, CoreOrder, PendingBuy } from './model.ts';
import { note } from './report.ts';
import { addRefusal, addTried, byMoney, type CoreState, dropUnused, type PairState, setPair, touch } from './state.ts';

/**
 * Time until a refused order is asked for again, doubled each time, ms. It is never given up: a deposit in a wallet or a node that is
 * back changes neither figures nor account. What the account shows ends the wait (`retryRefused`).
 */
const FIRST_RETRY_MS = SECOND;
const LONGEST_RETRY_MS = 10 * MINUTE;

/** Follows an order of the core. One that it does not know, from before a restart, is only remembered (R2). */
export function onOrder(state: CoreState, order: CoreOrder): void {
  const { key, state: progress } = order;
  const user = state.ordering.get(key);
  const pending = user?.pending.get(key);
  if (!user || !pending) {
    if (progress !== 'refused') addTried(state, key);
    return;
  }
  if (progress === 'stored') return;
  touch(user);
  if (progress === 'held') {
    user.pending.set(key, { ...pending, isHeld: true });
    return;
  }
  user.pending.delete(key);
  state.ordering.delete(key);
  dropUnused(state, user);
  if (progress === 'over') end(state, pending, order);
  else takeBack(state, pending, order);
}

function end(state: CoreState, { buy: { planId, address } }: PendingBuy, { hasBought, reason: why }: CoreOrder): void {
  const [active, token] = [state.plans.get(planId), state.byAddress.get(address)];
  if (!active || !token) return;
  const before = token.pairs.get(planId);
  setPair(state, token, planId, hasBought ? 'bought' : 'tried');
  if (hasBought) return;
  const { now: at } = state;
  note(state, active, token, { before, reason: why ?? reason('already-tried'), at, wasMet: true, isFinal: true });
}

function takeBack(state: CoreState, { buy }: PendingBuy, order: CoreOrder): void {
  const { key, planId, address } = buy;
  const { now: at } = state;
  state.tried.delete(key);
  const tries = (state.refusals.get(key)?.tries ?? 0) + 1;
  const until = at + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (tries - 1));
  const why = order.reason ?? reason('database-away');
  addRefusal(state, key, { planId, address, tries, until, reason: why });
  const [active, token] = [state.plans.get(planId), state.byAddress.get(address)];
  if (active && token) refuse(state, active, token, why, { at });
}

/** Inputs of guards where an order is made, with the refusals that a change of each may end. */
const refusedBy = {
  account: new Set<PairState | undefined>([
    ...(['trading-off', 'user-inactive', 'stopped', 'no-wallet', 'no-key', 'mode-changed', 'wallet-changed'] as const),
    ...byMoney,
  ]),
  'stop-all': new Set<PairState | undefined>(['stopped-all']),
  database: new Set<PairState | undefined>(['database-away']),
};

export type RefusedInput = keyof typeof refusedBy;

/** Ends the wait of refused orders as the input of their guard has changed. `userId`: null for those of all users. */
export function retryRefused(state: CoreState, input: RefusedInput, userId: string | null): void {
  for (const refusal of state.refusals.values()) {
    if (!refusedBy[input].has(refusal.reason.code) || refusal.until <= state.now) continue;
    if (userId !== null && state.plans.get(refusal.planId)?.plan.userId !== userId) continue;
    refusal.until = state.now;
  }
}

/** Returns whether an account may allow now what it refused before. What orders take from it alone does not. */
export function mayAllowMore(before: CoreAccount, after: CoreAccount): boolean {
  const [earlier, later] = [before.book, after.book];
  return (
    settingsText(before) !== settingsText(after) ||
    moneyLeft(after) > moneyLeft(before) ||
    after.unknownOrders < before.unknownOrders ||
    later.usedLamports < earlier.usedLamports ||
    later.realisedLamports > earlier.realisedLamports ||
    placesTaken(later) < placesTaken(earlier)
  );
}

function settingsText(account: CoreAccount): string {
  return JSON.stringify({ ...account, book: null, moneyLamports: null, unknownOrders: 0 });
}

function moneyLeft({ moneyLamports, book }: CoreAccount): number {
  return moneyLamports === null ? 0 : moneyLamports - book.reservedLamports;
}
