import { STANDARD_CURVE } from '../../../../../common/tokens/curve.ts';
import type { Reserves } from '../../observation.ts';

/**
 * Start and end of pump.fun's bonding curve, exact to the lamport; its trades are in `common/tokens/curve-trades.ts`, and those in
 * the pool after it in `common/tokens/pool-trades.ts`. Parameters and results are integers that a number holds exactly.
 */

/** Start of every standard curve. Amounts in lamports and base units (6 decimals). */
export const CURVE_START = {
  virtualQuote: STANDARD_CURVE.virtualQuote,
  virtualToken: STANDARD_CURVE.virtualToken,
  realQuote: 0,
  realToken: STANDARD_CURVE.realToken,
} as const satisfies Reserves;

/** Supply of a standard coin in base units: 1,000,000,000 tokens with 6 decimals. */
export const TOTAL_SUPPLY = STANDARD_CURVE.totalSupply;
export const TOKEN_DECIMALS = STANDARD_CURVE.decimals;

/** Base units for the pool at migration; the curve never sells them. */
export const POOL_SEED_TOKENS = 206_900_000_000_000;

/** Migration fee, lamports. */
export const MIGRATION_FEE_LAMPORTS = 15_000_001;

/** Returns the price of one base unit in lamports, or millionths of USDC. */
export function priceOf(reserves: Reserves): number {
  return reserves.virtualQuote / reserves.virtualToken;
}

/** Returns the pool after migration: the seed tokens, and the curve's quote without the fee. */
export function migratedPool(curve: Reserves, migrationFee: number): Reserves {
  const quote = Math.max(1, curve.realQuote - migrationFee);
  return { virtualQuote: quote, virtualToken: POOL_SEED_TOKENS, realQuote: quote, realToken: POOL_SEED_TOKENS };
}
