import { expect, test } from 'vitest';
import { type Conditions, conditionsMet, needsAll } from './conditions.ts';
import type { TokenHistory } from './history.ts';
import type { Configuration } from './model.ts';
import { progressOf, progressSchema } from './progress.ts';
import { waitingText } from './progress-text.ts';
import { DETECTED, isoAfter, later, pathOf, planOf, point } from './testing/histories.ts';

const holders = '0:10 20:12';
const mixed = (configuration: Configuration): Conditions => ({ type: 'mixed', configuration });

type Case = [Configuration, TokenHistory, waits: string, unknown: string | null];

/** Each option 30 s after the detection, not met: what it waits for, and the same while its figure is unknown. */
const cases: Record<string, Case> = {
  buy_after_duration: [
    { timeConfig: { option: 'buy_after_duration', duration: 72 } },
    pathOf('price', '0:1'),
    'Waits: in 42 s, 72 s after its detection.',
    null,
  ],
  buy_at_time: [
    { timeConfig: { option: 'buy_at_time', targetTime: isoAfter(3630) } },
    pathOf('price', '0:1'),
    'Waits: in 60 min, at 2026-09-01 13:00 UTC.',
    null,
  ],
  buy_within_timeframe: [
    { timeConfig: { option: 'buy_within_timeframe', startTime: isoAfter(60), endTime: isoAfter(600) } },
    pathOf('price', '0:1'),
    'Waits: in 30 s, when its time frame begins at 2026-09-01 12:01 UTC.',
    null,
  ],
  buy_at_fixed_price: [
    { priceConfig: { option: 'buy_at_fixed_price', targetPrice: 0.000001 } },
    pathOf('price', '0:0.0000012345678'),
    'Waits: price is 0.00000123457 SOL, target 0.000001 SOL or less.',
    'Waits: price is unknown, target 0.000001 SOL or less.',
  ],
  buy_at_percentage_from_low: [
    { priceConfig: { option: 'buy_at_percentage_from_low', percentageFromLow: 25 } },
    pathOf('price', '0:120 10:100 20:110'),
    'Waits: price has risen 10.0 % of the 25 % above its lowest since detection.',
    'Waits: price is unknown, it must have risen 25 % above its lowest since detection.',
  ],
  buy_at_uptrend: [
    { priceConfig: { option: 'buy_at_uptrend', trendPercentage: 10, trendDuration: 60 } },
    pathOf('price', '0:1000 20:1031'),
    'Waits: price has risen 3.1 % of the 10 % within 1 min.',
    'Waits: price is unknown, it must have risen 10 % within 1 min.',
  ],
  buy_at_downtrend: [
    { priceConfig: { option: 'buy_at_downtrend', trendPercentage: 10, trendDuration: 90 } },
    pathOf('price', '0:1000 20:960'),
    'Waits: price has fallen 4.0 % of the 10 % within 90 s.',
    'Waits: price is unknown, it must have fallen 10 % within 90 s.',
  ],
  buy_at_minimum_liquidity: [
    { liquidityConfig: { option: 'buy_at_minimum_liquidity', targetLiquidity: 10 } },
    pathOf('liquidity', '0:3.25'),
    'Waits: liquidity is 3.25 of 10 SOL.',
    'Waits: liquidity is unknown, target 10 SOL.',
  ],
  buy_at_liquidity_increase: [
    { liquidityConfig: { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 300 } },
    pathOf('liquidity', '0:100 20:105'),
    'Waits: liquidity has risen 5.0 % of the 50 % within 5 min.',
    'Waits: liquidity is unknown, it must have risen 50 % within 5 min.',
  ],
  buy_at_liquidity_decrease: [
    { liquidityConfig: { option: 'buy_at_liquidity_decrease', percentageChange: 50, monitorDuration: 300 } },
    pathOf('liquidity', '0:100 20:100'),
    'Waits: liquidity has fallen 0.0 % of the 50 % within 5 min.',
    'Waits: liquidity is unknown, it must have fallen 50 % within 5 min.',
  ],
  buy_at_minimum_holders: [
    { holderConfig: { option: 'buy_at_minimum_holders', minHolders: 50 } },
    pathOf('holders', holders),
    'Waits: 12 of 50 holders.',
    'Waits: number of holders is unknown, target 50.',
  ],
  buy_at_holder_increase_rate: [
    { holderConfig: { option: 'buy_at_holder_increase_rate', increaseRatePercentage: 100, monitorDuration: 60 } },
    pathOf('holders', holders),
    'Waits: number of holders has risen 20.0 % of the 100 % within 1 min.',
    'Waits: number of holders is unknown, it must have risen 100 % within 1 min.',
  ],
};

test('each condition but the immediate one has a sentence with its figures, also while they are unknown [T-35]', () => {
  const options = progressSchema.shape.option.options.filter((option) => option !== 'buy_immediately');
  expect(Object.keys(cases)).toEqual(options);
  for (const [option, [configuration, history, waits, unknown]] of Object.entries(cases)) {
    const conditions = planOf(configuration);
    expect(waitingText(progressOf(conditions, history, later(30)), true, later(30)), option).toBe(waits);
    if (unknown === null) continue;
    const blind = { detectedAt: DETECTED, points: [point(0, {})] };
    expect(waitingText(progressOf(conditions, blind, later(30)), true, later(30)), option).toBe(unknown);
  }
});

test('the progress of a token has the outcome of its conditions', () => {
  for (const [configuration, history] of Object.values(cases)) {
    const conditions = planOf(configuration);
    for (const seconds of [0, 30, 90, 10_000]) {
      const [only, ...others] = progressOf(conditions, history, later(seconds));
      expect(others).toEqual([]);
      expect(only?.met).toBe(conditionsMet(conditions, history, later(seconds)));
      expect(progressSchema.parse(only)).toEqual(only);
    }
  }
});

test('a mixed plan names only its unmet conditions, joined as it needs them', () => {
  const configuration: Configuration = {
    timeConfig: { option: 'buy_after_duration', duration: 10 },
    priceConfig: { option: 'buy_at_fixed_price', targetPrice: 1 },
    holderConfig: { option: 'buy_at_minimum_holders', minHolders: 50 },
  };
  const history = { detectedAt: DETECTED, points: [point(0, { price: 2, holders: 12 })] };
  const all = mixed({ ...configuration, requireAllConditions: true });
  const text = (conditions: Conditions, seconds: number) =>
    waitingText(progressOf(conditions, history, later(seconds)), needsAll(conditions), later(seconds));
  expect(text(all, 30)).toBe('Waits: price is 2 SOL, target 1 SOL or less and 12 of 50 holders.');
  expect(text(mixed(configuration), 5)).toBe(
    'Waits: in 5 s, 10 s after its detection, price is 2 SOL, target 1 SOL or less or 12 of 50 holders.',
  );
});

test('a condition that can no longer be met ends the wait of all, and not that of any', () => {
  const timeConfig = { option: 'buy_within_timeframe' as const, endTime: isoAfter(10) };
  const holderConfig = { option: 'buy_at_minimum_holders' as const, minHolders: 50 };
  const history = pathOf('holders', '0:12');
  const progress = progressOf(mixed({ timeConfig, holderConfig }), history, later(30));
  expect(waitingText(progress, true, later(30))).toBe("Can't buy this token: the time frame of the plan is over.");
  expect(waitingText(progress, false, later(30))).toBe('Waits: 12 of 50 holders.');
  const late = progressOf(
    planOf({ timeConfig: { option: 'buy_at_time', targetTime: isoAfter(-1) } }),
    history,
    later(0),
  );
  expect(waitingText(late, true, later(0))).toBe("Can't buy this token: it was detected after the time of the plan.");
  const flawed = progressOf(planOf({ holderConfig: { option: 'buy_at_minimum_holders' } }), history, later(0));
  expect(waitingText(flawed, true, later(0))).toBe("Can't buy this token: a condition is incomplete.");
  expect(waitingText([], true, later(0))).toBe('Never buys: no condition is set.');
});
