import { STANDARD_CURVE } from '../../../../../common/tokens/curve.ts';
import { mulDiv } from '../../../../../common/tokens/curve-trades.ts';
import type { Reserves } from '../../observation.ts';

/**
 * Start and end of pump.fun's bonding curve, and the maths of the constant-product pool after it, exact to the lamport; trades
 * on the curve are in `common/tokens/curve-trades.ts`. Parameters and results are integers that a number holds exactly.
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

/** Total and liquidity-provider fee of a migrated pool in basis points, by market cap in SOL (PumpSwap's table, July 2026). */
const POOL_FEES = [
  { below: 420, total: 125, provider: 2 },
  { below: 1_470, total: 120, provider: 20 },
  { below: 2_460, total: 115, provider: 20 },
  { below: 3_440, total: 110, provider: 20 },
  { below: 4_420, total: 105, provider: 20 },
  { below: 9_820, total: 100, provider: 20 },
  { below: 98_240, total: 65, provider: 20 },
] as const;
const POOL_FEES_ABOVE = { total: 30, provider: 20 } as const;

/** Returns the fees of a pool trade, basis points. Between 9,820 and 98,240 SOL the exact steps are unknown: their middle. */
export function poolFees(marketCapSol: number): { total: number; provider: number } {
  return POOL_FEES.find((step) => marketCapSol < step.below) ?? POOL_FEES_ABOVE;
}

/** Returns the base units bought by a net quote amount from the pool: floor(T × n / (Q + n)). */
export function poolTokensForQuote(pool: Reserves, net: number): number {
  return mulDiv(pool.virtualToken, net, pool.virtualQuote + net);
}

/** Returns the pool's reserves after a trade. The provider's fee stays in, so the product of both sides never falls. */
export function afterPoolTrade(
  pool: Reserves,
  side: 'buy' | 'sell',
  trade: { quote: number; tokens: number; providerFee: number },
): Reserves {
  const sign = side === 'buy' ? 1 : -1;
  const quote = pool.virtualQuote + sign * trade.quote + trade.providerFee;
  const token = pool.virtualToken - sign * trade.tokens;
  return { virtualQuote: quote, virtualToken: token, realQuote: quote, realToken: token };
}
