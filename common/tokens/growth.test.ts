import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type GrowthWindow, growthScore } from './growth.ts';

const still: GrowthWindow = { priceChange: 0, netInflow: 0, buyers: 0 };
const anyWindow = fc.record({
  priceChange: fc.double({ min: -100, max: 100_000, noNaN: true }),
  netInflow: fc.option(fc.integer({ min: -1e12, max: 1e12 })),
  buyers: fc.nat(1_000),
});

describe('growth score', () => {
  test('no change gives 0 and full parts give 100 [S3-08]', () => {
    expect(growthScore(still)).toBe(0);
    expect(growthScore({ priceChange: 100, netInflow: 15e9, buyers: 30 })).toBe(100);
  });

  test('each part follows the formula [S3-08]', () => {
    expect(growthScore({ ...still, priceChange: 40 })).toBe(18);
    expect(growthScore({ ...still, netInflow: 4e9 })).toBe(8);
    expect(growthScore({ ...still, buyers: 6 })).toBe(5);
    expect(growthScore({ priceChange: 40, netInflow: -4e9, buyers: 6 })).toBe(15);
  });

  test('is null without a price [S3-08]', () => {
    expect(growthScore({ ...still, priceChange: null, buyers: 50 })).toBeNull();
  });

  test('leaves unknown parts out instead of counting them as 0 [S3-08]', () => {
    expect(growthScore({ priceChange: 100, netInflow: null, buyers: 30 })).toBe(100);
  });

  test('is a whole number from 0 to 100 that never falls with a higher price [S3-08]', () => {
    fc.assert(
      fc.property(anyWindow, fc.double({ min: 0, max: 1_000, noNaN: true }), (window, rise) => {
        const score = growthScore(window) ?? Number.NaN;
        expect(Number.isInteger(score)).toBe(true);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(growthScore({ ...window, priceChange: window.priceChange + rise })).toBeGreaterThanOrEqual(score);
      }),
    );
  });
});
