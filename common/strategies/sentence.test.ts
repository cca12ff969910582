import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../testing/effort.ts';
import { conditionsMet } from './conditions.ts';
import {
  type Configuration,
  holderOptions,
  liquidityOptions,
  priceOptions,
  type StrategyType,
  strategyTypes,
  timeOptions,
} from './model.ts';
import { type Describable, sentence } from './sentence.ts';

// The same strategies in every run.
fc.configureGlobal({ seed: 20_261_121 });

const START = '2026-09-01T12:00:00.000Z';
const END = '2026-09-01T13:30:00.000Z';

function strategyOf(configuration: Configuration, overrides: Partial<Describable> = {}): Describable {
  return { type: 'mixed', configuration, buyAmount: 0.05, ...overrides };
}

describe('the sentence of a strategy', () => {
  test.each<[Configuration, string]>([
    [{ timeConfig: { option: 'buy_immediately' } }, 'it is detected'],
    [{ timeConfig: { option: 'buy_after_duration', duration: 90 } }, '90 s have passed since its detection'],
    [{ timeConfig: { option: 'buy_after_duration', duration: 7200 } }, '2 h have passed since its detection'],
    [
      { timeConfig: { option: 'buy_at_time', targetTime: START } },
      'it is 2026-09-01 12:00 UTC (if it was detected by then)',
    ],
    [
      { timeConfig: { option: 'buy_within_timeframe', startTime: START, endTime: END } },
      'it is between 2026-09-01 12:00 UTC and 2026-09-01 13:30 UTC',
    ],
    [{ timeConfig: { option: 'buy_within_timeframe', startTime: START } }, 'it is 2026-09-01 12:00 UTC or later'],
    [{ timeConfig: { option: 'buy_within_timeframe', endTime: END } }, 'it is detected (until 2026-09-01 13:30 UTC)'],
    [{ priceConfig: { option: 'buy_at_fixed_price', targetPrice: 0.000_001 } }, 'its price is 0.000001 SOL or less'],
    [
      { priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 20 } },
      'its price has risen 20% above its lowest since detection',
    ],
    [
      { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 0.5, trendDuration: 300 } },
      'its price has risen 0.5% within 5 min',
    ],
    [
      { priceConfig: { option: 'buy_at_downtrend', trendPercentage: 5, trendDuration: 45 } },
      'its price has fallen 5% within 45 s',
    ],
    [
      { liquidityConfig: { option: 'buy_at_minimum_liquidity', targetLiquidity: 12.5 } },
      'its liquidity is 12.5 SOL or more',
    ],
    [
      { liquidityConfig: { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 60 } },
      'its liquidity has risen 50% within 1 min',
    ],
    [
      { liquidityConfig: { option: 'buy_at_liquidity_decrease', percentageChange: 50, monitorDuration: 60 } },
      'its liquidity has fallen 50% within 1 min',
    ],
    [{ holderConfig: { option: 'buy_at_minimum_holders', minHolders: 1000 } }, 'it has 1,000 holders or more'],
    [
      { holderConfig: { option: 'buy_at_holder_increase_rate', increaseRatePercentage: 25, monitorDuration: 60 } },
      'its holders have increased 25% within 1 min',
    ],
  ])('%o [S3-39]', (configuration, clause) => {
    expect(sentence(strategyOf(configuration))).toBe(
      `Buys 0.05 SOL of a token as soon as ${clause}, if it has a known risk.`,
    );
  });

  test('includes the limits [S3-44]', () => {
    const configuration: Configuration = {
      priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 20 },
    };
    expect(sentence(strategyOf(configuration, { minLiquidity: 1, maxScamProbability: 30 }))).toBe(
      'Buys 0.05 SOL of a token as soon as its price has risen 20% above its lowest since detection, if it has at least 1 SOL of liquidity and at most 30% risk.',
    );
    expect(sentence(strategyOf(configuration, { maxScamProbability: 30, minLiquidity: null }))).toMatch(
      /, if it has at most 30% risk\.$/,
    );
    const anyRisk = { buyUnknownRisk: true };
    expect(sentence(strategyOf(configuration, { ...anyRisk, maxScamProbability: 30 }))).toMatch(
      /, if it has at most 30% or an unknown risk\.$/,
    );
    expect(sentence(strategyOf(configuration, anyRisk))).toMatch(/above its lowest since detection\.$/);
  });

  test('ends with the time limit', () => {
    const configuration: Configuration = { timeConfig: { option: 'buy_immediately' } };
    expect(sentence(strategyOf(configuration, { maxScamProbability: 30, buyWithinSeconds: 60 }))).toBe(
      'Buys 0.05 SOL of a token as soon as it is detected, if it has at most 30% risk, only within 1 min of its detection.',
    );
  });

  test('joins the conditions of a mixed strategy with and, or with or [S2.10-11]', () => {
    const configuration: Configuration = {
      timeConfig: { option: 'buy_after_duration', duration: 60 },
      priceConfig: { option: 'buy_at_fixed_price', targetPrice: 0.5 },
      holderConfig: { option: 'buy_at_minimum_holders', minHolders: 10 },
    };
    expect(sentence(strategyOf(configuration))).toBe(
      'Buys 0.05 SOL of a token as soon as 1 min have passed since its detection, its price is 0.5 SOL or less or it has 10 holders or more, if it has a known risk.',
    );
    expect(sentence(strategyOf({ ...configuration, requireAllConditions: true }))).toContain(
      'its price is 0.5 SOL or less and it has 10 holders or more',
    );
  });

  test('uses the given time format', () => {
    const configuration: Configuration = { timeConfig: { option: 'buy_at_time', targetTime: START } };
    expect(sentence(strategyOf(configuration), () => 'noon')).toContain('it is noon (if');
  });

  test.each<[Partial<Describable> & { configuration: Configuration }, string]>([
    [{ configuration: { priceConfig: { option: 'buy_at_fixed_price' } } }, 'no target price is set'],
    [{ configuration: {} }, 'no condition is set'],
    [{ type: 'price_based', configuration: { timeConfig: { option: 'buy_immediately' } } }, 'no condition is set'],
    [
      {
        configuration: {
          timeConfig: { option: 'buy_immediately' },
          holderConfig: { option: 'buy_at_minimum_holders' },
          requireAllConditions: true,
        },
      },
      'no minimum of holders is set',
    ],
    [{ configuration: { timeConfig: { option: 'buy_immediately' } }, maxScamProbability: -1 }, 'no risk is below 0%'],
  ])('gives the reason why it never buys: %o [S3-39]', (strategy, reason) => {
    expect(sentence({ ...strategyOf({}), ...strategy })).toBe(`Never buys: ${reason}.`);
  });

  test('omits a condition that can never be met when another one can [S2.10-11]', () => {
    const configuration: Configuration = {
      timeConfig: { option: 'buy_at_time' },
      holderConfig: { option: 'buy_at_minimum_holders', minHolders: 10 },
    };
    expect(sentence(strategyOf(configuration))).toBe(
      'Buys 0.05 SOL of a token as soon as it has 10 holders or more, if it has a known risk.',
    );
  });
});

test('starts with Never buys exactly when the conditions can never be met [S3-39]', () => {
  const figures = fc.constantFrom(undefined, -1, 0, 1, 50, 101);
  const times = fc.constantFrom(undefined, START, END);
  const strategies = fc.record({
    type: fc.constantFrom<StrategyType>(...strategyTypes, 'mixed'),
    time: fc.option(fc.constantFrom(...timeOptions)),
    price: fc.option(fc.constantFrom(...priceOptions)),
    liquidity: fc.option(fc.constantFrom(...liquidityOptions)),
    holders: fc.option(fc.constantFrom(...holderOptions)),
    figure: figures,
    duration: figures,
    startTime: times,
    endTime: times,
    requireAllConditions: fc.boolean(),
  });
  fc.assert(
    fc.property(strategies, ({ type, figure, duration, startTime, endTime, requireAllConditions, ...chosen }) => {
      const configuration: Configuration = { requireAllConditions };
      if (chosen.time !== null)
        configuration.timeConfig = { option: chosen.time, duration, targetTime: startTime, startTime, endTime };
      if (chosen.price !== null)
        configuration.priceConfig = {
          option: chosen.price,
          targetPrice: figure,
          percentageFromLow: figure,
          trendPercentage: figure,
          trendDuration: duration,
        };
      const change = { percentageChange: figure, monitorDuration: duration };
      if (chosen.liquidity !== null)
        configuration.liquidityConfig = { option: chosen.liquidity, targetLiquidity: figure, ...change };
      if (chosen.holders !== null)
        configuration.holderConfig = {
          option: chosen.holders,
          minHolders: figure,
          increaseRatePercentage: figure,
          monitorDuration: duration,
        };
      // At the detection of a token, before all times, every condition that can be met may still become met.
      const detectedAt = Date.parse(START) - 3_600_000;
      const points = [{ at: detectedAt, price: 1000, liquidity: 1, holders: 1 }];
      const met = conditionsMet({ type, configuration }, { detectedAt, points }, detectedAt);
      expect(sentence(strategyOf(configuration, { type })).startsWith('Never buys')).toBe(met === 'never');
    }),
    { numRuns: rounds(1000) },
  );
});
