import { describe, expect, test } from 'vitest';
import { EarlyBuyers } from './early-buyers.ts';
import type { LedgerTrade } from './stake.ts';

const AT = 1_790_000_000_000;
const SLOT = 10;

/** Returns early buyers after these buys; each is of another size unless given. */
const buyers = (...buys: Partial<LedgerTrade>[]) => buyersAt(400, ...buys);

/** The same on a cluster with slots of `slotMs`. */
function buyersAt(slotMs: number | null, ...buys: Partial<LedgerTrade>[]): EarlyBuyers {
  const early = new EarlyBuyers(SLOT, slotMs);
  for (const [index, buy] of buys.entries()) {
    const amount = buy.amount ?? 100 + index;
    const trade: LedgerTrade = { side: 'buy', wallet: 'a', lamports: null, at: AT, slot: SLOT + 20, ...buy, amount };
    early.apply(trade, 0, amount);
  }
  return early;
}

const insiderNames = (early: EarlyBuyers, ...wallets: string[]) => wallets.filter((wallet) => early.isInsider(wallet));

describe('insiders', () => {
  test('are the buyers up to 0.8 s after the creation', () => {
    const early = buyers(
      { wallet: 'same', slot: SLOT },
      { wallet: 'second', slot: SLOT + 2 },
      { wallet: 'third', slot: SLOT + 3 },
      { wallet: 'before', slot: SLOT - 1 },
      { wallet: 'undated', slot: null },
    );
    expect(insiderNames(early, 'same', 'second', 'third', 'before', 'undated')).toEqual(['same', 'second']);
    expect(early.insiders()).toMatchObject({ wallets: 2, bought: 201, held: 201, sold: 0 });
    expect(early.outsiders()).toBe(3);
  });

  test.each([
    [null, 2, 10],
    [400, 2, 10],
    [350, 3, 12],
    [200, 4, 20],
  ])(
    'with slots of %s ms these are %d slots, and equal buys are compared for %d',
    (slotMs, insiderSlots, equalSlots) => {
      const early = buyersAt(
        slotMs,
        { wallet: 'in time', slot: SLOT + insiderSlots },
        { wallet: 'late', slot: SLOT + insiderSlots + 1 },
      );
      expect(insiderNames(early, 'in time', 'late')).toEqual(['in time']);
      const equal = (slot: number) =>
        buyersAt(slotMs, ...['a', 'b', 'c'].map((wallet) => ({ wallet, slot: SLOT + slot, amount: 777 })));
      expect(equal(equalSlots).insiders()).toMatchObject({ wallets: 3 });
      expect(equal(equalSlots + 1).insiders()).toMatchObject({ wallets: 0 });
    },
  );

  test.each<[string, Partial<LedgerTrade>]>([
    ['base units', { amount: 777 }],
    ['lamports', { lamports: 500_000_000 }],
  ])('are three wallets with equal first buys in %s within 4 s', (_unit, equal) => {
    const slot = SLOT + 10;
    const two = buyers({ wallet: 'a', slot, ...equal }, { wallet: 'b', slot, ...equal });
    expect(insiderNames(two, 'a', 'b')).toEqual([]);
    const three = buyers(
      { wallet: 'a', slot, ...equal },
      { wallet: 'b', slot, ...equal },
      { wallet: 'other', slot },
      { wallet: 'late', slot: slot + 1, ...equal },
      { wallet: 'c', slot, ...equal },
    );
    expect(insiderNames(three, 'a', 'b', 'c', 'other', 'late')).toEqual(['a', 'b', 'c']);
  });

  test('are wallets that the developer, or three that one common wallet has funded', () => {
    const wallets = ['a', 'b', 'c', 'd', 'e', 'f'];
    const early = buyers(...wallets.map((wallet) => ({ wallet })));
    const funders = { a: 'creator', b: 'one', c: 'one', d: 'one', e: 'two', f: 'two' };
    early.addFunders(
      Object.entries(funders).map(([wallet, funder]) => ({ wallet, funder })),
      (wallet) => wallet === 'creator',
    );
    expect(insiderNames(early, ...wallets)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('count with the trades they made before they were found', () => {
    const early = buyers({ wallet: 'a', amount: 100 });
    early.apply({ side: 'sell', wallet: 'a', amount: 40, lamports: 5, at: AT + 9, slot: null }, 100, 60);
    early.addFunders([{ wallet: 'a', funder: 'creator' }], () => true);
    expect(early.insiders()).toMatchObject({ bought: 100, sold: 40, held: 60, soldShare: 40, lastSaleAt: AT + 9 });
  });

  test('lose the trades of a wallet that turns out to be the developer, but not their last sale', () => {
    const early = buyers({ wallet: 'a', amount: 100, slot: SLOT }, { wallet: 'b', amount: 50, slot: SLOT });
    early.apply({ side: 'sell', wallet: 'a', amount: 40, lamports: 5, at: AT + 9, slot: null }, 100, 60);
    expect(early.insiders()).toMatchObject({ bought: 150, sold: 40, held: 110 });
    expect(early.take('a')).toMatchObject({ bought: 100, sold: 40, held: 60 });
    const left = { bought: 50, sold: 0, held: 50, soldLamports: 0, wallets: 1, lastSaleAt: AT + 9 };
    expect(early.insiders()).toMatchObject(left);
  });

  test('are unknown while the slot of the creation is', () => {
    expect(new EarlyBuyers(null, null).insiders()).toBeNull();
  });

  test('are followed up to 200 wallets, other first buyers up to 60', () => {
    const many = (slot: number) =>
      buyers(...Array.from({ length: 250 }, (_, index) => ({ wallet: String(index), slot })));
    expect(many(SLOT).insiders()).toMatchObject({ wallets: 200 });
    expect(many(SLOT + 20).outsiders()).toBe(60);
    expect(many(SLOT + 20).first(2)).toEqual(['0', '1']);
  });
});
