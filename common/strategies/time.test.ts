import { describe, expect, test } from 'vitest';
import type { TimeConfig } from './model.ts';
import { DETECTED, isoAfter, later } from './testing/histories.ts';
import { timeFlaw, timeMet } from './time.ts';

/** Evaluates the condition `seconds` after detection. */
function at(seconds: number, config: TimeConfig) {
  return timeMet(config, { detectedAt: DETECTED }, later(seconds));
}

describe('time conditions', () => {
  test('buy_immediately is met from detection on [S3-39]', () => {
    const config: TimeConfig = { option: 'buy_immediately' };
    expect(at(-0.001, config)).toBe('waiting');
    expect(at(0, config)).toBe('met');
    expect(at(100_000, config)).toBe('met');
  });

  test('buy_after_duration counts from detection, to the millisecond [S3-40]', () => {
    const config: TimeConfig = { option: 'buy_after_duration', duration: 90 };
    expect(at(0, config)).toBe('waiting');
    expect(at(89.999, config)).toBe('waiting');
    expect(at(90, config)).toBe('met');
    expect(at(9000, config)).toBe('met');
  });

  test('buy_after_duration counts for each token from its own detection [S3-40]', () => {
    const config: TimeConfig = { option: 'buy_after_duration', duration: 90 };
    expect(timeMet(config, { detectedAt: later(60) }, later(149.999))).toBe('waiting');
    expect(timeMet(config, { detectedAt: later(60) }, later(150))).toBe('met');
  });

  test('buy_at_time is met from the target time on, only for tokens detected by then [S3-39]', () => {
    const config: TimeConfig = { option: 'buy_at_time', targetTime: isoAfter(600) };
    expect(at(599.999, config)).toBe('waiting');
    expect(at(600, config)).toBe('met');
    expect(at(7000, config)).toBe('met');
    expect(timeMet(config, { detectedAt: later(600) }, later(600))).toBe('met');
    expect(timeMet(config, { detectedAt: later(600.001) }, later(700))).toBe('never');
  });

  test('buy_at_time accepts a time with an offset [S3-39]', () => {
    const config: TimeConfig = { option: 'buy_at_time', targetTime: '2026-09-01T14:10:00+02:00' };
    expect(at(599, config)).toBe('waiting');
    expect(at(600, config)).toBe('met');
  });

  test('buy_within_timeframe is met from its start to its end, inclusive [S3-39]', () => {
    const config: TimeConfig = { option: 'buy_within_timeframe', startTime: isoAfter(60), endTime: isoAfter(120) };
    expect(at(59.999, config)).toBe('waiting');
    expect(at(60, config)).toBe('met');
    expect(at(120, config)).toBe('met');
    expect(at(120.001, config)).toBe('never');
  });

  test('buy_within_timeframe treats a missing bound as open [S3-39]', () => {
    const from: TimeConfig = { option: 'buy_within_timeframe', startTime: isoAfter(60) };
    expect([at(59, from), at(60, from), at(1e6, from)]).toEqual(['waiting', 'met', 'met']);
    const until: TimeConfig = { option: 'buy_within_timeframe', endTime: isoAfter(60) };
    expect([at(-1, until), at(0, until), at(60, until), at(61, until)]).toEqual(['waiting', 'met', 'met', 'never']);
  });

  test.each<[TimeConfig, string]>([
    [{ option: 'buy_after_duration' }, 'no duration is set'],
    [{ option: 'buy_after_duration', duration: 0 }, 'the duration must be above 0'],
    [{ option: 'buy_after_duration', duration: -5 }, 'the duration must be above 0'],
    [{ option: 'buy_at_time' }, 'no target time is set'],
    [{ option: 'buy_at_time', startTime: isoAfter(0) }, 'no target time is set'],
    [{ option: 'buy_within_timeframe' }, 'no time frame is set'],
    [
      { option: 'buy_within_timeframe', startTime: isoAfter(2), endTime: isoAfter(1) },
      'the time frame ends before it begins',
    ],
  ])('is never met with a missing field: %o [S3-39]', (config, flaw) => {
    expect(timeFlaw(config)).toBe(flaw);
    for (const seconds of [-1, 0, 1, 1.5, 2, 1e6]) expect(at(seconds, config)).toBe('never');
  });
});
