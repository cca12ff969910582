import { describe, expect, test } from 'vitest';
import { exitAt, firstExit } from './exit.ts';
import { pathOf } from './testing/histories.ts';

const limits = { stopLoss: 10, takeProfit: 20 };

describe('stop loss and take profit', () => {
  test('sell at or beyond the limit', () => {
    expect([0.1, 0.119, 0.12, 0.13].map((price) => exitAt(limits, 0.1, price))).toEqual([
      null,
      null,
      'takeProfit',
      'takeProfit',
    ]);
    expect([0.091, 0.09, 0.05, 0].map((price) => exitAt(limits, 0.1, price))).toEqual([
      null,
      'stopLoss',
      'stopLoss',
      'stopLoss',
    ]);
  });

  test('ignore a limit that is not set or not above 0', () => {
    expect(exitAt({}, 1, 0)).toBeNull();
    expect(exitAt({ stopLoss: null, takeProfit: null }, 1, 100)).toBeNull();
    expect(exitAt({ stopLoss: 0, takeProfit: -5 }, 1, 1)).toBeNull();
  });

  test('sell the whole position at the first limit reached, skipping unknown prices', () => {
    const { points } = pathOf('price', '0:100 10:? 20:115 30:121 40:50');
    expect(firstExit(limits, 100, points)).toEqual({ by: 'takeProfit', at: points[3]?.at, change: 21 });
    expect(firstExit({ stopLoss: 10 }, 100, points)).toEqual({ by: 'stopLoss', at: points[4]?.at, change: -50 });
    expect(firstExit({ stopLoss: 60 }, 100, points)).toBeNull();
  });
});
