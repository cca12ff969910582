import { describe, expect, test } from 'vitest';
import { HOUR } from '../time.ts';
import { isMightRun, isNew, isRisky, isRunner, isSafe, type RunnerFields } from './lists.ts';

const NOW = 1_790_000_000_000;

describe('lists', () => {
  test.each([
    [0, true],
    [HOUR, true],
    [HOUR + 1, false],
    [-5_000, true],
  ])('a token of %s ms is new: %s [S4-09]', (age, expected) => expect(isNew(NOW - age, NOW)).toBe(expected));

  test('a token of unknown creation is not new [S4-09]', () => {
    expect(isNew(null, NOW)).toBe(false);
  });

  const runner = { createdAt: NOW - 10 * 60_000, growthScore: 50, outsideBuyers: 10, drained: false, rugged: false };

  test.each([
    [60_000, 31, true],
    [59_999, 31, false],
    [HOUR, 30.5, true],
    [HOUR, 30, false],
    [HOUR + 1, 99, false],
    [60_000, null, false],
  ])('age %s ms with growth %s is a runner: %s [S4-06]', (age, growthScore, expected) =>
    expect(isRunner({ ...runner, createdAt: NOW - age, growthScore }, NOW)).toBe(expected),
  );

  test.each<[string, Partial<RunnerFields>, boolean]>([
    ['of unknown creation', { createdAt: null }, false],
    ['with nine outside buyers', { outsideBuyers: 9 }, false],
    ['with unknown buyers', { outsideBuyers: null }, false],
    ['that is drained', { drained: true }, false],
    ['that is rugged', { rugged: true }, false],
    ['with everything a runner needs', {}, true],
  ])('a token %s: %o is a runner: %s [S4-06]', (_, fields, expected) =>
    expect(isRunner({ ...runner, ...fields }, NOW)).toBe(expected),
  );

  const mightRun = { createdAt: NOW - 1.5 * HOUR, marketCapUsd: 500_000, volumeUsd: 1_250_000 };

  test.each([
    ['as it should be', {}, true],
    ['smallest cap', { marketCapUsd: 400_000, volumeUsd: 1_000_000 }, true],
    ['cap too small', { marketCapUsd: 399_999.99, volumeUsd: 2_000_000 }, false],
    ['largest cap', { marketCapUsd: 1_000_000, volumeUsd: 2_500_000 }, true],
    ['cap too large', { marketCapUsd: 1_000_000.01, volumeUsd: 9_000_000 }, false],
    ['volume just short', { volumeUsd: 1_249_999 }, false],
    ['exactly one hour', { createdAt: NOW - HOUR }, true],
    ['too young', { createdAt: NOW - HOUR + 1 }, false],
    ['exactly two hours', { createdAt: NOW - 2 * HOUR }, true],
    ['too old', { createdAt: NOW - 2 * HOUR - 1 }, false],
    ['cap not known', { marketCapUsd: null }, false],
    ['volume not known', { volumeUsd: null }, false],
    ['creation not known', { createdAt: null }, false],
  ])('might run, %s [S4-08]', (_case, change, expected) =>
    expect(isMightRun({ ...mightRun, ...change }, NOW)).toBe(expected),
  );

  test('risky is above 50, safe is below 30, and unknown is neither [S4-10]', () => {
    expect([50, 50.1, null].map(isRisky)).toEqual([false, true, false]);
    expect([30, 29.9, 0, null].map(isSafe)).toEqual([false, true, true, false]);
  });
});
