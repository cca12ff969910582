import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HolderLedger, type LedgerTrade } from './holder-ledger.ts';

const AT = 1_790_000_000_000;
const creation = { creator: 'creator', at: AT, slot: 10 };

function ledger(...trades: Partial<LedgerTrade>[]): HolderLedger {
  const filled = new HolderLedger(creation);
  for (const trade of trades) filled.apply({ side: 'buy', wallet: 'a', amount: 10, at: AT, slot: 11, ...trade });
  return filled;
}

describe('holder ledger', () => {
  test('counts wallets with a balance', () => {
    const holders = ledger({}, { wallet: 'b' }, { wallet: 'b', side: 'sell' }, { wallet: 'c', amount: 1 });
    expect(holders.holders()).toBe(2);
    expect(holders.top()).toEqual([
      { wallet: 'a', amount: 10 },
      { wallet: 'c', amount: 1 },
    ]);
  });

  test('a wallet that sells more than it bought ends at zero', () => {
    expect(ledger({ amount: 5 }, { side: 'sell', amount: 50 }, { amount: 3 }).top()).toEqual([
      { wallet: 'a', amount: 3 },
    ]);
  });

  test('the top wallets equal those of a full sort', () => {
    const anyTrade = fc.record({
      wallet: fc.integer({ min: 0, max: 60 }).map(String),
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'buy', 'sell'),
      amount: fc.integer({ min: 1, max: 1_000 }),
    });
    fc.assert(
      fc.property(fc.array(anyTrade, { maxLength: 200 }), (trades) => {
        const balances = new Map<string, number>();
        for (const { wallet, side, amount } of trades) {
          const next = (balances.get(wallet) ?? 0) + (side === 'buy' ? amount : -amount);
          balances.set(wallet, Math.max(0, next));
        }
        const held = [...balances.values()].filter((amount) => amount > 0).sort((a, b) => b - a);
        const holders = ledger(...trades);
        expect(holders.holders()).toBe(held.length);
        expect(holders.top().map(({ amount }) => amount)).toEqual(held.slice(0, 20));
      }),
    );
  });

  test('returns the balance of bundled buyers: other wallets in the slot of the creation', () => {
    const holders = ledger(
      { wallet: 'creator', amount: 100, slot: 10 },
      { wallet: 'bundle', amount: 7, slot: 10 },
      { wallet: 'later', amount: 9, slot: 11 },
    );
    expect(holders.sameSlotHolds()).toBe(7);
    expect(holders.creatorHolds()).toBe(100);
    expect(new HolderLedger({ ...creation, slot: null }).sameSlotHolds()).toBeNull();
  });

  test('returns the share of its first buy that the creator sold within 60 s', () => {
    const firstBuy = { wallet: 'creator', amount: 100 };
    const sale = { ...firstBuy, side: 'sell' as const };
    expect(ledger(firstBuy, { ...sale, amount: 30, at: AT + 60_000 }).creatorSoldEarly()).toBe(30);
    expect(ledger(firstBuy, { ...sale, amount: 30, at: AT + 60_001 }).creatorSoldEarly()).toBe(0);
    expect(ledger(firstBuy, firstBuy, { ...sale, amount: 200 }).creatorSoldEarly()).toBe(100);
    expect(ledger().creatorSoldEarly()).toBe(0);
    expect(new HolderLedger({ ...creation, creator: null }).creatorSoldEarly()).toBeNull();
  });

  test('counts buys until a wallet other than the creator sells', () => {
    const buys = Array.from({ length: 21 }, (_, wallet) => ({ wallet: String(wallet) }));
    const holders = ledger(...buys, { wallet: 'creator', side: 'sell' });
    expect(holders.buysWithoutSell()).toBe(21);
    holders.apply({ side: 'sell', wallet: '3', amount: 1, at: AT, slot: null });
    holders.apply({ side: 'buy', wallet: '3', amount: 1, at: AT, slot: null });
    expect(holders.buysWithoutSell()).toBe(0);
  });

  test('drops the smallest wallets beyond 10,000, keeps the top, and then has no count', () => {
    const holders = new HolderLedger(creation);
    for (let wallet = 0; wallet < 25_000; wallet += 1) {
      holders.apply({ side: 'buy', wallet: String(wallet), amount: wallet + 1, at: AT, slot: 11 });
    }
    expect(holders.size).toBeLessThanOrEqual(10_000);
    expect(holders.holders()).toBeNull();
    expect(holders.top()[0]).toEqual({ wallet: '24999', amount: 25_000 });
  });
});
