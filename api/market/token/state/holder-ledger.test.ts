import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BookTrade, WalletBook } from './holder-ledger.ts';

const AT = 1_790_000_000_000;
const creation = { creator: 'creator', at: AT, slot: 10 };

function book(...trades: Partial<BookTrade>[]): WalletBook {
  const made = new WalletBook(creation);
  for (const trade of trades) made.apply({ side: 'buy', wallet: 'a', amount: 10, at: AT, slot: 11, ...trade });
  return made;
}

describe('wallet book', () => {
  test('counts wallets that hold something', () => {
    const made = book({}, { wallet: 'b' }, { wallet: 'b', side: 'sell' }, { wallet: 'c', amount: 1 });
    expect(made.holders()).toBe(2);
    expect(made.top()).toEqual([
      { wallet: 'a', amount: 10 },
      { wallet: 'c', amount: 1 },
    ]);
  });

  test('a wallet that sells more than it bought ends at zero', () => {
    expect(book({ amount: 5 }, { side: 'sell', amount: 50 }, { amount: 3 }).top()).toEqual([
      { wallet: 'a', amount: 3 },
    ]);
  });

  test('the top is what sorting all balances would give', () => {
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
        const made = book(...trades);
        expect(made.holders()).toBe(held.length);
        expect(made.top().map(({ amount }) => amount)).toEqual(held.slice(0, 20));
      }),
    );
  });

  test('tells what bundled buyers hold: others in the slot of the creation', () => {
    const made = book(
      { wallet: 'creator', amount: 100, slot: 10 },
      { wallet: 'bundle', amount: 7, slot: 10 },
      { wallet: 'later', amount: 9, slot: 11 },
    );
    expect(made.sameSlotHolds()).toBe(7);
    expect(made.creatorHolds()).toBe(100);
    expect(new WalletBook({ ...creation, slot: null }).sameSlotHolds()).toBeNull();
  });

  test('tells the share of its first buy that the creator sold within 60 s', () => {
    const firstBuy = { wallet: 'creator', amount: 100 };
    const sale = { ...firstBuy, side: 'sell' as const };
    expect(book(firstBuy, { ...sale, amount: 30, at: AT + 60_000 }).creatorSoldEarly()).toBe(30);
    expect(book(firstBuy, { ...sale, amount: 30, at: AT + 60_001 }).creatorSoldEarly()).toBe(0);
    expect(book(firstBuy, firstBuy, { ...sale, amount: 200 }).creatorSoldEarly()).toBe(100);
    expect(book().creatorSoldEarly()).toBe(0);
    expect(new WalletBook({ ...creation, creator: null }).creatorSoldEarly()).toBeNull();
  });

  test('counts buys until somebody but the creator sells', () => {
    const buys = Array.from({ length: 21 }, (_, wallet) => ({ wallet: String(wallet) }));
    const made = book(...buys, { wallet: 'creator', side: 'sell' });
    expect(made.buysWithoutSell()).toBe(21);
    made.apply({ side: 'sell', wallet: '3', amount: 1, at: AT, slot: null });
    made.apply({ side: 'buy', wallet: '3', amount: 1, at: AT, slot: null });
    expect(made.buysWithoutSell()).toBe(0);
  });

  test('stays bounded: beyond 10,000 wallets the smallest go, the top stays, and the count is unknown', () => {
    const made = new WalletBook(creation);
    for (let wallet = 0; wallet < 25_000; wallet += 1) {
      made.apply({ side: 'buy', wallet: String(wallet), amount: wallet + 1, at: AT, slot: 11 });
    }
    expect(made.size).toBeLessThanOrEqual(10_000);
    expect(made.holders()).toBeNull();
    expect(made.top()[0]).toEqual({ wallet: '24999', amount: 25_000 });
  });
});
