import { STANDARD_CURVE } from '../../../../../common/tokens/curve.ts';
import type { Reserves } from '../../observation.ts';

/**
 * The maths of pump.fun's bonding curve and of the constant-product pool that follows it, exact to the lamport.
 * Rounding was measured on public recordings of mainnet trades, July 2026. Products of reserves exceed 2^53, so they are
 * made with bigint; what goes in and comes out are integers that a number holds exactly.
 */

/** What every standard curve starts with. Amounts in lamports and base units (6 decimals). */
export const CURVE_START = {
  virtualQuote: STANDARD_CURVE.virtualQuote,
  virtualToken: STANDARD_CURVE.virtualToken,
  realQuote: 0,
  realToken: STANDARD_CURVE.realToken,
} as const satisfies Reserves;

/** Base units of a standard coin: 1,000,000,000 tokens with 6 decimals. */
export const TOTAL_SUPPLY = STANDARD_CURVE.totalSupply;
export const TOKEN_DECIMALS = STANDARD_CURVE.decimals;

/** Base units that go into the pool at migration; the curve never sells them. */
export const POOL_SEED_TOKENS = 206_900_000_000_000;

/** Lamports the migration keeps of what the curve collected. */
export const MIGRATION_FEE_LAMPORTS = 15_000_001;

/** Fees on the curve, basis points. The second goes to the creator or back to the trader, never to both. */
export const CURVE_FEES_BPS = { protocol: 95, creatorOrCashback: 30 } as const;
export const CURVE_FEE_BPS = CURVE_FEES_BPS.protocol + CURVE_FEES_BPS.creatorOrCashback;

const BPS = 10_000;

/** floor(a × b / c) without losing a digit. */
function mulDiv(a: number, b: number, c: number): number {
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}

/** Fee on a quote amount: ceil(amount × bps / 10000). Buyers pay it on top, sellers get less. */
export function feeOn(quoteAmount: number, bps: number): number {
  return Number((BigInt(quoteAmount) * BigInt(bps) + BigInt(BPS - 1)) / BigInt(BPS));
}

/** What is left for the curve of a gross payment: floor(gross × 10000 / (10000 + bps)). */
export function netOfFee(gross: number, bps: number): number {
  return mulDiv(gross, BPS, BPS + bps);
}

/** Base units bought by a net quote amount on the curve: floor(vT × (n − 1) / (vQ + n − 1)). 0 when it buys nothing. */
export function tokensForQuote(reserves: Reserves, net: number): number {
  if (net <= 1) return 0;
  return mulDiv(reserves.virtualToken, net - 1, reserves.virtualQuote + net - 1);
}

/** Net quote that exactly `tokens` base units cost on the curve: floor(dT × vQ / (vT − dT)) + 1. */
export function quoteForTokens(reserves: Reserves, tokens: number): number {
  return mulDiv(tokens, reserves.virtualQuote, reserves.virtualToken - tokens) + 1;
}

/** Quote paid for `tokens` base units sold, before fees: floor(dT × vQ / (vT + dT)). The pool pays by the same formula. */
export function quoteForSale(reserves: Reserves, tokens: number): number {
  return mulDiv(tokens, reserves.virtualQuote, reserves.virtualToken + tokens);
}

/** Curve reserves after a trade; `side` is the trader's. */
export function afterCurveTrade(reserves: Reserves, side: 'buy' | 'sell', quote: number, tokens: number): Reserves {
  const sign = side === 'buy' ? 1 : -1;
  return {
    virtualQuote: reserves.virtualQuote + sign * quote,
    virtualToken: reserves.virtualToken - sign * tokens,
    realQuote: reserves.realQuote + sign * quote,
    realToken: reserves.realToken - sign * tokens,
  };
}

/** Quote for one base unit: lamports, or millionths of USDC. */
export function priceOf(reserves: Reserves): number {
  return reserves.virtualQuote / reserves.virtualToken;
}

/** The pool a completed curve migrates into: the seed tokens and what the curve collected, less the fee. */
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

/** Fees of a pool trade, basis points. Between 9,820 and 98,240 SOL the steps are not known one by one: their middle. */
export function poolFees(marketCapSol: number): { total: number; provider: number } {
  return POOL_FEES.find((step) => marketCapSol < step.below) ?? POOL_FEES_ABOVE;
}

/** Base units a net quote amount buys from the pool: floor(T × n / (Q + n)). */
export function poolTokensForQuote(pool: Reserves, net: number): number {
  return mulDiv(pool.virtualToken, net, pool.virtualQuote + net);
}

/** Pool reserves after a trade. The provider's fee stays inside, so the product of both sides never falls. */
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
