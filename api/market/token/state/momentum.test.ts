import { describe, expect, test } from 'vitest';
import { Momentum } from './momentum.ts';

const AT = 1_790_000_010_000;
const MINUTE = 60_000;

function buy(at: number, wallet: string, lamports: number | null = 1e9) {
  return { at, wallet, lamports, side: 'buy' as const };
}

describe('momentum', () => {
  test('reads price change, net inflow, buyers and holders gained within five minutes', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'a'), 1, 10);
    momentum.add(buy(AT + MINUTE, 'b', 3e9), 1.2, 11);
    momentum.add({ ...buy(AT + 2 * MINUTE, 'a', 1e9), side: 'sell' }, 1.8, 12);
    expect(momentum.read(AT + 2 * MINUTE, 1.5, 12)).toEqual({
      priceChange: 50,
      netInflow: 3e9,
      buyers: 2,
      holderGain: 2,
    });
  });

  test('drops data older than five minutes', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'a'), 1, 10);
    momentum.add(buy(AT + 4 * MINUTE, 'b'), 2, 12);
    expect(momentum.read(AT + 5 * MINUTE, 3, 12)).toEqual({
      priceChange: 50,
      netInflow: 1e9,
      buyers: 1,
      holderGain: 0,
    });
    expect(momentum.isEmpty(AT + 5 * MINUTE)).toBe(false);
    expect(momentum.isEmpty(AT + 10 * MINUTE)).toBe(true);
    expect(momentum.read(AT + 10 * MINUTE, 3, 12)).toEqual({ priceChange: 0, netInflow: 0, buyers: 0, holderGain: 0 });
  });

  test('unknown input gives unknown figures', () => {
    const momentum = new Momentum();
    momentum.add(buy(AT, 'a', null), null, null);
    expect(momentum.read(AT, null, null)).toEqual({ priceChange: null, netInflow: null, buyers: 1, holderGain: null });
    expect(momentum.read(AT, 5, 3)).toMatchObject({ priceChange: 0, holderGain: null });
  });

  test('counts a bounded number of buyers', () => {
    const momentum = new Momentum();
    for (let wallet = 0; wallet < 5_000; wallet += 1) momentum.add(buy(AT + wallet, String(wallet)), 1, 1);
    expect(momentum.read(AT + 5_000, 1, 1).buyers).toBe(40);
  });
});
