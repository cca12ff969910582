import fc from 'fast-check';
import type { Conditions } from '../../../../../common/strategies/conditions.ts';
import type { Configuration } from '../../../../../common/strategies/model.ts';
import { SECOND } from '../../../../../common/time.ts';

/** Detection of the first token, from which times of conditions are counted. */
export const DETECTED = Date.UTC(2026, 10, 1);

/** Small whole numbers collide often: equal values, window edges, exact percentages. */
const percent = fc.option(fc.oneof(fc.integer({ min: 1, max: 150 }), fc.constantFrom(0, -5, 10, 50, 100)), {
  nil: undefined,
});
/** Also durations that are no whole ms. */
const seconds = fc.option(
  fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 30 }) },
    fc.integer({ min: 0, max: 30 }).map((whole) => whole + 0.0004),
  ),
  { nil: undefined },
);
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
/** Conditions of every kind, also such as can't be met. */
export const anyConditions: fc.Arbitrary<Conditions> = fc.oneof(
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
