import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../../common/time.ts';
import { Momentum, type WindowTrade } from './momentum.ts';

const AT = 1_790_000_010_000;

function buy(at: number, wallet: string, overrides: Partial<WindowTrade> = {}): WindowTrade {
  return { at, wallet, side: 'buy', lamports: 1e9, priceBefore: 1, priceAfter: 1, ...overrides };
}

describe('momentum', () => {
  test('reads price change, net inflow and buyers within five minutes', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'a', { priceAfter: 1.2 }), false);
    momentum.add(buy(AT + MINUTE, 'b', { lamports: 3e9, priceBefore: 1.2, priceAfter: 1.8 }), false);
    momentum.add(buy(AT + 2 * MINUTE, 'a', { side: 'sell', priceBefore: 1.8, priceAfter: 1.5 }), false);
    const { priceChange, ...rest } = momentum.read(AT + 2 * MINUTE, 1.5);
    expect(priceChange).toBeCloseTo(50, 9);
    expect(rest).toEqual({ netInflow: 3e9, buyers: 2 });
  });

  test('drops data older than five minutes', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'a', { priceAfter: 2 }), false);
    momentum.add(buy(AT + 4 * MINUTE, 'b', { priceBefore: 2, priceAfter: 3 }), false);
    const { priceChange, ...rest } = momentum.read(AT + 5 * MINUTE, 3);
    expect(priceChange).toBeCloseTo(50, 9);
    expect(rest).toEqual({ netInflow: 1e9, buyers: 1 });
    expect(momentum.isEmpty(AT + 5 * MINUTE)).toBe(false);
    expect(momentum.isEmpty(AT + 10 * MINUTE)).toBe(true);
    expect(momentum.read(AT + 10 * MINUTE, 3)).toEqual({ priceChange: 0, netInflow: 0, buyers: 0 });
  });

  test('unknown input gives unknown figures', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'a', { lamports: null, priceBefore: null }), false);
    expect(momentum.read(AT, null)).toEqual({ priceChange: null, netInflow: null, buyers: 1 });
    expect(momentum.read(AT, 5)).toMatchObject({ priceChange: 0 });
  });

  test('buys of insiders and below 0.05 SOL give no growth, and their sales take some away', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'insider', { priceAfter: 2 }), true);
    for (let wallet = 0; wallet < 20; wallet += 1) {
      momentum.add(buy(AT, `dust ${wallet}`, { lamports: 49_999_999, priceBefore: 2, priceAfter: 2.1 }), false);
    }
    expect(momentum.read(AT, 2)).toEqual({ priceChange: 0, netInflow: 0, buyers: 0 });
    expect(momentum.outsideBuyers(() => false, null)).toBe(0);
    momentum.add(buy(AT, 'insider', { side: 'sell', priceBefore: 2, priceAfter: 1 }), true);
    expect(momentum.read(AT, 1)).toMatchObject({ priceChange: expect.closeTo(-50, 9), netInflow: -1e9 });
  });

  test('counts a bounded number of buyers, without those that turn out to be insiders', () => {
    const momentum = new Momentum();
    for (let wallet = 0; wallet < 5_000; wallet += 1) momentum.add(buy(AT + wallet, String(wallet)), false);
    expect(momentum.read(AT + 5_000, 1).buyers).toBe(40);
    expect(momentum.outsideBuyers(() => false, null)).toBe(10);
    expect(momentum.outsideBuyers((limit, wallet) => Number(wallet) < limit, 4)).toBe(6);
    momentum.add(buy(AT, 'another'), false);
    expect(momentum.outsideBuyers(() => false, null)).toBe(7);
  });
});
