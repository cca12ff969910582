import { STANDARD_CURVE } from '../../../../../common/tokens/curve.ts';
import type { Reserves } from '../../observation.ts';

/**
 * Maths of pump.fun's bonding curve and of the constant-product pool after it, exact to the lamport. Rounding was measured on
 * public recordings of mainnet trades, July 2026. Products of reserves exceed 2^53, so they use bigint; parameters and results
 * are integers that a number holds exactly.
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

/** Fees on the curve, basis points. The second goes either to the creator or back to the trader. */
export const CURVE_FEES_BPS = { protocol: 95, creatorOrCashback: 30 } as const;
export const CURVE_FEE_BPS = CURVE_FEES_BPS.protocol + CURVE_FEES_BPS.creatorOrCashback;

const BPS = 10_000;

/** Returns floor(a × b / c), exactly. */
function mulDiv(a: number, b: number, c: number): number {
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}

/** Returns the fee on a quote amount: ceil(amount × bps / 10000). Buyers pay it on top, sellers receive less. */
export function feeOn(quoteAmount: number, bps: number): number {
  return Number((BigInt(quoteAmount) * BigInt(bps) + BigInt(BPS - 1)) / BigInt(BPS));
}

/** Returns a gross payment without the fee: floor(gross × 10000 / (10000 + bps)). */
export function netOfFee(gross: number, bps: number): number {
  return mulDiv(gross, BPS, BPS + bps);
}

/** Returns the base units bought by a net quote amount on the curve: floor(vT × (n − 1) / (vQ + n − 1)), at least 0. */
export function tokensForQuote(reserves: Reserves, net: number): number {
  if (net <= 1) return 0;
  return mulDiv(reserves.virtualToken, net - 1, reserves.virtualQuote + net - 1);
}

/** Returns the net quote for exactly `tokens` base units on the curve: floor(dT × vQ / (vT − dT)) + 1. */
export function quoteForTokens(reserves: Reserves, tokens: number): number {
  return mulDiv(tokens, reserves.virtualQuote, reserves.virtualToken - tokens) + 1;
}

/** Returns the quote for `tokens` base units sold on curve or pool, before fees: floor(dT × vQ / (vT + dT)). */
export function quoteForSale(reserves: Reserves, tokens: number): number {
  return mulDiv(tokens, reserves.virtualQuote, reserves.virtualToken + tokens);
}

/** Returns the curve's reserves after a trade; `side` is the trader's. */
export function afterCurveTrade(reserves: Reserves, side: 'buy' | 'sell', quote: number, tokens: number): Reserves {
  const sign = side === 'buy' ? 1 : -1;
  return {
    virtualQuote: reserves.virtualQuote + sign * quote,
    virtualToken: reserves.virtualToken - sign * tokens,
    realQuote: reserves.realQuote + sign * quote,
    realToken: reserves.realToken - sign * tokens,
  };
}

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
