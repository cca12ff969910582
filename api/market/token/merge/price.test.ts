import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startReserves } from '../../testing/observations.ts';
import { priceInSol, toLamports } from './price.ts';

describe('price', () => {
  test('a standard coin starts at 30 SOL / 1,073,000,000 tokens [S3-03]', () => {
    expect(priceInSol(startReserves(), 'SOL', 6, null)).toBeCloseTo(30 / 1_073_000_000, 18);
  });

  test('a coin quoted in USDC has a price in SOL only with a rate [S3-03]', () => {
    const reserves = { ...startReserves(), virtualQuote: 4_500_000_000 };
    expect(priceInSol(reserves, 'USDC', 6, 150)).toBeCloseTo(30 / 1_073_000_000, 18);
    expect(priceInSol(reserves, 'USDC', 6, null)).toBeNull();
  });

  test('a coin quoted in another asset has no price', () => {
    expect(priceInSol(startReserves(), 'other', 6, 150)).toBeNull();
    expect(toLamports('other', 5, 150)).toBeNull();
  });

  test('empty reserves give no price', () => {
    expect(priceInSol({ ...startReserves(), virtualToken: 0 }, 'SOL', 6, 150)).toBeNull();
    expect(priceInSol({ ...startReserves(), virtualQuote: 0 }, 'SOL', 6, 150)).toBeNull();
    expect(priceInSol(startReserves(), 'SOL', null, 150)).toBeNull();
  });

  test('converts quote amounts to lamports [S3-03]', () => {
    expect(toLamports('SOL', 123, null)).toBe(123);
    expect(toLamports('USDC', 150_000_000, 150)).toBe(1_000_000_000);
    expect(toLamports('USDC', 150_000_000, null)).toBeNull();
  });

  test('the price is a finite positive number or null for any reserves', () => {
    const amount = fc.maxSafeNat();
    fc.assert(
      fc.property(
        amount,
        amount,
        fc.nat(18),
        fc.constantFrom('SOL', 'USDC', 'other'),
        (quote, token, decimals, kind) => {
          const reserves = { virtualQuote: quote, virtualToken: token, realQuote: 0, realToken: 0 };
          const price = priceInSol(reserves, kind, decimals, 150);
          if (price !== null) expect(Number.isFinite(price) && price > 0).toBe(true);
        },
      ),
    );
  });
});
