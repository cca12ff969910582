import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launchpadName } from './launchpad-names.ts';
import { baseUnits, epochMs, nonBlank, nonNegative } from './payload-values.ts';

describe('base units', () => {
  test.each([
    [1_000_000_000, 6, '1000000000000000'],
    [998_265_707.4637209, 9, '998265707463720900'],
    [6_863_982_654.38, 6, '6863982654380000'],
    [1e21, 9, `1${'0'.repeat(30)}`],
    [1e-7, 9, '100'],
    [1.23456789, 2, '123'],
    [0, 6, '0'],
    [5, 0, '5'],
  ])('%s whole tokens of %s decimals are %s', (tokens, decimals, units) => {
    expect(baseUnits(tokens, decimals)).toBe(units);
  });

  test.each([
    [null, 6],
    [5, null],
    [-1, 6],
    [Number.NaN, 6],
    [5, 255],
    [5, 1.5],
  ])('%s of %s decimals is null', (tokens, decimals) => {
    expect(baseUnits(tokens, decimals)).toBeNull();
  });

  test('match integer arithmetic for every whole number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 0, max: 18 }),
        (tokens, decimals) => {
          expect(baseUnits(tokens, decimals)).toBe((BigInt(tokens) * 10n ** BigInt(decimals)).toString());
        },
      ),
    );
  });
});

test.each([
  ['2026-07-30T12:00:00Z', Date.UTC(2026, 6, 30, 12)],
  [1_785_412_800, Date.UTC(2026, 6, 30, 12)],
  [1_785_412_800_000, Date.UTC(2026, 6, 30, 12)],
  [0, null],
  ['soon', null],
  [null, null],
  ['1970-01-01T00:00:00Z', null],
])('epochMs(%s) is %s', (value, at) => {
  expect(epochMs(value)).toBe(at);
});

test('nonNegative and nonBlank return null for invalid values', () => {
  expect([nonNegative(0), nonNegative(-1), nonNegative(Number.NaN), nonNegative(null), nonNegative(1.5)]).toEqual([
    0,
    null,
    null,
    null,
    1.5,
  ]);
  expect([nonBlank(' a '), nonBlank('  '), nonBlank(null), nonBlank(undefined)]).toEqual(['a', null, null, null]);
});

test.each([
  ['https://pump.fun', 'pump.fun'],
  ['Pump.fun', 'pump.fun'],
  ['pumpfun-amm', 'pump.fun'],
  ['https://letsbonk.fun/token/x', 'letsbonk.fun'],
  ['met-dbc', 'met-dbc'],
  ['Some Pad', 'some pad'],
  ['<script>', null],
  ['', null],
  [undefined, null],
])('the launchpad name of %s is %s', (text, name) => {
  expect(launchpadName(text)).toBe(name);
});
