import { describe, expect, test } from 'vitest';
import { rate, START } from '../../testing/observations.ts';
import { RateKeeper } from './sol-rate.ts';

describe('SOL/USD rate', () => {
  test('without any there is none [S3-05]', () => {
    expect(new RateKeeper(null, START).present()).toBeNull();
  });

  test('SOL_USD is used until a source tells one [S3-05]', () => {
    const keeper = new RateKeeper(150, START);
    expect(keeper.present()).toEqual({ rate: 150, at: '2026-09-01T12:00:00.000Z', source: 'SOL_USD' });
    expect(keeper.observe(rate(160, { at: START + 1_000 }))).toBe(true);
    expect(keeper.present()).toEqual({ rate: 160, at: '2026-09-01T12:00:01.000Z', source: 'solana' });
  });

  test('the newest counts, and nonsense does not [S3-05]', () => {
    const keeper = new RateKeeper(null, START);
    keeper.observe(rate(160, { at: START }));
    for (const nonsense of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(keeper.observe(rate(nonsense, { at: START + 1 }))).toBe(false);
    }
    expect(keeper.observe(rate(170, { at: START - 1 }))).toBe(false);
    expect(keeper.observe(rate(99, { at: START + 5, source: 'env' }))).toBe(false);
    expect(keeper.current()?.solUsd).toBe(160);
  });

  test('only a notable change makes figures anew', () => {
    const keeper = new RateKeeper(150, START);
    const before = keeper.generation;
    keeper.observe(rate(150.1, { at: START + 1 }));
    expect(keeper.generation).toBe(before);
    keeper.observe(rate(151, { at: START + 2 }));
    expect(keeper.generation).toBe(before + 1);
  });

  test('a stored rate is taken up after a restart unless it is more than an hour old [S3-05]', () => {
    const stored = { solUsd: 170, at: START - 3_600_000, source: 'solana' };
    const keeper = new RateKeeper(150, START);
    keeper.restore(stored, START);
    expect(keeper.current()?.solUsd).toBe(170);
    const late = new RateKeeper(150, START);
    late.restore(stored, START + 1);
    expect(late.current()?.solUsd).toBe(150);
  });
});
