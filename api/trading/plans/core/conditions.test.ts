import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Conditions, conditionsMet } from '../../../../common/strategies/conditions.ts';
import type { HistoryPoint } from '../../../../common/strategies/history.ts';
import { rounds } from '../../../../common/testing/effort.ts';
import { HOUR, SECOND } from '../../../../common/time.ts';
import { compile, createFigures, historyOf, pushFigures } from './conditions.ts';
import { createExtremes, pushValue } from './extremes.ts';
import { anyConditions, DETECTED } from './testing/any-conditions.ts';

/** Histories per run. */
const RUNS = rounds(2_000);
const TIMEOUT = 30_000 + RUNS * 20;

const value = fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 12 }) }, fc.constant(null));
/** Points with the time since the one before, in steps of half a second, often none. */
const points = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 12 }), price: value, liquidity: value, holders: value }),
  { minLength: 1, maxLength: 25 },
);

function met(conditions: Conditions, known: readonly HistoryPoint[], now: number): boolean {
  return conditionsMet(conditions, { detectedAt: DETECTED, points: known }, now) === 'met';
}

test('compiled conditions are met as the conditions themselves, at every point and between points, by shared windows', {
  timeout: TIMEOUT,
}, () => {
  fc.assert(
    fc.property(fc.array(anyConditions, { minLength: 1, maxLength: 20 }), points, (plans, steps) => {
      const compiled = plans.map(compile);
      const longest = Math.max(0, ...compiled.map(({ window }) => window));
      const token = createFigures(DETECTED);
      const known: HistoryPoint[] = [];
      let now = DETECTED;
      for (const { after, ...figures } of steps) {
        // A moment between two points: windows move, time conditions begin and end.
        const between = now + Math.floor((after * SECOND) / 4);
        if (known.length > 0) expectSame(between);
        now += (after * SECOND) / 2;
        known.push({ at: now, ...figures });
        pushFigures(token, now, figures, longest);
        expectSame(now);
      }

      function expectSame(at: number): void {
        expect(compiled.map(({ isMet }) => isMet(token, at))).toEqual(plans.map((one) => met(one, known, at)));
        const outcomes = plans.map((one) => conditionsMet(one, historyOf(token, one, at), at));
        expect(outcomes).toEqual(plans.map((one) => conditionsMet(one, { detectedAt: DETECTED, points: known }, at)));
      }
    }),
    { numRuns: RUNS },
  );
});

test('lists of extremes stay short on a long history', () => {
  const lows = createExtremes(1);
  for (let index = 0; index < 50_000; index += 1) {
    // A walk without an order, the same in each run.
    pushValue(lows, DETECTED + index * 100, 1 + ((index * 7919) % 1009) / 1009, HOUR);
  }
  expect(lows.values.length).toBeLessThan(400);
});
