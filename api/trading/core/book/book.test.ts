import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Conditions, conditionsMet, needsAll, sections } from '../../../../common/strategies/conditions.ts';
import type { HistoryPoint } from '../../../../common/strategies/history.ts';
import { timeMet } from '../../../../common/strategies/time.ts';
import { rounds } from '../../../../common/testing/effort.ts';
import { SECOND } from '../../../../common/time.ts';
import { anyConditions, DETECTED } from '../testing/any-conditions.ts';
import { createBook, TokenFigures } from './book.ts';

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

/** Whether the plan would be met without its time condition, or needs more than time. */
function isMetByTimeAlone(conditions: Conditions, known: readonly HistoryPoint[], now: number): boolean {
  const {
    timeConfig: time,
    priceConfig: price,
    liquidityConfig: liquidity,
    holderConfig: holders,
  } = sections(conditions);
  const others = { priceConfig: price, liquidityConfig: liquidity, holderConfig: holders };
  if (time === undefined || timeMet(time, { detectedAt: DETECTED }, now) !== 'met') return false;
  if (Object.values(others).every((section) => section === undefined)) return true;
  return !needsAll(conditions) && !met({ type: 'mixed', configuration: others }, known, now);
}

test('a book meets the same plans as the conditions themselves, at every point and between points', {
  timeout: TIMEOUT,
}, () => {
  fc.assert(
    fc.property(fc.array(anyConditions, { minLength: 1, maxLength: 20 }), points, (plans, steps) => {
      const book = createBook(plans);
      const token = new TokenFigures(DETECTED);
      const known: HistoryPoint[] = [];
      let now = DETECTED;
      for (const { after, ...figures } of steps) {
        // A moment between two points: windows move, time conditions begin and end.
        const between = now + Math.floor((after * SECOND) / 4);
        if (known.length > 0) expectSame(between);
        now += (after * SECOND) / 2;
        known.push({ at: now, ...figures });
        book.push(token, now, figures);
        expectSame(now);
        const wanted = plans.flatMap((one, index) =>
          met(one, known, now) && !isMetByTimeAlone(one, known, now) ? index : [],
        );
        expect(sorted(book.metByFigures(token, now))).toEqual(wanted);
      }

      function expectSame(at: number): void {
        const wanted = plans.flatMap((one, index) => (met(one, known, at) ? index : []));
        expect(sorted(book.met(token, at))).toEqual(wanted);
      }
    }),
    { numRuns: RUNS },
  );
});

test('lists of extremes stay short on a long history', () => {
  const book = createBook([
    {
      type: 'price_based',
      configuration: { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 10, trendDuration: 3600 } },
    },
  ]);
  const token = new TokenFigures(DETECTED);
  for (let index = 0; index < 50_000; index += 1) {
    // A walk without an order, the same in each run.
    const price = 1 + ((index * 7919) % 1009) / 1009;
    book.push(token, DETECTED + index * 100, { price, liquidity: null, holders: null });
  }
  expect(token.priceLows.values.length).toBeLessThan(400);
});

const sorted = (indexes: readonly number[]) => indexes.toSorted((a, b) => a - b);
