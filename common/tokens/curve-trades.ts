import { STANDARD_CURVE } from './curve.ts';
import { LAMPORTS_PER_SOL } from './units.ts';

/**
 * Maths of trades on pump.fun's bonding curve, exact to the lamport (github pump-fun/pump-public-docs @1b82215, quote formulas).
 * Rounding was measured on public recordings of mainnet trades, July 2026, and is compared with the local chain's program. Products
 * of reserves exceed 2^53, so they use bigint; parameters and results are integers that a number holds exactly.
 */

/** Reserves of a curve or pool: quote in lamports (or millionths of USDC), tokens in base units. */
export interface TradedReserves {
  virtualQuote: number;
  virtualToken: number;
  realQuote: number;
  realToken: number;
}

/** Fees on the curve, basis points. The second goes either to the creator or back to the trader. */
export const CURVE_FEES_BPS = { protocol: 95, creatorOrCashback: 30 } as const;
export const CURVE_FEE_BPS = CURVE_FEES_BPS.protocol + CURVE_FEES_BPS.creatorOrCashback;

/** Fees of a coin in force, basis points. Each is rounded up by itself. */
export interface CurveFees {
  protocol: number;
  creatorOrCashback: number;
}

/** A trade on the curve: quote without fees, base units, and both fees together. A buyer pays quote + fee, a seller receives quote − fee. */
export interface CurveTrade {
  quote: number;
  tokens: number;
  fee: number;
}

const BPS = 10_000;

/** Returns floor(a × b / c), exactly. */
export function mulDiv(a: number, b: number, c: number): number {
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}

/** Returns the fee on a quote amount: ceil(amount × bps / 10000). Buyers pay it on top, sellers receive less. */
export function feeOn(quoteAmount: number, bps: number): number {
  return Number((BigInt(quoteAmount) * BigInt(bps) + BigInt(BPS - 1)) / BigInt(BPS));
}

/** Returns both fees on a quote amount, each rounded up. */
export function curveFeeOn(quoteAmount: number, { protocol, creatorOrCashback }: CurveFees): number {
  return feeOn(quoteAmount, protocol) + feeOn(quoteAmount, creatorOrCashback);
}

/** Returns a gross payment without the fee: floor(gross × 10000 / (10000 + bps)). */
export function netOfFee(gross: number, bps: number): number {
  return mulDiv(gross, BPS, BPS + bps);
}

/** Returns the base units bought by a net quote amount on the curve: floor(vT × (n − 1) / (vQ + n − 1)), at least 0. */
export function tokensForQuote(reserves: TradedReserves, net: number): number {
  if (net <= 1) return 0;
  return mulDiv(reserves.virtualToken, net - 1, reserves.virtualQuote + net - 1);
}

/** Returns the net quote for exactly `tokens` base units on the curve: floor(dT × vQ / (vT − dT)) + 1. */
export function quoteForTokens(reserves: TradedReserves, tokens: number): number {
  return mulDiv(tokens, reserves.virtualQuote, reserves.virtualToken - tokens) + 1;
}

/** Returns the quote for `tokens` base units sold on curve or pool, before fees: floor(dT × vQ / (vT + dT)). */
export function quoteForSale(reserves: TradedReserves, tokens: number): number {
  return mulDiv(tokens, reserves.virtualQuote, reserves.virtualToken + tokens);
}

/**
 * Returns the purchase for at most `spend`, fees included; null when that buys nothing. Where both rounded fees exceed the rest
 * of `spend`, the quote is smaller by the difference. The last tokens of the curve cost their own price instead of all of `spend`.
 */
export function curvePurchase(reserves: TradedReserves, spend: number, fees: CurveFees): CurveTrade | null {
  const net = netOfFee(spend, fees.protocol + fees.creatorOrCashback);
  const quote = net - Math.max(0, net + curveFeeOn(net, fees) - spend);
  const wanted = tokensForQuote(reserves, quote);
  const isLast = wanted >= reserves.realToken;
  const tokens = isLast ? reserves.realToken : wanted;
  if (tokens === 0) return null;
  const paid = isLast ? quoteForTokens(reserves, tokens) : quote;
  return { quote: paid, tokens, fee: curveFeeOn(paid, fees) };
}

/** Returns the sale of `tokens` base units; null when the curve can't pay it, or its fees exceed it. */
export function curveSale(reserves: TradedReserves, tokens: number, fees: CurveFees): CurveTrade | null {
  if (tokens <= 0) return null;
  const quote = quoteForSale(reserves, tokens);
  const fee = curveFeeOn(quote, fees);
  return quote > reserves.realQuote || fee > quote ? null : { quote, tokens, fee };
}

/** Returns the curve's reserves after a trade; `side` is the trader's. */
export function afterCurveTrade(
  reserves: TradedReserves,
  side: 'buy' | 'sell',
  quote: number,
  tokens: number,
): TradedReserves {
  const sign = side === 'buy' ? 1 : -1;
  return {
    virtualQuote: reserves.virtualQuote + sign * quote,
    virtualToken: reserves.virtualToken - sign * tokens,
    realQuote: reserves.realQuote + sign * quote,
    realToken: reserves.realToken - sign * tokens,
  };
}

/** Greatest difference between a stored price and the standard curve's at the same liquidity, caused by the rounding of many trades. */
const PRICE_TOLERANCE = 0.001;
/** Least share of the curve's tokens that is left while it trades. */
const LEAST_LEFT = 0.000_1;

/**
 * Returns the reserves of a standard curve with a stored price (SOL for one whole token) and liquidity (lamports). Null unless both
 * fit the same point of the curve, and when it is sold out.
 */
export function curveReservesOf(price: number, liquidityLamports: number): TradedReserves | null {
  const { virtualQuote: startQuote, virtualToken: startToken, realToken: startReal, decimals } = STANDARD_CURVE;
  const virtualQuote = startQuote + liquidityLamports;
  const virtualToken = mulDiv(startQuote, startToken, virtualQuote);
  const expected = virtualQuote / LAMPORTS_PER_SOL / (virtualToken / 10 ** decimals);
  if (!(Math.abs(price / expected - 1) <= PRICE_TOLERANCE)) return null;
  const realToken = virtualToken - (startToken - startReal);
  return realToken < startReal * LEAST_LEFT
    ? null
    : { virtualQuote, virtualToken, realQuote: liquidityLamports, realToken: Math.min(realToken, startReal) };
}
