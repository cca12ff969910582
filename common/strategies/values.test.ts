import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TokenHistory } from './history.ts';
import type { PriceConfig } from './model.ts';
import { later, pathOf, point } from './testing/histories.ts';
import { type ValueConfig, valueFlaw, valueMet } from './values.ts';

// The same paths in every run.
fc.configureGlobal({ seed: 20_261_121 });

/** Evaluates the condition `seconds` after detection. */
function at(seconds: number, config: ValueConfig, history: TokenHistory) {
  return valueMet(config, history, later(seconds));
}

/** Returns the state at each of these times, s after detection. */
const statesAt = (times: readonly number[], config: ValueConfig, history: TokenHistory) =>
  times.map((seconds) => at(seconds, config, history)).join(' ');

describe('buy_at_fixed_price', () => {
  const config: PriceConfig = { option: 'buy_at_fixed_price', targetPrice: 0.000_01 };

  test('is met while the price is at or below the target [S3-39]', () => {
    const history = pathOf('price', '0:0.00002 10:0.000010001 20:0.00001 30:0.000009 40:0.000011');
    expect(statesAt([0, 10, 20, 29, 30, 40], config, history)).toBe('waiting waiting met met met waiting');
  });

  test('is unknown without a current price [S3-39]', () => {
    expect(at(5, config, pathOf('price', ''))).toBe('unknown');
    expect(at(5, config, pathOf('price', '6:0.000001'))).toBe('unknown');
    expect(at(5, config, pathOf('price', '0:0.000001 5:?'))).toBe('unknown');
    expect(at(4, config, pathOf('price', '0:0.000001 5:?'))).toBe('met');
  });
});

describe('buy_at_percentage_from_low', () => {
  const config: PriceConfig = { option: 'buy_at_percentage_from_low', percentageFromLow: 20 };

  test('is met at the percentage above the lowest price since detection [S3-41]', () => {
    const history = pathOf('price', '0:100 10:50 20:59.99 30:60 40:55 50:61');
    expect(statesAt([0, 10, 20, 30, 40, 50], config, history)).toBe('waiting waiting waiting met waiting met');
  });

  test('keeps the lowest price forever [S3-41]', () => {
    expect(at(1e6, config, pathOf('price', '0:1 5:1.1 1e6:1.2'))).toBe('met');
  });

  test('skips prices before detection, unknown prices and 0 [S3-41]', () => {
    expect(at(10, config, pathOf('price', '-10:1 0:100 10:110'))).toBe('waiting');
    expect(at(10, config, pathOf('price', '0:? 5:0 8:100 10:110'))).toBe('waiting');
    expect(at(10, config, pathOf('price', '0:? 5:0 8:100 10:120'))).toBe('met');
  });

  test('includes the low of dropped points [S3-41]', () => {
    expect(at(10, config, { ...pathOf('price', '10:1.2'), lowBefore: 1 })).toBe('met');
    expect(at(10, config, { ...pathOf('price', '10:1.19'), lowBefore: 1 })).toBe('waiting');
  });

  test.each([
    [0.1, 10, 0.11],
    [0.1, 20, 0.12],
    [0.7, 10, 0.77],
    [0.000_000_3, 10, 0.000_000_33],
    [3e-8, 70, 5.1e-8],
    [0.07, 1, 0.0707],
  ])('is met at exactly the percentage in spite of rounding: %d + %d %% = %d [S3-41]', (low, percent, price) => {
    const exact: PriceConfig = { option: 'buy_at_percentage_from_low', percentageFromLow: percent };
    expect(at(1, exact, pathOf('price', `0:${low} 1:${price}`))).toBe('met');
    expect(at(1, exact, pathOf('price', `0:${low} 1:${price * 0.999_999}`))).toBe('waiting');
  });
});

describe('buy_at_uptrend and buy_at_downtrend', () => {
  const up: PriceConfig = { option: 'buy_at_uptrend', trendPercentage: 10, trendDuration: 60 };
  const down: PriceConfig = { option: 'buy_at_downtrend', trendPercentage: 10, trendDuration: 60 };

  test('an uptrend is a rise within the window [S3-42]', () => {
    const history = pathOf('price', '0:100 30:105 50:110 100:115');
    expect(at(0, up, history)).toBe('waiting');
    expect(at(30, up, history)).toBe('waiting');
    expect(at(50, up, history)).toBe('met');
    // The window still starts at 0 s, with a price of 100.
    expect(at(60, up, history)).toBe('met');
    // The price was 100 until 30 s, so the window starts with it.
    expect(at(89.999, up, history)).toBe('met');
    expect(at(90, up, history)).toBe('waiting');
    // The price at the start of the window (40 s) was 105: 115 is less than 10 % above it.
    expect(at(100, up, history)).toBe('waiting');
  });

  test('a downtrend is a fall within the window [S3-42]', () => {
    const history = pathOf('price', '0:100 30:95 50:90 200:85');
    expect(statesAt([0, 30, 50, 89, 90], down, history)).toBe('waiting waiting met met waiting');
    expect(at(200, down, history)).toBe('waiting');
  });

  test('measures a rise from the dip and a fall from the peak of the window [S3-42]', () => {
    expect(at(40, up, pathOf('price', '0:100 20:90 40:99'))).toBe('met');
    expect(at(40, down, pathOf('price', '0:100 20:111 40:99.9'))).toBe('met');
    expect(at(40, down, pathOf('price', '0:100 20:111 40:99.91'))).toBe('waiting');
  });

  test('needs two known prices [S3-42]', () => {
    expect(at(0, up, pathOf('price', '0:100'))).toBe('waiting');
    expect(at(10, up, pathOf('price', '0:? 10:100'))).toBe('waiting');
    expect(at(10, up, pathOf('price', '0:100 10:?'))).toBe('unknown');
    // The price at the start of the window is unknown; the earlier price does not count.
    expect(at(100, up, pathOf('price', '0:50 10:? 100:100'))).toBe('waiting');
  });

  test('ignores prices before detection [S3-42]', () => {
    expect(at(10, up, pathOf('price', '-10:50 10:100'))).toBe('waiting');
  });

  test('is met at exactly the percentage in both directions [S3-42]', () => {
    expect(at(1, up, pathOf('price', '0:0.1 1:0.11'))).toBe('met');
    expect(at(1, down, pathOf('price', '0:0.1 1:0.09'))).toBe('met');
    expect(at(1, down, pathOf('price', '0:0.7 1:0.63'))).toBe('met');
    expect(at(1, down, pathOf('price', '0:0.7 1:0.630001'))).toBe('waiting');
    const all: PriceConfig = { ...down, trendPercentage: 100 };
    expect(at(1, all, pathOf('price', '0:0.7 1:0.000001'))).toBe('waiting');
    expect(at(1, all, pathOf('price', '0:0.7 1:0'))).toBe('met');
  });
});

describe('liquidity conditions', () => {
  const increase = { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 120 } as const;

  test('buy_at_minimum_liquidity is met from exactly the minimum on [S3-39]', () => {
    const config: ValueConfig = { option: 'buy_at_minimum_liquidity', targetLiquidity: 5 };
    const history = pathOf('liquidity', '0:0 10:4.999999999 20:5 30:6 40:4');
    expect(statesAt([0, 10, 20, 30, 40], config, history)).toBe('waiting waiting met met waiting');
    expect(at(0, config, pathOf('liquidity', '0:?'))).toBe('unknown');
  });

  test('buy_at_liquidity_increase looks back over monitorDuration, and skips a liquidity of 0 [S3-43]', () => {
    const history = pathOf('liquidity', '0:2 60:2.9 100:3 200:4.2');
    expect(statesAt([0, 60, 100, 179, 180, 200], increase, history)).toBe('waiting waiting met met waiting waiting');
    expect(at(200, { ...increase, monitorDuration: 141 }, history)).toBe('met');
    expect(statesAt([10, 20], increase, pathOf('liquidity', '0:0 10:5 20:7.5'))).toBe('waiting met');
  });

  test('buy_at_liquidity_decrease looks back over monitorDuration [S3-43]', () => {
    const config: ValueConfig = { option: 'buy_at_liquidity_decrease', percentageChange: 10, monitorDuration: 60 };
    const history = pathOf('liquidity', '0:0.1 30:0.2 60:0.181 70:0.18 95:0.17');
    expect(statesAt([0, 30, 60, 70, 89, 95], config, history)).toBe('waiting waiting waiting met met met');
    expect(at(130, config, history)).toBe('waiting');
    expect(at(10, config, pathOf('liquidity', '0:1 10:?'))).toBe('unknown');
  });
});

describe('holder conditions', () => {
  test('buy_at_minimum_holders is met from exactly the minimum on [S3-39]', () => {
    const config: ValueConfig = { option: 'buy_at_minimum_holders', minHolders: 50 };
    expect(statesAt([0, 10, 20], config, pathOf('holders', '0:1 10:49 20:50'))).toBe('waiting waiting met');
    expect(at(0, config, pathOf('holders', '0:?'))).toBe('unknown');
    expect(at(0, config, pathOf('holders', ''))).toBe('unknown');
  });

  test('buy_at_holder_increase_rate looks back over monitorDuration, and skips 0 holders [S3-43]', () => {
    const rate = { increaseRatePercentage: 30, monitorDuration: 60 };
    const config: ValueConfig = { option: 'buy_at_holder_increase_rate', ...rate };
    const history = pathOf('holders', '0:10 30:12 50:13 100:15');
    expect(statesAt([0, 30, 50, 89, 90, 100], config, history)).toBe('waiting waiting met met waiting waiting');
    expect(statesAt([1, 2], config, pathOf('holders', '0:0 1:100 2:130'))).toBe('waiting met');
  });
});

test.each<[ValueConfig, string]>([
  [{ option: 'buy_at_fixed_price' }, 'no target price is set'],
  [{ option: 'buy_at_fixed_price', targetPrice: 0 }, 'the target price must be above 0'],
  [{ option: 'buy_at_fixed_price', percentageFromLow: 1 }, 'no target price is set'],
  [{ option: 'buy_at_percentage_from_low' }, 'no percentage from the low is set'],
  [{ option: 'buy_at_uptrend', trendDuration: 60 }, 'no trend percentage is set'],
  [{ option: 'buy_at_uptrend', trendPercentage: 5 }, 'no trend duration is set'],
  [{ option: 'buy_at_downtrend', trendPercentage: -5, trendDuration: 1 }, 'the trend percentage must be above 0'],
  [{ option: 'buy_at_downtrend', trendPercentage: 101, trendDuration: 1 }, 'nothing can fall by more than 100%'],
  [{ option: 'buy_at_minimum_liquidity' }, 'no target liquidity is set'],
  [{ option: 'buy_at_liquidity_increase', monitorDuration: 5 }, 'no percentage change is set'],
  [{ option: 'buy_at_liquidity_increase', percentageChange: 5 }, 'no monitor duration is set'],
  [
    { option: 'buy_at_liquidity_decrease', percentageChange: 100.5, monitorDuration: 5 },
    'nothing can fall by more than 100%',
  ],
  [{ option: 'buy_at_minimum_holders' }, 'no minimum of holders is set'],
  [{ option: 'buy_at_holder_increase_rate', monitorDuration: 5 }, 'no increase rate is set'],
  [{ option: 'buy_at_holder_increase_rate', increaseRatePercentage: 5 }, 'no monitor duration is set'],
])('is never met with a missing field: %o [S3-39]', (config, flaw) => {
  expect(valueFlaw(config)).toBe(flaw);
  const history = [5, 10].map((seconds) => point(seconds, { price: 2, liquidity: 100, holders: 100 }));
  expect(at(10, config, { detectedAt: later(0), points: history })).toBe('never');
});

const prices = fc.array(fc.double({ min: 1e-9, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 30 });
const percents = fc.double({ min: 0.1, max: 100, noNaN: true });

function everyTenSeconds(values: readonly number[]): TokenHistory {
  return { detectedAt: later(0), points: values.map((price, index) => point(index * 10, { price })) };
}

test('finds no uptrend in a falling path and no downtrend in a rising one [S3-42]', () => {
  fc.assert(
    fc.property(prices, percents, fc.integer({ min: 1, max: 400 }), (values, trendPercentage, trendDuration) => {
      const rising = everyTenSeconds(values.toSorted((a, b) => a - b));
      const falling = everyTenSeconds(values.toSorted((a, b) => b - a));
      const end = values.length * 10;
      for (let seconds = 0; seconds <= end; seconds += 5) {
        expect(at(seconds, { option: 'buy_at_uptrend', trendPercentage, trendDuration }, falling)).toBe('waiting');
        expect(at(seconds, { option: 'buy_at_downtrend', trendPercentage, trendDuration }, rising)).toBe('waiting');
        const fromLow: PriceConfig = { option: 'buy_at_percentage_from_low', percentageFromLow: trendPercentage };
        expect(at(seconds, fromLow, falling)).toBe('waiting');
      }
    }),
  );
});

test('does not depend on the unit of the price for conditions in percent [S3-41, S3-42]', () => {
  const options = fc.constantFrom('buy_at_percentage_from_low', 'buy_at_uptrend', 'buy_at_downtrend');
  // Floating point multiplies exactly by powers of two.
  const factors = fc.integer({ min: -20, max: 20 }).map((power) => 2 ** power);
  fc.assert(
    fc.property(prices, percents, options, factors, (values, percent, option, factor) => {
      const config = { option, percentageFromLow: percent, trendPercentage: percent, trendDuration: 45 };
      const scaled = everyTenSeconds(values.map((value) => value * factor));
      for (const [index] of values.entries()) {
        expect(at(index * 10, config, scaled)).toBe(at(index * 10, config, everyTenSeconds(values)));
      }
    }),
  );
});

test('stays met with a longer window or a smaller percentage [S3-42]', () => {
  const options = fc.constantFrom('buy_at_uptrend', 'buy_at_downtrend');
  fc.assert(
    fc.property(prices, percents, fc.integer({ min: 1, max: 100 }), options, (values, percent, seconds, option) => {
      const history = everyTenSeconds(values);
      const end = (values.length - 1) * 10;
      const strict = at(end, { option, trendPercentage: percent, trendDuration: seconds }, history);
      const lax = at(end, { option, trendPercentage: percent / 2, trendDuration: seconds * 2 }, history);
      if (strict === 'met') expect(lax).toBe('met');
    }),
  );
});
