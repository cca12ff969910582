import { placesTaken } from '../../../common/trading/limits/book.ts';
import type { ReasonCode } from '../../../common/trading/reasons.ts';
import type { CoreAccount } from './model.ts';
import type { Moments } from './moments/moments.ts';
import type { CoreState } from './state/core-state.ts';
import { byMoney } from './state/pairs.ts';

/** Inputs of guards where an order is made, with the refusals that a change of each may end. */
const refusedBy = {
  account: new Set<ReasonCode>([
    ...(['trading-off', 'user-inactive', 'stopped', 'no-wallet', 'no-key', 'mode-changed', 'wallet-changed'] as const),
    ...byMoney,
  ]),
  'stop-all': new Set<ReasonCode>(['stopped-all']),
  database: new Set<ReasonCode>(['database-away']),
};
export type GuardInput = keyof typeof refusedBy;

/**
 * Has refused orders asked for again in this step, before their wait is over, as the input of their guard has changed. `userId`: null
 * for those of all users.
 */
export function retryRefused(state: CoreState, moments: Moments, input: GuardInput, userId: string | null): void {
  for (const [key, refusal] of state.refusals) {
    const isOf = refusal.reason !== null && refusedBy[input].has(refusal.reason.code);
    if (!isOf || refusal.until <= state.now) continue;
    if (userId !== null && state.plans.get(refusal.planId)?.plan.userId !== userId) continue;
    refusal.until = state.now;
    moments.addRefusal(key, state.now);
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
