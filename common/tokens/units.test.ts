import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseUnitsToTokens, LAMPORTS_PER_SOL, lamportsToSol, roundSignificant, solToLamports } from './units.ts';

describe('units', () => {
  test('S1-01 one SOL is 1,000,000,000 lamports', () => {
    expect(LAMPORTS_PER_SOL).toBe(1_000_000_000);
    expect(lamportsToSol(1_000_000_000)).toBe(1);
    expect(solToLamports(1)).toBe(1_000_000_000);
    expect(solToLamports(0.000000001)).toBe(1);
  });

  test('S1-01 lamports survive the way to SOL and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (lamports) => {
        expect(solToLamports(lamportsToSol(lamports))).toBe(lamports);
      }),
    );
  });

  test('base units become whole tokens', () => {
    expect(baseUnitsToTokens(1_500_000, 6)).toBe(1.5);
    expect(baseUnitsToTokens(7, 0)).toBe(7);
  });

  test('rounds to six significant digits, however small the number is', () => {
    expect(roundSignificant(0.000000123456789)).toBe(0.000000123457);
    expect(roundSignificant(123456789)).toBe(123457000);
    expect(roundSignificant(0)).toBe(0);
    expect(roundSignificant(1.5, 1)).toBe(2);
  });

  test('rounding twice is rounding once', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e12, noNaN: true }), (value) => {
        const once = roundSignificant(value);
        expect(roundSignificant(once)).toBe(once);
        expect(Math.abs(once - value)).toBeLessThanOrEqual(value * 5e-6);
      }),
    );
  });
});
