import { expect, test } from 'vitest';
import { detail, NOON, trade } from '../../../live/testing/build.ts';
import { filterTrades, lastMinute, walletLabels, wholeTape } from './filter.ts';

/** Newest first. */
const trades = [
  trade(5, { wallet: 'dev', side: 'sell', sol: 2 }),
  trade(4, { wallet: 'b', side: 'buy', sol: 0.1 }),
  trade(3, { wallet: 'a', side: 'sell', sol: 0.05 }),
  trade(2, { wallet: 'b', side: 'buy', sol: null }),
  trade(1, { wallet: 'a', side: 'buy', sol: 1 }),
];
const numbers = (filter: Partial<typeof wholeTape>) =>
  filterTrades(trades, { ...wholeTape, ...filter }, new Set(['dev'])).map(({ id }) => Number(id.slice(6)));

test('filters trades by size, side, developer and wallet', () => {
  expect(numbers({})).toEqual([5, 4, 3, 2, 1]);
  expect(numbers({ size: 0.1 })).toEqual([5, 4, 1]);
  expect(numbers({ size: 1 })).toEqual([5, 1]);
  expect(numbers({ kind: 'buy' })).toEqual([4, 2, 1]);
  expect(numbers({ kind: 'developer' })).toEqual([5]);
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

test('labels the developer, the largest holders and, while all trades are known, the first buyers', () => {
  const token = detail(1, { creatorAddress: 'dev', creationSigner: null, buys: 3, sells: 2 });
  const holder = { wallet: 'b', tokens: 1, share: 1, isCreator: false };
  expect([...walletLabels(token, trades, [holder])]).toEqual([
    ['a', 'First 20'],
    ['b', 'Top 10'],
    ['dev', 'Developer'],
  ]);
  expect(walletLabels({ ...token, buys: 4 }, trades, []).get('a')).toBeUndefined();
  expect(walletLabels({ ...token, buys: null }, trades, []).get('a')).toBeUndefined();
});
