import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Conditions, conditionsMet, needsAll, sections } from '../../../common/strategies/conditions.ts';
import type { HistoryPoint } from '../../../common/strategies/history.ts';
import type { Configuration } from '../../../common/strategies/model.ts';
import { timeMet } from '../../../common/strategies/time.ts';
import { createBook, TokenFigures } from './book.ts';

/** Histories per run; `BOOK_RUNS=20000` compares about a million times. */
const RUNS = Number(process.env.BOOK_RUNS ?? 300);
const DETECTED = Date.UTC(2026, 10, 1);
const SECOND = 1_000;

/** Small whole numbers collide often: equal values, window edges, exact percentages. */
const percent = fc.option(fc.oneof(fc.integer({ min: 1, max: 150 }), fc.constantFrom(0, -5, 10, 50, 100)), {
  nil: undefined,
});
const seconds = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined });
const figure = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined });
const moment = fc.option(
  fc.integer({ min: -5, max: 60 }).map((after) => new Date(DETECTED + after * SECOND).toISOString()),
  { nil: undefined },
);

const timeConfig = fc.record({
  option: fc.constantFrom('buy_immediately', 'buy_after_duration', 'buy_at_time', 'buy_within_timeframe'),
  duration: seconds,
  targetTime: moment,
  startTime: moment,
  endTime: moment,
});
const priceConfig = fc.record({
  option: fc.constantFrom('buy_at_fixed_price', 'buy_at_percentage_from_low', 'buy_at_uptrend', 'buy_at_downtrend'),
  targetPrice: figure,
  percentageFromLow: percent,
  trendPercentage: percent,
  trendDuration: seconds,
});
const liquidityConfig = fc.record({
  option: fc.constantFrom('buy_at_minimum_liquidity', 'buy_at_liquidity_increase', 'buy_at_liquidity_decrease'),
  targetLiquidity: figure,
  percentageChange: percent,
  monitorDuration: seconds,
});
const holderConfig = fc.record({
  option: fc.constantFrom('buy_at_minimum_holders', 'buy_at_holder_increase_rate'),
  minHolders: figure,
  increaseRatePercentage: percent,
  monitorDuration: seconds,
});

const single = <Name extends keyof Configuration>(
  type: Conditions['type'],
  name: Name,
  config: fc.Arbitrary<unknown>,
) => config.map((value) => ({ type, configuration: { [name]: value } }));
const plan: fc.Arbitrary<Conditions> = fc.oneof(
  single('time_based', 'timeConfig', timeConfig),
  single('price_based', 'priceConfig', priceConfig),
  single('liquidity_based', 'liquidityConfig', liquidityConfig),
  single('holder_based', 'holderConfig', holderConfig),
  fc
    .record(
      { timeConfig, priceConfig, liquidityConfig, holderConfig, requireAllConditions: fc.boolean() },
      { requiredKeys: [] },
    )
    .map((configuration) => ({ type: 'mixed' as const, configuration })),
) as fc.Arbitrary<Conditions>;

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

test('a book meets the same plans as the conditions themselves, at every point and between points', () => {
  fc.assert(
    fc.property(fc.array(plan, { minLength: 1, maxLength: 20 }), points, (plans, steps) => {
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
