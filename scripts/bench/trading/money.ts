import type { Buy, Change, CoreAccount, CorePlan } from '../../../api/trading/plans/core/model.ts';
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
  let open: { userId: string; lamports: number; address: string; until: number }[] = [];

  /** Returns the account of a user after the book has changed. */
  function changed(
    userId: string,
    now: number,
    after: (book: CoreAccount['book']) => Partial<CoreAccount['book']>,
  ): Change {
    const before = accounts.get(userId) ?? benchAccount(userId, now);
    const { book } = before;
    const account = { ...before, book: { ...book, ...after(book) } };
    accounts.set(userId, account);
    return { type: 'account', account };
  }

  return {
    begin: (now) => [...new Set(plans.map(({ userId }) => userId))].map((userId) => changed(userId, now, () => ({}))),
    buy: (buy) => void bought.push(buy),
    changes(now) {
      const changes: Change[] = [];
      for (const { key, userId, address, lamports } of bought) {
        changes.push(
          changed(userId, now, ({ places, usedLamports }) => ({
            places: [...places, address],
            usedLamports: usedLamports + lamports,
          })),
        );
        for (const state of ['stored', 'held', 'over'] as const) {
          changes.push({ type: 'order', order: { key, state, hasBought: true, reason: null } });
        }
        open.push({ userId, lamports, address, until: now + random() * OPEN_MS });
      }
      bought = [];
      const closed = open.filter(({ until }) => until <= now);
      if (closed.length > 0) open = open.filter(({ until }) => until > now);
      // A new day's budget for each, so that it is not used up.
      for (const { userId, lamports, address } of closed) {
        changes.push(
          changed(userId, now, ({ places, usedLamports }) => ({
            places: places.toSpliced(places.indexOf(address), 1),
            usedLamports: usedLamports - lamports,
          })),
        );
      }
      return changes;
    },
  };
}
