import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CaseTotals } from '../../common/calibration/model.ts';
import { DAY, HOUR, MINUTE } from '../../common/time.ts';
import type { OpenCase } from './case.ts';
import { createDayCounts, type DayCounts, RETENTION } from './day-counts.ts';

const TAKEN = Date.UTC(2026, 8, 1, 12);

function settledCase(fields: Partial<OpenCase> = {}): OpenCase {
  const takenAt = fields.takenAt ?? TAKEN;
  return {
    _id: 'coin:120000',
    address: 'coin',
    market: 'live',
    rulesVersion: 2,
    age: 2 * MINUTE,
    takenAt,
    settlesAt: takenAt + HOUR,
    score: 20,
    coverage: 90,
    growth: null,
    runner: false,
    mightRun: false,
    stage: 'curve',
    liquidity: 10,
    lowestLiquidity: 10,
    price: 1,
    highestPrice: 1,
    graduated: false,
    complete: true,
    ...fields,
  };
}

test('a case that settles during a write is not part of it', () => {
  const counts = createDayCounts();
  counts.settle(settledCase(), TAKEN + HOUR);
  const written = counts.takeChanged();
  counts.settle(settledCase(), TAKEN + 2 * HOUR);
  expect(written).toMatchObject([{ settledThrough: TAKEN + HOUR, scores: [{ score: 20, cases: 1 }] }]);
});

test('records of a failed write are written again with the cases settled since', () => {
  const counts = createDayCounts();
  counts.settle(settledCase(), TAKEN + HOUR);
  const failed = counts.takeChanged();
  counts.settle(settledCase({ market: 'simulated' }), TAKEN + HOUR);
  counts.takeChanged();
  counts.settle(settledCase(), TAKEN + 2 * HOUR);
  counts.takeChanged();
  counts.restoreChanged(failed);
  expect(counts.takeChanged()).toMatchObject([{ market: 'live', scores: [{ cases: 2 }] }]);
});

test('an expired record of a failed write is not written again', () => {
  const counts = createDayCounts();
  counts.settle(settledCase(), TAKEN + HOUR);
  const failed = counts.takeChanged();
  counts.expire(TAKEN + RETENTION + DAY);
  counts.restoreChanged(failed);
  expect(counts.takeChanged()).toEqual([]);
});

describe('totals', () => {
  /** Returns the counts of each age and score: integers, whose sums depend on no order. */
  function summed(counts: readonly CaseTotals[]): Record<string, Record<string, number>> {
    const sums: Record<string, Record<string, number>> = {};
    for (const { age, score, cases, lost, doubled, graduated, runners, runnersDoubled } of counts) {
      const sum = sums[`${age} ${score}`] ?? {};
      sums[`${age} ${score}`] = sum;
      for (const [field, count] of Object.entries({ cases, lost, doubled, graduated, runners, runnersDoubled })) {
        sum[field] = (sum[field] ?? 0) + count;
      }
    }
    return sums;
  }

  const days = (counts: DayCounts) => new Set(counts.rows('live').map(({ day }) => day)).size;

  test('do not grow with the days and are not computed again for each reader', () => {
    const counts = createDayCounts();
    for (let day = 0; day < 90; day += 1) {
      for (const score of [20, 20.5, null]) counts.settle(settledCase({ takenAt: TAKEN + day * DAY, score }), TAKEN);
    }
    const totals = counts.totals('live', 2);
    expect(days(counts)).toBe(90);
    expect(totals.map(({ score, cases }) => [score, cases])).toEqual([
      [20, 90],
      [21, 90],
      [null, 90],
    ]);
    counts.settle(settledCase(), TAKEN);
    expect(counts.totals('live', 2)).toBe(totals);
    expect(totals[0]?.cases).toBe(91);
  });

  test('equal the sums of the days after cases, a load and an expiry', () => {
    const outcome = fc.record({
      takenAt: fc.integer({ min: 0, max: 3 }).map((day) => TAKEN + day * DAY),
      market: fc.constantFrom<OpenCase['market'][]>('live', 'simulated'),
      rulesVersion: fc.constantFrom(1, 2),
      age: fc.constantFrom(2 * MINUTE, HOUR),
      score: fc.constantFrom(20, 20.5, null),
      lowestLiquidity: fc.constantFrom(1, 10),
      highestPrice: fc.constantFrom(1, 3),
      runner: fc.boolean(),
      graduated: fc.boolean(),
    });
    const cases = fc.array(outcome, { maxLength: 20 });
    fc.assert(
      fc.property(cases, cases, fc.integer({ min: 0, max: 4 }), (before, after, expired) => {
        const earlier = createDayCounts();
        for (const fields of before) earlier.settle(settledCase(fields), TAKEN);
        const counts = createDayCounts();
        counts.load(earlier.takeChanged());
        for (const fields of after) counts.settle(settledCase(fields), TAKEN);
        counts.expire(TAKEN + RETENTION + expired * DAY);
        const rows = counts.rows('live').filter(({ rulesVersion }) => rulesVersion === 2);
        expect(summed(counts.totals('live', 2))).toEqual(summed(rows));
        expect(counts.since('live', 2)).toBe(rows[0]?.day ?? null);
      }),
    );
  });
});
