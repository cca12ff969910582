import {
  type CurveFees,
  type CurveTrade,
  curveFeeOn,
  curvePurchase,
  curveSale,
  type TradedReserves,
} from '../tokens/curve-trades.ts';
import {
  type PoolFees,
  type PoolTrade,
  poolFeesOn,
  poolPurchase,
  poolSale,
  totalPoolFee,
} from '../tokens/pool-trades.ts';
import { LAMPORTS_PER_SOL } from '../tokens/units.ts';
import type { TradeTerms } from './account.ts';
import { BPS } from './amounts.ts';
import type { OrderSide } from './machine.ts';
import type { FillCosts, TradeCosts } from './order.ts';
import { type Reason, reason } from './reasons.ts';

/** Fee of the network for one signature, lamports. */
export const SIGNATURE_FEE_LAMPORTS = 5_000;

/** Rent that mainnet asks for a byte of an account as of 2026-10-29 (SIMD-0437), lamports: used until a node gives the present one. */
const USUAL_RENT_PER_BYTE = 5_080;
/** Bytes of its own that the network adds to the data of each account. */
export const ACCOUNT_OVERHEAD_BYTES = 128;

/**
 * Bytes of data of the accounts that a trade may create: for tokens of each program (Token-2022 marks the owner as immutable), and
 * for a wallet's volume at the launchpad (pump-public-docs, BUY.md).
 */
export const accountBytes = { plain: 165, token2022: 170, volume: 137 } as const;

/** Returns the rent of an account with so many bytes of data, lamports. `perByte`: that of the network, lamports; null while it is not known. */
export function rentOf(bytes: number, perByte: number | null): number {
  return (ACCOUNT_OVERHEAD_BYTES + bytes) * (perByte ?? USUAL_RENT_PER_BYTE);
}

/** Usual fee for being included soon, lamports. */
const USUAL_PRIORITY_LAMPORTS = 100_000;

/** Returns the fee for being included soon that a trade on paper pays, lamports: the usual one, at most the user's. */
export function paperPriorityFee(priorityMaxLamports: number): number {
  return Math.min(USUAL_PRIORITY_LAMPORTS, priorityMaxLamports);
}

/** Returns what a transaction on paper has paid the network when it reverts, lamports: as on a chain, as much as one that lands. */
export function paperRevertFee(priorityMaxLamports: number): number {
  return SIGNATURE_FEE_LAMPORTS + paperPriorityFee(priorityMaxLamports);
}

/** What a trade costs besides the price and the launchpad's fee, lamports. Rents are 0 where the account exists already. */
export type ExtraCosts = Omit<TradeCosts, 'launchpadFeeLamports'>;

export const noExtraCosts: ExtraCosts = {
  networkFeeLamports: 0,
  priorityFeeLamports: 0,
  tipLamports: 0,
  accountRentLamports: 0,
  volumeRentLamports: 0,
  returnedRentLamports: 0,
};

/** A trade on a curve or in a pool: `amount` is spent with fees (lamports) by a purchase, and sold (base units) by a sale. */
export interface CurveAsk {
  side: OrderSide;
  amount: number;
  slippageBps: number;
  decimals: number;
}

/** What a trade brings at given reserves, its bounds, and every cost by name. Integers; prices are SOL for one whole token, without fees. */
export interface CurveQuote {
  /** Bought or sold, base units. */
  tokens: number;
  /** A purchase: paid with the launchpad's fee. A sale: received without it. */
  lamports: number;
  /** The least that the transaction accepts: tokens of a purchase, lamports of a sale. */
  least: number;
  spotPrice: number;
  averagePrice: number;
  /** How much worse the average price is than the spot price, rounded up. */
  impactBps: number;
  costs: TradeCosts;
  /** A purchase: most that leaves the wallet. A sale: least that arrives, at least 0. */
  totalLamports: number;
}

/**
 * Returns the quote of a trade on a curve. Refused as `too-small` when it moves nothing, and as `impact` when its own average price
 * is beyond the slippage already. The bound is the worst average price without fees: spot × (1 ± slippage).
 */
export function quoteOnCurve(
  reserves: TradedReserves,
  fees: CurveFees,
  ask: CurveAsk,
  extra: ExtraCosts,
): { ok: true; value: CurveQuote } | { ok: false; reason: Reason } {
  return quoteIn({ venue: 'curve', reserves, fees }, ask, extra);
}

/** Where a coin trades, with the reserves and the fees in force. */
export type TradedMarket =
  | { venue: 'curve'; reserves: TradedReserves; fees: CurveFees }
  | { venue: 'pool'; reserves: TradedReserves; fees: PoolFees };

function saleIn(market: TradedMarket, tokens: number): CurveTrade | null {
  return market.venue === 'curve'
    ? curveSale(market.reserves, tokens, market.fees)
    : withOneFee(poolSale(market.reserves, tokens, market.fees));
}

function purchaseIn(market: TradedMarket, spend: number): CurveTrade | null {
  return market.venue === 'curve'
    ? curvePurchase(market.reserves, spend, market.fees)
    : withOneFee(poolPurchase(market.reserves, spend, market.fees));
}

function withOneFee(trade: PoolTrade | null): CurveTrade | null {
  return trade && { quote: trade.quote, tokens: trade.tokens, fee: totalPoolFee(trade.fees) };
}

/** Returns all fees of the market on a quote amount, lamports. */
export function feeIn(market: TradedMarket, quote: number): number {
  return market.venue === 'curve' ? curveFeeOn(quote, market.fees) : totalPoolFee(poolFeesOn(quote, market.fees));
}

/** Returns the quote of a trade on a curve or in a pool, see `quoteOnCurve`. */
export function quoteIn(
  market: TradedMarket,
  { side, amount, slippageBps, decimals }: CurveAsk,
  extra: ExtraCosts,
): { ok: true; value: CurveQuote } | { ok: false; reason: Reason } {
  const { reserves } = market;
  const trade = side === 'buy' ? purchaseIn(market, amount) : saleIn(market, amount);
  if (!trade) return { ok: false, reason: reason('too-small') };
  const impactBps = impactOf(reserves, side, trade);
  const least =
    side === 'buy' ? leastTokens(market, trade.quote, slippageBps) : leastLamports(market, amount, slippageBps);
  const lamports = side === 'buy' ? trade.quote + trade.fee : trade.quote - trade.fee;
  const brings = side === 'buy' ? trade.tokens : lamports;
  if (brings < least) return { ok: false, reason: reason('impact', { impactBps, slippageBps }) };
  const paid = networkCosts(extra);
  return {
    ok: true,
    value: {
      tokens: trade.tokens,
      lamports,
      least,
      spotPrice: priceOf(reserves.virtualQuote, reserves.virtualToken, decimals),
      averagePrice: priceOf(trade.quote, trade.tokens, decimals),
      impactBps,
      costs: { ...extra, launchpadFeeLamports: trade.fee },
      totalLamports:
        side === 'buy'
          ? amount + paid + extra.accountRentLamports + extra.volumeRentLamports
          : Math.max(0, least - paid + extra.returnedRentLamports),
    },
  };
}

/** Returns the most that a transaction with these terms pays to the network: fee, priority and tip, lamports. */
export function mostFees(terms: Pick<TradeTerms, 'priorityMaxLamports' | 'tipLamports'>): number {
  return SIGNATURE_FEE_LAMPORTS + terms.priorityMaxLamports + terms.tipLamports;
}

/** Returns the part of the costs that the network gets: fee, priority and tip, lamports. */
export function networkCosts(
  costs: Pick<TradeCosts, 'networkFeeLamports' | 'priorityFeeLamports' | 'tipLamports'>,
): number {
  return costs.networkFeeLamports + costs.priorityFeeLamports + costs.tipLamports;
}

/** Returns what a fill has changed in its wallet, with all costs and rents, lamports. Negative when SOL left it. */
export function walletChange(side: OrderSide, { lamports, costs }: { lamports: number; costs: FillCosts }): number {
  const rent = costs.accountRentLamports + costs.volumeRentLamports - costs.returnedRentLamports;
  return (side === 'buy' ? -lamports : lamports) - networkCosts(costs) - rent;
}

/** Returns SOL for one whole token. */
export function priceOf(lamports: number, baseUnits: number, decimals: number): number {
  return lamports / LAMPORTS_PER_SOL / (baseUnits / 10 ** decimals);
}

/** Returns how much worse than the spot price a trade's average price is, basis points, rounded up; at least 0. */
function impactOf(
  { virtualQuote, virtualToken }: TradedReserves,
  side: OrderSide,
  { quote, tokens }: CurveTrade,
): number {
  const average = BigInt(quote) * BigInt(virtualToken);
  const spot = BigInt(tokens) * BigInt(virtualQuote);
  const worse = side === 'buy' ? average - spot : spot - average;
  return worse <= 0n ? 0 : Number((worse * BigInt(BPS) + spot - 1n) / spot);
}

/** Returns the tokens that `quote` lamports without fees buy at the worst accepted price, rounded up. */
function leastTokens(
  { reserves: { virtualQuote, virtualToken } }: Pick<TradedMarket, 'reserves'>,
  quote: number,
  slippageBps: number,
): number {
  const worst = BigInt(virtualQuote) * BigInt(BPS + slippageBps);
  return Number((BigInt(quote) * BigInt(virtualToken) * BigInt(BPS) + worst - 1n) / worst);
}

/** Returns what a sale brings at the worst accepted price after fees, rounded up before the fees; at least 0. */
function leastLamports(market: TradedMarket, tokens: number, slippageBps: number): number {
  const { virtualQuote, virtualToken } = market.reserves;
  const best = BigInt(virtualToken) * BigInt(BPS);
  const worst = Number((BigInt(tokens) * BigInt(virtualQuote) * BigInt(BPS - slippageBps) + best - 1n) / best);
  return Math.max(0, worst - feeIn(market, worst));
}
