import type { Buy, Change, CoreAccount, CorePlan } from '../../../api/trading/core/model.ts';
import { benchAccount } from './plans.ts';

/** How long a position is open at most, ms. */
const OPEN_MS = 300_000;

/** Accounts whose orders are stored, held and filled at once, and whose positions are closed after some time. */
export interface BenchMoney {
  /** Returns the accounts as they begin. */
  begin(now: number): Change[];
  /** Takes an order. */
  buy(buy: Buy): void;
  /** Returns the changes since the last call. */
  changes(now: number): Change[];
}

export function createBenchMoney(plans: readonly CorePlan[], random: () => number): BenchMoney {
  const accounts = new Map<string, CoreAccount>();
  let bought: Buy[] = [];
  let open: { userId: string; lamports: number; until: number }[] = [];

  function changed(userId: string, places: number, used: number, now: number): Change {
    const before = accounts.get(userId) ?? benchAccount(userId, now);
    const { book } = before;
    const account = {
      ...before,
      book: { ...book, openPositions: book.openPositions + places, usedLamports: book.usedLamports + used },
    };
    accounts.set(userId, account);
    return { type: 'account', account };
  }

  return {
    begin: (now) => [...new Set(plans.map(({ userId }) => userId))].map((userId) => changed(userId, 0, 0, now)),
    buy: (buy) => void bought.push(buy),
    changes(now) {
      const changes: Change[] = [];
      for (const { key, userId, lamports } of bought) {
        changes.push(changed(userId, 1, lamports, now));
        for (const state of ['stored', 'held', 'over'] as const) {
          changes.push({ type: 'order', order: { key, state, hasBought: true, reason: null } });
        }
        open.push({ userId, lamports, until: now + random() * OPEN_MS });
      }
      bought = [];
      const closed = open.filter(({ until }) => until <= now);
      if (closed.length > 0) open = open.filter(({ until }) => until > now);
      // A new day's budget for each, so that it is not used up.
      for (const { userId, lamports } of closed) changes.push(changed(userId, -1, -lamports, now));
      return changes;
    },
  };
}
