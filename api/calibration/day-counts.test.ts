import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../common/time.ts';
import type { OpenCase } from './case.ts';
import { createDayCounts, RETENTION } from './day-counts.ts';

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
  counts.expire(TAKEN + RETENTION + 24 * HOUR);
  counts.restoreChanged(failed);
  expect(counts.takeChanged()).toEqual([]);
});
