import { describe, expect, test } from 'vitest';
import { holdersFlaw, holdersMet } from './holders.ts';
import type { HolderConfig } from './model.ts';
import { later, pathOf } from './testing/histories.ts';

function at(seconds: number, config: HolderConfig, steps: string) {
  return holdersMet(config, pathOf('holders', steps), later(seconds));
}

/** Returns the state at each of these times, s after detection. */
const statesAt = (times: readonly number[], config: HolderConfig, steps: string) =>
  times.map((seconds) => at(seconds, config, steps)).join(' ');

describe('holder conditions', () => {
  test('buy_at_minimum_holders is met from exactly the minimum on [S3-39]', () => {
    const config: HolderConfig = { option: 'buy_at_minimum_holders', minHolders: 50 };
    expect(statesAt([0, 10, 20], config, '0:1 10:49 20:50')).toBe('waiting waiting met');
    expect(at(0, config, '0:?')).toBe('unknown');
    expect(at(0, config, '')).toBe('unknown');
  });

  test('buy_at_holder_increase_rate looks back over monitorDuration [S3-43]', () => {
    const config: HolderConfig = {
      option: 'buy_at_holder_increase_rate',
      increaseRatePercentage: 30,
      monitorDuration: 60,
    };
    const steps = '0:10 30:12 50:13 100:15';
    expect(statesAt([0, 30, 50, 89, 90, 100], config, steps)).toBe('waiting waiting met met waiting waiting');
  });

  test('buy_at_holder_increase_rate skips 0 holders [S3-43]', () => {
    const config: HolderConfig = {
      option: 'buy_at_holder_increase_rate',
      increaseRatePercentage: 30,
      monitorDuration: 60,
    };
    expect(at(1, config, '0:0 1:100')).toBe('waiting');
    expect(at(2, config, '0:0 1:100 2:130')).toBe('met');
  });

  test.each<[HolderConfig, string]>([
    [{ option: 'buy_at_minimum_holders' }, 'no minimum of holders is set'],
    [{ option: 'buy_at_holder_increase_rate', monitorDuration: 5 }, 'no increase rate is set'],
    [{ option: 'buy_at_holder_increase_rate', increaseRatePercentage: 5 }, 'no monitor duration is set'],
  ])('is never met with a missing field: %o [S3-39]', (config, flaw) => {
    expect(holdersFlaw(config)).toBe(flaw);
    expect(at(5, config, '0:1 5:100')).toBe('never');
  });
});
