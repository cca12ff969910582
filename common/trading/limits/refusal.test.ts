import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../../testing/effort.ts';
import { defaultLimits, KEPT_BACK_LAMPORTS } from '../account.ts';
import { dayOf, emptyBook } from './book.ts';
import { defaultProtections } from './protections.ts';
import { holdRefusal, type LimitedAccount, mostPurchase } from './refusal.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const SOL = 1_000_000_000;

/** An account without a lock, whose figures decide. */
function accountOf({ perTrade = SOL, perDay = 2 * SOL, used = 0, money = 5 * SOL }): LimitedAccount {
  return {
    limits: { ...defaultLimits, perTradeLamports: perTrade, perDayLamports: perDay },
    protections: defaultProtections,
    isStopped: false,
    book: { ...emptyBook(dayOf(NOW)), usedLamports: used },
    moneyLamports: money,
    unknownOrders: 0,
  };
}

test('the largest purchase is allowed, and one lamport more is refused', () => {
  const amount = fc.integer({ min: 1, max: 4 * SOL });
  fc.assert(
    fc.property(
      fc.record({ perTrade: amount, perDay: amount, used: amount, money: amount }),
      fc.integer({ min: 0, max: SOL / 100 }),
      (figures, costs) => {
        const account = accountOf(figures);
        const refusalOf = (lamports: number) =>
          holdRefusal(account, { lamports, totalLamports: lamports + costs, address: 'coin', isAutomatic: false }, NOW);
        const most = mostPurchase(account, { freeLamports: account.moneyLamports, costs }, NOW) ?? 0;
        if (most > 0) expect(refusalOf(most)).toBeNull();
        expect(refusalOf(most + 1)).not.toBeNull();
      },
    ),
    { numRuns: rounds(500) },
  );
});

test('it leaves the costs and the reserve for a sale in the wallet, and is unknown with the money', () => {
  const account = accountOf({ money: SOL / 2 });
  const costs = 2_144_280;
  expect(mostPurchase(account, { freeLamports: SOL / 2, costs }, NOW)).toBe(SOL / 2 - costs - KEPT_BACK_LAMPORTS);
  expect(mostPurchase(account, { freeLamports: null, costs }, NOW)).toBeNull();
  expect(mostPurchase(account, { freeLamports: costs, costs }, NOW)).toBe(0);
});
