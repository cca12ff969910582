import { expect, test } from 'vitest';
import { NOON, trade } from '../../../live/testing/build.ts';
import type { WalletLabels } from '../use-detail.ts';
import { filterTrades, lastMinute, wholeTape } from './filter.ts';

/** Newest first. */
const trades = [
  trade(5, { wallet: 'dev', side: 'sell', sol: 2 }),
  trade(4, { wallet: 'b', side: 'buy', sol: 0.1 }),
  trade(3, { wallet: 'a', side: 'sell', sol: 0.05 }),
  trade(2, { wallet: 'b', side: 'buy', sol: null }),
  trade(1, { wallet: 'a', side: 'buy', sol: 1 }),
];
const labels: WalletLabels = new Map([
  ['dev', ['developer', 'top-10']],
  ['b', ['insider']],
]);
const numbers = (filter: Partial<typeof wholeTape>) =>
  filterTrades(trades, { ...wholeTape, ...filter }, labels).map(({ id }) => Number(id.slice(6)));

test('filters trades by size, side, developer, insiders and wallet', () => {
  expect(numbers({})).toEqual([5, 4, 3, 2, 1]);
  expect(numbers({ size: 0.1 })).toEqual([5, 4, 1]);
  expect(numbers({ size: 1 })).toEqual([5, 1]);
  expect(numbers({ kind: 'buy' })).toEqual([4, 2, 1]);
  expect(numbers({ kind: 'developer' })).toEqual([5]);
  expect(numbers({ kind: 'insider' })).toEqual([4, 2]);
  expect(numbers({ wallet: 'a', kind: 'sell' })).toEqual([3]);
});

test('sums the trades of the last minute, at least those that are known', () => {
  const now = NOON + 62_500;
  expect(lastMinute(trades, now, 10)).toEqual({ buys: 1, bought: 0.1, sells: 2, sold: 2.05, isWhole: true });
  expect(lastMinute(trades, now, 3).isWhole).toBe(false);
});

test('a sum with a part that is unknown is unknown', () => {
  const now = NOON + 60_000;
  expect(lastMinute(trades, now, 10)).toMatchObject({ buys: 3, bought: null, sells: 2, sold: 2.05 });
});
