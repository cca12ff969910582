import { STANDARD_CURVE } from './curve.ts';
import { feeOn, mulDiv, netOfFee, quoteForSale, type TradedReserves } from './curve-trades.ts';
import { LAMPORTS_PER_SOL } from './units.ts';

/**
 * Maths of trades in PumpSwap's constant-product pools, exact to the unit, and compared with the local chain's program. Parameters
 * and results are integers that a number holds exactly: quote units (lamports) and base units.
 */

/** Fees of a pool trade in force, basis points. Each is rounded up by itself. The provider's fee stays in the pool. */
export interface PoolFees {
  provider: number;
  protocol: number;
  creator: number;
}

/** A trade in a pool: quote without fees, and the fees. A buyer pays quote + all fees, a seller receives quote − all fees. */
export interface PoolTrade {
  quote: number;
  tokens: number;
  fees: PoolFees;
}

/** Fees of a migrated pool by its market cap in SOL (PumpSwap's table, July 2026). */
const POOL_FEES = [
  { below: 420, provider: 2, protocol: 93, creator: 30 },
  { below: 1_470, provider: 20, protocol: 5, creator: 95 },
  { below: 2_460, provider: 20, protocol: 5, creator: 90 },
  { below: 3_440, provider: 20, protocol: 5, creator: 85 },
  { below: 4_420, provider: 20, protocol: 5, creator: 80 },
  { below: 9_820, provider: 20, protocol: 5, creator: 75 },
  { below: 98_240, provider: 20, protocol: 5, creator: 40 },
] as const;
const POOL_FEES_ABOVE = { provider: 20, protocol: 5, creator: 5 } as const;

/** Returns the fees of a pool trade, basis points. Between 9,820 and 98,240 SOL the exact steps are unknown: their middle. */
export function poolFees(marketCapSol: number): PoolFees {
  return POOL_FEES.find((step) => marketCapSol < step.below) ?? POOL_FEES_ABOVE;
}

/** Returns the fees of the next trade in a pool quoted in SOL, by the market cap of its reserves. */
export function poolFeesAt({ virtualQuote, virtualToken }: TradedReserves): PoolFees {
  return poolFees(mulDiv(virtualQuote, STANDARD_CURVE.totalSupply, virtualToken) / LAMPORTS_PER_SOL);
}

/** Returns the sum of the three fees, in basis points or quote units. */
export function totalPoolFee({ provider, protocol, creator }: PoolFees): number {
  return provider + protocol + creator;
}

/** Returns the base units bought by a net quote amount from the pool: floor(T × n / (Q + n)). */
export function poolTokensForQuote(pool: TradedReserves, net: number): number {
  return mulDiv(pool.virtualToken, net, pool.virtualQuote + net);
}

/**
 * Returns the purchase for at most `spend`, fees included; null when that buys nothing. Where the rounded fees exceed the rest of
 * `spend`, the quote is smaller by the difference.
 */
export function poolPurchase(pool: TradedReserves, spend: number, fees: PoolFees): PoolTrade | null {
  const net = netOfFee(spend, totalPoolFee(fees));
  const quote = net - Math.max(0, net + totalPoolFee(poolFeesOn(net, fees)) - spend);
  const tokens = quote > 0 ? poolTokensForQuote(pool, quote) : 0;
  return tokens === 0 ? null : { quote, tokens, fees: poolFeesOn(quote, fees) };
}

/** Returns the sale of `tokens` base units; null when it brings nothing, or its fees exceed it. */
export function poolSale(pool: TradedReserves, tokens: number, fees: PoolFees): PoolTrade | null {
  if (tokens <= 0) return null;
  const quote = quoteForSale(pool, tokens);
  const paid = poolFeesOn(quote, fees);
  return quote === 0 || totalPoolFee(paid) > quote ? null : { quote, tokens, fees: paid };
}

/** Returns the fees on a quote amount, in quote units. */
export function poolFeesOn(quote: number, { provider, protocol, creator }: PoolFees): PoolFees {
  return { provider: feeOn(quote, provider), protocol: feeOn(quote, protocol), creator: feeOn(quote, creator) };
}

/** Returns the pool's reserves after a trade. The provider's fee stays in, so the product of both sides never falls. */
export function afterPoolTrade(
  pool: TradedReserves,
  side: 'buy' | 'sell',
  trade: { quote: number; tokens: number; providerFee: number },
): TradedReserves {
  const sign = side === 'buy' ? 1 : -1;
  const quote = pool.virtualQuote + sign * trade.quote + trade.providerFee;
  const token = pool.virtualToken - sign * trade.tokens;
  return { virtualQuote: quote, virtualToken: token, realQuote: quote, realToken: token };
}

/**
 * Returns the reserves of a pool with a stored price (SOL for one whole token) and liquidity (lamports): its quote side, and the
 * tokens that make this price. Null when one of them is not above 0.
 */
export function poolReservesOf(price: number, liquidityLamports: number): TradedReserves | null {
  const { decimals } = STANDARD_CURVE;
  const tokens = Math.round((liquidityLamports / LAMPORTS_PER_SOL / price) * 10 ** decimals);
  if (!(price > 0) || liquidityLamports <= 0 || !Number.isSafeInteger(tokens) || tokens === 0) return null;
  return { virtualQuote: liquidityLamports, virtualToken: tokens, realQuote: liquidityLamports, realToken: tokens };
}
