import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HolderLedger } from './holder-ledger.ts';
import type { LedgerTrade } from './stake.ts';

const AT = 1_790_000_000_000;
const creation = { developer: ['creator'], at: AT, slot: 10, slotMs: null };

function ledger(...trades: Partial<LedgerTrade>[]): HolderLedger {
  const filled = new HolderLedger(creation);
  for (const trade of trades)
    filled.apply({ side: 'buy', wallet: 'a', amount: 10, lamports: null, at: AT, slot: 30, ...trade });
  return filled;
}

function buyOf(wallet: string, amount: number): LedgerTrade {
  return { side: 'buy', wallet, amount, lamports: null, at: AT, slot: 30 };
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

  test('an outside holder counts from 0.05 SOL bought, until it is empty', () => {
    const buy = (wallet: string, lamports: number | null) => ({ wallet, lamports, amount: 10 });
    const dust = [buy('a', 20_000_000), buy('a', 29_999_999), buy('b', 1), buy('creator', 1)];
    expect(ledger(...dust).outsideHolders()).toBe(0);
    expect(ledger(...dust, buy('a', 1), buy('c', 50_000_000), buy('d', null)).outsideHolders()).toBe(3);
    const emptied = [buy('a', 50_000_000), { wallet: 'a', side: 'sell' as const, amount: 10 }];
    expect(ledger(...dust.slice(2), ...emptied).outsideHolders()).toBe(0);
    expect(ledger(...emptied, buy('a', 1)).outsideHolders()).toBe(0);
    expect(ledger(...dust).holders()).toBe(3);
  });

  test('a stake follows purchases, holding and the highest share sold', () => {
    const buy = { wallet: 'creator', amount: 100 };
    const sale = { ...buy, side: 'sell' as const, lamports: 7 };
    const sold = ledger(buy, { ...sale, amount: 30 }).developer();
    expect(sold).toMatchObject({ bought: 100, held: 70, sold: 30, soldShare: 30, soldLamports: 7, lastSaleAt: AT });
    // Buying again does not make the sale smaller.
    expect(ledger(buy, { ...sale, amount: 50 }, buy).developer()).toMatchObject({ bought: 200, soldShare: 50 });
    expect(ledger(buy, { ...sale, amount: 200 }).developer()).toMatchObject({ held: 0, soldShare: 100 });
    expect(new HolderLedger({ ...creation, developer: [] }).developer()).toBeNull();
  });

  test('returns the share of its purchases that the developer sold within five minutes', () => {
    const buy = { wallet: 'creator', amount: 100 };
    const sale = { ...buy, side: 'sell' as const, amount: 30 };
    expect(ledger(buy, { ...sale, at: AT + 300_000 }).developer()?.soldEarlyShare).toBe(30);
    expect(ledger(buy, { ...sale, at: AT + 300_001 }).developer()?.soldEarlyShare).toBe(0);
  });

  test('the developer is every wallet that named, signed or paid for the creation', () => {
    const holders = new HolderLedger({ ...creation, developer: ['creator', 'signer'] });
    for (const wallet of ['creator', 'signer', 'payer', 'stranger']) holders.apply(buyOf(wallet, 100));
    expect(holders.developer()?.bought).toBe(200);
    holders.addDeveloper('payer');
    expect(holders.developer()).toMatchObject({ bought: 300, held: 300 });
    expect(holders.isInsider('payer')).toBe(true);
    expect(holders.outsideBuyers()).toBe(1);
    expect(holders.outsideHolders()).toBe(1);
  });

  test('counts what wallets sold without having bought it', () => {
    const holders = ledger(
      { wallet: 'creator', amount: 100 },
      { wallet: 'stranger', side: 'sell', amount: 60, at: AT + 5 },
    );
    expect(holders.unboughtSales()).toBe(60);
    expect(holders.insiderExit(true)).toMatchObject({ share: 0.6 });
    expect(holders.lastInsiderSaleAt()).toBe(AT + 5);
    expect(ledger().lastInsiderSaleAt()).toBe(Number.NEGATIVE_INFINITY);
  });

  test('coins that strangers bought elsewhere are no exit of insiders', () => {
    const holders = ledger({ wallet: 'stranger', side: 'sell', amount: 60, at: AT + 5 });
    expect(holders.unboughtSales()).toBe(0);
    expect(holders.insiderExit(true)).toMatchObject({ share: 0, received: 0 });
    expect(holders.lastInsiderSaleAt()).toBe(Number.NEGATIVE_INFINITY);
  });

  test('counts buys until a wallet other than the creator sells', () => {
    const buys = Array.from({ length: 21 }, (_, wallet) => ({ wallet: String(wallet) }));
    const holders = ledger(...buys, { wallet: 'creator', side: 'sell' });
    expect(holders.buysWithoutSell()).toBe(21);
    holders.apply({ side: 'sell', wallet: '3', amount: 1, at: AT, slot: null, lamports: null });
    holders.apply({ side: 'buy', wallet: '3', amount: 1, at: AT, slot: null, lamports: null });
    expect(holders.buysWithoutSell()).toBe(0);
  });

  test('drops the smallest wallets beyond 10,000, keeps the top, and then has no count', () => {
    const holders = new HolderLedger(creation);
    for (let wallet = 0; wallet < 25_000; wallet += 1) {
      holders.apply({ side: 'buy', wallet: String(wallet), amount: wallet + 1, lamports: null, at: AT, slot: 30 });
    }
    expect(holders.size).toBeLessThanOrEqual(10_000);
    expect(holders.holders()).toBeNull();
    expect(holders.top()[0]).toEqual({ wallet: '24999', amount: 25_000 });
  });
});
