import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  baseUnitsToTokens,
  LAMPORTS_PER_SOL,
  lamportsOfSol,
  lamportsToSol,
  roundSignificant,
  solText,
  solToLamports,
} from './units.ts';

describe('units', () => {
  test('one SOL is 1,000,000,000 lamports [S1-01]', () => {
    expect(LAMPORTS_PER_SOL).toBe(1_000_000_000);
    expect(lamportsToSol(1_000_000_000)).toBe(1);
    expect(solToLamports(1)).toBe(1_000_000_000);
    expect(solToLamports(0.000000001)).toBe(1);
  });

  test('lamports survive the conversion to SOL and back [S1-01]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (lamports) => {
        expect(solToLamports(lamportsToSol(lamports))).toBe(lamports);
      }),
    );
  });

  test('converts base units to whole tokens', () => {
    expect(baseUnitsToTokens(1_500_000, 6)).toBe(1.5);
    expect(baseUnitsToTokens(7, 0)).toBe(7);
  });

  test('rounds to six significant digits for any size', () => {
    expect(roundSignificant(0.000000123456789)).toBe(0.000000123457);
    expect(roundSignificant(123456789)).toBe(123457000);
    expect(roundSignificant(0)).toBe(0);
    expect(roundSignificant(1.5, 1)).toBe(2);
  });

  test('rounding twice equals rounding once', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (value) => {
        const once = roundSignificant(value);
        expect(roundSignificant(once)).toBe(once);
        expect(Math.abs(once - value)).toBeLessThanOrEqual(value * 5e-6);
      }),
    );
  });
});

describe('SOL as text', () => {
  test.each([
    ['1', 1_000_000_000n],
    [' 1.5 ', 1_500_000_000n],
    ['.5', 500_000_000n],
    ['2.', 2_000_000_000n],
    ['0.000000001', 1n],
    ['1e-9', 1n],
    ['1.5E3', 1_500_000_000_000n],
    ['-0.25', -250_000_000n],
    ['9007199254.740993', 9_007_199_254_740_993_000n],
  ])('%j is whole lamports, exactly', (text, lamports) => {
    expect(lamportsOfSol(text)).toBe(lamports);
  });

  test.each([
    ['0.0000000019', 1n],
    ['0.0000000009', 0n],
    ['1.9999999999', 1_999_999_999n],
    ['0.29', 290_000_000n],
    ['1e-99', 0n],
  ])('%j is floored to whole lamports [S5-15]', (text, lamports) => {
    expect(lamportsOfSol(text)).toBe(lamports);
  });

  test.each([
    '',
    ' ',
    '.',
    '-',
    'e5',
    'abc',
    '1,5',
    '1.2.3',
    '0x10',
    'NaN',
    'Infinity',
    '1e999',
    '1 2',
    '9'.repeat(101),
  ])('%j is not an amount', (text) => {
    expect(lamportsOfSol(text)).toBeNull();
  });

  test('decimals beyond the ninth change nothing [S5-15]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n }), fc.stringMatching(/^[0-9]{0,40}$/), (lamports, beyond) => {
        const text = solText(lamports);
        const [whole, fraction = ''] = text.split('.');
        expect(lamportsOfSol(`${whole}.${fraction.padEnd(9, '0')}${beyond}`)).toBe(lamports);
      }),
    );
  });

  test('lamports survive the conversion to text and back, in plain decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (lamports) => {
        const text = solText(lamports);
        expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
        expect(lamportsOfSol(text)).toBe(lamports);
      }),
    );
  });

  test('any text is an amount or null, and nothing throws', () => {
    fc.assert(fc.property(fc.string(), (text) => ['bigint', 'object'].includes(typeof lamportsOfSol(text))));
  });
});
