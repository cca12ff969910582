import { describe, expect, test } from 'vitest';
import {
  adminAddress,
  age,
  compact,
  count,
  liquidity,
  marketCap,
  percentChange,
  plainDecimals,
  plainPrice,
  price,
  priceExact,
  share,
  shortAddress,
  signedPercent,
  usd,
  utcTime,
  wholeUsd,
} from './format.ts';

test.each([compact, usd, marketCap, count, price, priceExact, percentChange, signedPercent, liquidity, share])(
  '%o shows an unknown value as a dash, never 0',
  (format) => {
    expect(format(null)).toBe('–');
    expect(format(undefined)).toBe('–');
    expect(format(Number.NaN)).toBe('–');
  },
);

test('wholeUsd has no cents', () => {
  expect([1_675_020.4, 0.4, 0, null].map(wholeUsd)).toEqual(['$1,675,020', '< $1', '$0', '–']);
});

test.each([
  [0, '0'],
  [0.456, '0.46'],
  [7, '7'],
  [12.34, '12.3'],
  [950.4, '950'],
  [999.6, '1.0K'],
  [1234, '1.2K'],
  [999_960, '1.0M'],
  [3_520_000, '3.5M'],
  [2_100_000_000, '2.10B'],
  [1.5e12, '1.50T'],
  [-1234, '−1.2K'],
])('compact(%d) is %s', (value, text) => expect(compact(value)).toBe(text));

test('formats dollars', () => {
  expect(usd(412_350)).toBe('$412.4K');
  expect(usd(-1500)).toBe('−$1.5K');
  expect(marketCap(412_350.119)).toBe('$412,350.12');
  expect(marketCap(0)).toBe('$0.00');
});

describe('prices', () => {
  test.each([
    [0, '0'],
    [1234.5, '1,235'],
    [12.3456, '12.35'],
    [0.5, '0.5000'],
    [0.05, '0.05000'],
    [0.00012346, '0.0001235'],
    [0.00001234, '0.0₄1234'],
    [0.000001234, '0.0₅1234'],
    [0.0000000000012345, '0.0₁₁1235'],
    [0.99999, '1.000'],
    [0.0000099999, '0.0₄1000'],
    [-0.000001234, '−0.0₅1234'],
  ])('price(%d) is %s', (value, text) => expect(price(value)).toBe(text));

  test('screen readers and copies get the same digits in plain decimals', () => {
    expect(plainPrice(0.00000003011)).toBe('0.00000003011');
    expect(plainPrice(1.5)).toBe('1.500');
    expect(plainPrice(null)).toBe('–');
    expect(plainDecimals('0.0₅1234 SOL, then 0.0₁₂5000')).toBe('0.000001234 SOL, then 0.0000000000005000');
    expect(plainDecimals('H₂O at 0.05')).toBe('H₂O at 0.05');
    expect(plainDecimals(`0.0${'₉'.repeat(9)}1`)).toHaveLength(13);
  });

  test('formats a price with 8 decimals [S9-11]', () => {
    expect(priceExact(0.000012345)).toBe('0.00001234');
    expect(priceExact(0.00000003903)).toBe('0.0₇3903');
    expect(priceExact(1.5)).toBe('1.50000000');
  });
});

test.each([
  [1.254, '▲ +1.25%'],
  [-3.2, '▼ −3.20%'],
  [0, '0.00%'],
  [0.004, '0.00%'],
  [-0.004, '0.00%'],
])('percentChange(%d) is %s', (value, text) => expect(percentChange(value)).toBe(text));

test.each([
  [12.3456, '12.346 SOL'],
  [1234.5, '1,234.500 SOL'],
  [0.001, '0.001 SOL'],
  [0.00099, '< 0.001 SOL'],
  [0, '< 0.001 SOL'],
])('liquidity(%d) is %s [S9-10]', (value, text) => expect(liquidity(value)).toBe(text));

describe('ages use s, m, h and d [S9-13]', () => {
  const now = Date.parse('2026-01-10T12:00:00Z');
  test.each([
    [now, '0s'],
    [now - 3_900, '3s'],
    [now - 59_999, '59s'],
    [now - 60_000, '1m'],
    [now - 59 * 60_000, '59m'],
    [now - 2 * 3_600_000, '2h'],
    [now - 4 * 86_400_000, '4d'],
    [now + 5_000, '0s'],
  ])('age of %d', (from, text) => expect(age(from, now)).toBe(text));

  test('accept an ISO time, and null', () => {
    expect(age('2026-01-10T11:55:00Z', now)).toBe('5m');
    expect(age(null, now)).toBe('–');
    expect(age('not a time', now)).toBe('–');
    expect(utcTime(now)).toBe('2026-01-10 12:00:00 UTC');
  });
});

test('shortens an address to 6 plus 4 characters [S9-14]', () => {
  expect(shortAddress('So11111111111111111111111111111111111111112')).toBe('So1111…1112');
  expect(shortAddress(null)).toBe('–');
  expect(shortAddress('short')).toBe('short');
});

test('shortens an address on admin pages to its first 8 and last 4 characters [S9-15]', () => {
  expect(adminAddress('So11111111111111111111111111111111111111112')).toBe('So111111…1112');
  expect(adminAddress(undefined)).toBe('–');
  expect(adminAddress('short')).toBe('short');
});
