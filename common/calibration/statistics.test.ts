import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areaEstimate,
  areaUnderCurve,
  bootstrapEstimate,
  brierEstimate,
  type ScoreTally,
  shareEstimate,
  tallyScores,
} from './statistics.ts';

const tallies = (...rows: [score: number | null, hits: number, misses: number][]): ScoreTally[] =>
  rows.map(([score, hits, misses]) => ({ score, hits, misses }));

/** Returns a function that yields the given numbers in turn. */
function numbers(...values: number[]): () => number {
  let next = 0;
  return () => values[next++ % values.length] ?? 0;
}

describe('the area under the curve', () => {
  test('is the share of pairs in which the case with the event has the higher score', () => {
    // Events at 20 and 40, others at 10 and 30: 3 of 4 pairs are in order.
    expect(areaUnderCurve(tallies([10, 0, 1], [20, 1, 0], [30, 0, 1], [40, 1, 0]))).toBe(0.75);
  });

  test('counts half of a pair with equal scores', () => {
    expect(areaUnderCurve(tallies([20, 1, 1]))).toBe(0.5);
    expect(areaUnderCurve(tallies([20, 1, 1], [50, 1, 0]))).toBe(0.75);
  });

  test('places an unknown score between Low and Medium', () => {
    expect(areaUnderCurve(tallies([30, 0, 1], [null, 1, 0]))).toBe(1);
    expect(areaUnderCurve(tallies([31, 0, 1], [null, 1, 0]))).toBe(0);
  });

  test('is unknown without both kinds of cases', () => {
    expect(areaUnderCurve(tallies([20, 3, 0]))).toBeNull();
    expect(areaUnderCurve([])).toBeNull();
    expect(areaEstimate(tallies([20, 1, 5]))).toBeNull();
  });

  test('has an interval by the variance of its placements', () => {
    // Placements of the events: 0.5 and 1; of the others: 1 and 0.5. Both variances are 0.125, so the variance is 0.125.
    const area = areaEstimate(tallies([10, 0, 1], [20, 1, 0], [30, 0, 1], [40, 1, 0]));
    expect(area?.value).toBe(0.75);
    expect(area?.low).toBeCloseTo(0.75 - 1.959964 * Math.sqrt(0.125), 6);
    expect(area?.high).toBe(1);
  });

  test('agrees with counting every pair', () => {
    const cases = fc.array(fc.record({ score: fc.integer({ min: 0, max: 10 }), hit: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(cases, (all) => {
        const hits = all.filter(({ hit }) => hit);
        const misses = all.filter(({ hit }) => !hit);
        const inOrder = hits.flatMap((a) => misses.map((b) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)));
        const share = inOrder.length === 0 ? null : inOrder.reduce<number>((sum, one) => sum + one, 0) / inOrder.length;
        const area = areaUnderCurve(tallyScores(all));
        if (share === null) expect(area).toBeNull();
        else expect(area).toBeCloseTo(share, 9);
      }),
    );
  });
});

describe('the Brier score', () => {
  test('is the mean squared distance of the score from what happened', () => {
    // (1 − 0.8)² + 0.8² + (0.3)² = 0.04 + 0.64 + 0.09 = 0.77 of three cases.
    expect(brierEstimate(tallies([80, 1, 1], [30, 0, 1]))?.value).toBeCloseTo(0.77 / 3, 9);
  });

  test('leaves unknown scores out', () => {
    expect(brierEstimate(tallies([50, 1, 1], [null, 5, 5]))).toEqual({ value: 0.25, low: 0.25, high: 0.25 });
    expect(brierEstimate(tallies([null, 5, 5]))).toBeNull();
  });
});

describe('a share', () => {
  test("has Wilson's interval", () => {
    // Published example: 10 of 100 gives 5.5 % to 17.4 %.
    const share = shareEstimate(10, 100);
    expect(share?.value).toBe(0.1);
    expect(share?.low).toBeCloseTo(0.0552, 4);
    expect(share?.high).toBeCloseTo(0.1744, 4);
  });

  test('has an interval also where nothing happened', () => {
    expect(shareEstimate(0, 20)).toMatchObject({ value: 0, low: 0 });
    expect(shareEstimate(0, 20)?.high).toBeCloseTo(0.1611, 4);
    expect(shareEstimate(0, 0)).toBeNull();
  });
});

describe('a bootstrap interval', () => {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

  test('spans the statistics of resamples', () => {
    // Every resample of two items draws the first, then the second.
    expect(bootstrapEstimate([1, 3], mean, numbers(0, 0.5))).toEqual({ value: 2, low: 2, high: 2 });
    // Draws in turn: both first, both second.
    expect(bootstrapEstimate([1, 3], mean, numbers(0, 0, 0.5, 0.5))).toEqual({ value: 2, low: 1, high: 3 });
  });

  test('is unknown where the statistic is', () => {
    expect(bootstrapEstimate([1, 3], () => null, Math.random)).toBeNull();
  });
});
