import { describe, expect, test } from 'vitest';
import { curveProgress, isStandardStart, STANDARD_CURVE } from './curve.ts';

describe('curve', () => {
  test('progress is the share of the curve that is sold', () => {
    expect(curveProgress(STANDARD_CURVE.realToken)).toBe(0);
    expect(curveProgress(0)).toBe(100);
    expect(curveProgress(STANDARD_CURVE.realToken / 4)).toBe(75);
    expect(curveProgress(STANDARD_CURVE.realToken + 1)).toBeNull();
    expect(curveProgress(-1)).toBeNull();
  });

  test('a standard start has all three standard reserves; the quote side counts in SOL only', () => {
    expect(isStandardStart(STANDARD_CURVE, true)).toBe(true);
    expect(isStandardStart({ ...STANDARD_CURVE, virtualQuote: 4_500_000_000 }, true)).toBe(false);
    expect(isStandardStart({ ...STANDARD_CURVE, virtualQuote: 4_500_000_000 }, false)).toBe(true);
    expect(isStandardStart({ ...STANDARD_CURVE, realToken: 1 }, true)).toBe(false);
    expect(isStandardStart({ ...STANDARD_CURVE, virtualToken: 1 }, true)).toBe(false);
  });
});
