import { describe, expect, test } from 'vitest';
import type { BuyPlan } from './conditions.ts';
import { firstBuy } from './first-buy.ts';
import type { HistoryPoint } from './history.ts';
import { candidate, DETECTED, later, planOf, point } from './testing/histories.ts';

describe('a purchase prevented by an unknown value', () => {
  const unknownOf = (plan: BuyPlan, points: HistoryPoint[]) => {
    const found = firstBuy(plan, candidate, { detectedAt: DETECTED, points }, later(100));
    return found.at === null ? found.unknown : 'bought';
  };
  const manyHolders = planOf({ holderConfig: { option: 'buy_at_minimum_holders', minHolders: 10 } });
  const liquid = planOf({ timeConfig: { option: 'buy_immediately' } }, { minLiquidity: 5 });

  test('is reported when a value of the conditions is unknown at the end [S3-39]', () => {
    expect(unknownOf(manyHolders, [point(10, { price: 1 })])).toBe(true);
    expect(unknownOf(manyHolders, [point(0, {}), point(10, { holders: 3 })])).toBe(false);
    expect(unknownOf(manyHolders, [point(0, { holders: 3 }), point(10, {})])).toBe(true);
    expect(unknownOf(manyHolders, [point(0, {}), point(10, { holders: 10 })])).toBe('bought');
  });

  test('is reported when the value of a limit is unknown, unless the limit is missed later [S3-44]', () => {
    expect(unknownOf(liquid, [point(0, {})])).toBe(true);
    expect(unknownOf(liquid, [point(0, {}), point(10, { liquidity: 4 })])).toBe(false);
    const dip = planOf({ priceConfig: { option: 'buy_at_fixed_price', targetPrice: 1 } }, { minLiquidity: 5 });
    expect(unknownOf(dip, [point(0, { price: 1 }), point(10, { price: 2, liquidity: 9 })])).toBe(true);
  });
});

describe('the first purchase along a path', () => {
  test('can be caused by time between two points [S3-40]', () => {
    const plan = planOf({ timeConfig: { option: 'buy_after_duration', duration: 90 } });
    const path = { detectedAt: DETECTED, points: [0, 60, 120].map((at) => point(at, { price: 1 })) };
    expect(firstBuy(plan, candidate, path, later(200))).toEqual({ at: later(90) });
    expect(firstBuy(plan, candidate, path, later(89))).toEqual({ at: null, unknown: false });
  });

  test('waits for the liquidity limit [S3-44]', () => {
    const points = [point(0, { liquidity: null }), point(10, { liquidity: 1 }), point(20, { liquidity: 2 })];
    const plan = planOf({ timeConfig: { option: 'buy_immediately' } }, { minLiquidity: 2, maxScamProbability: 30 });
    const path = { detectedAt: DETECTED, points };
    expect(firstBuy(plan, candidate, path, later(100))).toEqual({ at: later(20) });
    expect(firstBuy(plan, { ...candidate, risk: null }, path, later(100))).toEqual({ at: null, unknown: true });
    expect(firstBuy(plan, { ...candidate, risk: 31 }, path, later(100))).toEqual({ at: null, unknown: false });
  });
});
