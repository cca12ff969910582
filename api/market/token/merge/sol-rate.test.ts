import { describe, expect, test } from 'vitest';
import { rate, START } from '../../testing/observations.ts';
import { createSolRate } from './sol-rate.ts';

describe('SOL/USD rate', () => {
  test('has no rate without configuration or report [S3-05]', () => {
    expect(createSolRate(null, START).present()).toBeNull();
  });

  test('uses SOL_USD until a source reports a rate [S3-05]', () => {
    const rates = createSolRate(150, START);
    expect(rates.present()).toEqual({ rate: 150, at: '2026-09-01T12:00:00.000Z', source: 'SOL_USD' });
    expect(rates.observe(rate(160, { at: START + 1_000 }))).toBe(true);
    expect(rates.present()).toEqual({ rate: 160, at: '2026-09-01T12:00:01.000Z', source: 'solana' });
  });

  test('takes the newest rate and ignores invalid ones [S3-05]', () => {
    const rates = createSolRate(null, START);
    rates.observe(rate(160, { at: START }));
    for (const invalid of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(rates.observe(rate(invalid, { at: START + 1 }))).toBe(false);
    }
    expect(rates.observe(rate(170, { at: START - 1 }))).toBe(false);
    expect(rates.observe(rate(99, { at: START + 5, source: 'env' }))).toBe(false);
    expect(rates.current()?.solUsd).toBe(160);
  });

  test('only a notable change starts a generation', () => {
    const rates = createSolRate(150, START);
    const before = rates.generation;
    rates.observe(rate(150.1, { at: START + 1 }));
    expect(rates.generation).toBe(before);
    rates.observe(rate(151, { at: START + 2 }));
    expect(rates.generation).toBe(before + 1);
  });

  test('restores a stored rate that is at most an hour old [S3-05]', () => {
    const stored = { solUsd: 170, at: START - 3_600_000, source: 'solana' };
    const rates = createSolRate(150, START);
    rates.restore(stored, START);
    expect(rates.current()?.solUsd).toBe(170);
    const late = createSolRate(150, START);
    late.restore(stored, START + 1);
    expect(late.current()?.solUsd).toBe(150);
  });
});
