import { describe, expect, test } from 'vitest';
import { liquidityFlaw, liquidityMet } from './liquidity.ts';
import type { LiquidityConfig } from './model.ts';
import { later, pathOf } from './testing/histories.ts';

function at(seconds: number, config: LiquidityConfig, steps: string) {
  return liquidityMet(config, pathOf('liquidity', steps), later(seconds));
}

/** Returns the state at each of these times, s after detection. */
const statesAt = (times: readonly number[], config: LiquidityConfig, steps: string) =>
  times.map((seconds) => at(seconds, config, steps)).join(' ');

describe('liquidity conditions', () => {
  test('buy_at_minimum_liquidity is met from exactly the minimum on [S3-39]', () => {
    const config: LiquidityConfig = { option: 'buy_at_minimum_liquidity', targetLiquidity: 5 };
    const steps = '0:0 10:4.999999999 20:5 30:6 40:4';
    expect(statesAt([0, 10, 20, 30, 40], config, steps)).toBe('waiting waiting met met waiting');
    expect(at(0, config, '0:?')).toBe('unknown');
  });

  test('buy_at_liquidity_increase looks back over monitorDuration [S3-43]', () => {
    const config: LiquidityConfig = { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 120 };
    const steps = '0:2 60:2.9 100:3 200:4.2';
    expect(statesAt([0, 60, 100, 179, 180, 200], config, steps)).toBe('waiting waiting met met waiting waiting');
    expect(at(200, { ...config, monitorDuration: 141 }, steps)).toBe('met');
  });

  test('buy_at_liquidity_increase skips a liquidity of 0 [S3-43]', () => {
    const config: LiquidityConfig = { option: 'buy_at_liquidity_increase', percentageChange: 50, monitorDuration: 120 };
    expect(at(10, config, '0:0 10:5')).toBe('waiting');
    expect(at(20, config, '0:0 10:5 20:7.5')).toBe('met');
  });

  test('buy_at_liquidity_decrease looks back over monitorDuration [S3-43]', () => {
    const config: LiquidityConfig = { option: 'buy_at_liquidity_decrease', percentageChange: 10, monitorDuration: 60 };
    const steps = '0:0.1 30:0.2 60:0.181 70:0.18 95:0.17';
    expect(statesAt([0, 30, 60, 70, 89, 95], config, steps)).toBe('waiting waiting waiting met met met');
    expect(at(130, config, steps)).toBe('waiting');
    expect(at(10, config, '0:1 10:?')).toBe('unknown');
  });

  test.each<[LiquidityConfig, string]>([
    [{ option: 'buy_at_minimum_liquidity' }, 'no target liquidity is set'],
    [{ option: 'buy_at_liquidity_increase', monitorDuration: 5 }, 'no percentage change is set'],
    [{ option: 'buy_at_liquidity_increase', percentageChange: 5 }, 'no monitor duration is set'],
    [
      { option: 'buy_at_liquidity_decrease', percentageChange: 100.5, monitorDuration: 5 },
      'nothing can fall by more than 100%',
    ],
  ])('is never met with a missing field: %o [S3-39]', (config, flaw) => {
    expect(liquidityFlaw(config)).toBe(flaw);
    expect(at(5, config, '0:1 5:0')).toBe('never');
  });
});
