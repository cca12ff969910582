import { describe, expect, test } from 'vitest';
import { fieldErrors, parseInput } from '../field-errors.ts';
import { strategyCalls } from './http.ts';
import {
  configurationSchema,
  defaultStrategy,
  holderConfigSchema,
  liquidityConfigSchema,
  priceConfigSchema,
  sectionOf,
  strategyFormSchema,
  strategyInputSchema,
  strategySchema,
  strategyTypeSchema,
  strategyTypes,
  timeConfigSchema,
} from './model.ts';

const form = { ...defaultStrategy, name: 'Mine' };

/** Error messages by field. */
function problems(changes: object): unknown {
  const parsed = parseInput(strategyFormSchema, { ...form, ...changes });
  return parsed.success ? {} : fieldErrors(parsed.issues);
}

test('has exactly the specified fields and the consent to unknown risk [S3-27, S3-28, D43]', () => {
  expect(Object.keys(strategySchema.shape)).toEqual([
    'id',
    'userId',
    'name',
    'description',
    'type',
    'isActive',
    'buyAmount',
    'maxSlippage',
    'stopLoss',
    'takeProfit',
    'minLiquidity',
    'maxScamProbability',
    'buyUnknownRisk',
    'buyWithinSeconds',
    'configuration',
    'createdAt',
    'updatedAt',
  ]);
});

test.each([
  ['timeConfig', timeConfigSchema, ['option', 'duration', 'targetTime', 'startTime', 'endTime']],
  [
    'priceConfig',
    priceConfigSchema,
    ['option', 'targetPrice', 'percentageFromLow', 'trendPercentage', 'trendDuration'],
  ],
  ['liquidityConfig', liquidityConfigSchema, ['option', 'targetLiquidity', 'percentageChange', 'monitorDuration']],
  ['holderConfig', holderConfigSchema, ['option', 'minHolders', 'increaseRatePercentage', 'monitorDuration']],
] as const)('accepts %s in a configuration [S3-29, S3-30, S3-31, S3-32]', (section, schema, fields) => {
  expect(Object.keys(schema.shape)).toEqual(fields);
  const [option] = schema.shape.option.options;
  const filled = Object.fromEntries(
    fields.map((field) => [field, field.endsWith('Time') ? '2026-09-01T12:00:00Z' : 5] as const),
  );
  for (const value of [{ option }, { ...filled, option }]) {
    expect(configurationSchema.parse({ [section]: value })).toEqual({ [section]: value });
  }
  expect(configurationSchema.safeParse({ [section]: {} }).success).toBe(false);
  expect(configurationSchema.safeParse({ [section]: { option, other: 1 } }).success).toBe(false);
});

test('accepts five types [S3-34, S5-17]', () => {
  expect(strategyTypeSchema.options).toEqual(['time_based', 'price_based', 'liquidity_based', 'mixed', 'holder_based']);
  expect(problems({ type: 'moon_based' })).toEqual({ type: [expect.any(String)] });
});

test.each([
  ['time', timeConfigSchema, ['buy_immediately', 'buy_after_duration', 'buy_at_time', 'buy_within_timeframe']],
  [
    'price',
    priceConfigSchema,
    ['buy_at_fixed_price', 'buy_at_percentage_from_low', 'buy_at_uptrend', 'buy_at_downtrend'],
  ],
  [
    'liquidity',
    liquidityConfigSchema,
    ['buy_at_minimum_liquidity', 'buy_at_liquidity_increase', 'buy_at_liquidity_decrease'],
  ],
  ['holder', holderConfigSchema, ['buy_at_minimum_holders', 'buy_at_holder_increase_rate']],
] as const)(
  'accepts exactly the specified options in a %s section [S3-35, S3-36, S3-37, S3-38]',
  (_section, schema, options) => {
    expect(schema.shape.option.options).toEqual(options);
    expect(schema.safeParse({ option: 'buy_never' }).success).toBe(false);
  },
);

describe('refusal of sections that do not belong to the type [S3-33]', () => {
  const sections = {
    timeConfig: { option: 'buy_immediately' },
    priceConfig: { option: 'buy_at_uptrend' },
    liquidityConfig: { option: 'buy_at_minimum_liquidity' },
    holderConfig: { option: 'buy_at_minimum_holders' },
    requireAllConditions: false,
  };

  test.each(strategyTypes.filter((type) => type !== 'mixed'))('%s accepts only its own section', (type) => {
    const own = sectionOf[type];
    expect(problems({ type, configuration: { [own]: sections[own] } })).toEqual({});
    const others = Object.keys(sections).filter((section) => section !== own);
    expect(problems({ type, configuration: sections })).toEqual(
      Object.fromEntries(others.map((section) => [`configuration.${section}`, [expect.stringMatching(/belong/)]])),
    );
  });

  test('mixed accepts any section and requireAllConditions', () => {
    expect(problems({ type: 'mixed', configuration: sections })).toEqual({});
    expect(problems({ type: 'mixed', configuration: { requireAllConditions: true } })).toEqual({});
  });

  test('applies to stored and previewed strategies as well', () => {
    const wrong = { ...form, type: 'price_based' };
    const { type, configuration, buyAmount, maxSlippage } = wrong;
    const costs = { buyAmount, maxSlippage };
    expect(strategyInputSchema.safeParse({ ...wrong, userId: 'a'.repeat(24) }).success).toBe(false);
    expect(strategyInputSchema.safeParse({ ...form, userId: 'a'.repeat(24) }).success).toBe(true);
    expect(strategyCalls.preview.body.safeParse({ ...costs, type, configuration }).success).toBe(false);
    expect(strategyCalls.preview.body.safeParse({ ...costs, type: 'time_based', configuration }).success).toBe(true);
  });
});

test('requires a name of at least two characters [S5-16]', () => {
  const expected = { name: ['Name must be at least 2 characters'] };
  expect([problems({ name: '' }), problems({ name: ' x ' })]).toEqual([expected, expected]);
  expect(problems({ name: 'ok' })).toEqual({});
});

test('requires a buy amount of at least 0.001 [S5-18]', () => {
  const expected = { buyAmount: ['Minimum buy amount is 0.001'] };
  for (const buyAmount of [0, 0.000_999, -1, Number.NaN]) expect(problems({ buyAmount })).toEqual(expected);
  expect(problems({ buyAmount: 0.001 })).toEqual({});
});

test('accepts a slippage from 0.1 to 50 % [S5-19]', () => {
  expect(problems({ maxSlippage: 0.09 })).toEqual({ maxSlippage: ['Minimum slippage is 0.1%'] });
  expect(problems({ maxSlippage: 50.01 })).toEqual({ maxSlippage: ['Maximum slippage is 50%'] });
  expect([problems({ maxSlippage: 0.1 }), problems({ maxSlippage: 50 })]).toEqual([{}, {}]);
});

test('treats all other fields as optional, and a strategy as active by default [S5-20, S5-21]', () => {
  const bare = { name: 'Bare', type: 'mixed', buyAmount: 1, maxSlippage: 1, configuration: {} };
  expect(strategyFormSchema.parse(bare)).toEqual({
    ...bare,
    description: '',
    isActive: true,
    buyUnknownRisk: false,
  });
  expect(strategyFormSchema.parse({ ...bare, isActive: false }).isActive).toBe(false);
  // Absent counts as false: any one condition is enough.
  expect(strategyFormSchema.parse(bare).configuration.requireAllConditions ?? false).toBe(false);
});

test('an optional figure may be null, which means the same as a missing one [S5-20]', () => {
  const base = { ...defaultStrategy, name: 'Mine' };
  const parsed = strategyFormSchema.parse({
    ...base,
    description: '',
    stopLoss: null,
    takeProfit: null,
    minLiquidity: null,
    maxScamProbability: null,
    configuration: { timeConfig: { option: 'buy_after_duration', duration: null, targetTime: null } },
  });
  expect(parsed.stopLoss).toBeUndefined();
  expect(parsed.minLiquidity).toBeUndefined();
  expect(parsed.configuration.timeConfig?.duration).toBeUndefined();
  expect(JSON.parse(JSON.stringify(parsed.configuration))).toEqual({ timeConfig: { option: 'buy_after_duration' } });
  expect(strategyFormSchema.parse(base)).not.toHaveProperty('minLiquidity');
  expect(strategyFormSchema.safeParse({ ...base, stopLoss: '5' }).success).toBe(false);
  expect(strategyFormSchema.safeParse({ ...base, buyAmount: null }).success).toBe(false);
});
