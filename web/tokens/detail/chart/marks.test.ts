import { expect, test } from 'vitest';
import { trade } from '../../../live/testing/build.ts';
import { walletMarks } from './marks.ts';

test('marks the trades of developer and insiders, and of no other wallet', () => {
  const labels = new Map([
    ['dev', ['developer', 'insider', 'top-10'] as const],
    ['in', ['insider', 'first-20'] as const],
    ['first', ['first-20'] as const],
  ]);
  const trades = [
    trade(1, { wallet: 'dev', sol: 2 }),
    trade(2, { wallet: 'in', side: 'sell', sol: null }),
    trade(3, { wallet: 'first' }),
    trade(4),
  ];
  expect(walletMarks(trades, labels).map(({ kind, side, text }) => [kind, side, text])).toEqual([
    ['developer', 'buy', 'Developer bought for 2.000 SOL'],
    ['insider', 'sell', 'Insider sold'],
  ]);
});
