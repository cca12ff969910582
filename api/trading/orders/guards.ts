import { riskLevel } from '../../../common/tokens/levels.ts';
import type { ServerTrading, TradeTerms, TradingLimits } from '../../../common/trading/account.ts';
import { balanceRefusal } from '../../../common/trading/limits/refusal.ts';
import type { OrderSide } from '../../../common/trading/machine.ts';
import type { TradeWarning } from '../../../common/trading/order.ts';
import { type Reason, type ReasonCode, reason } from '../../../common/trading/reasons.ts';
import { areReservesOfVenue, tradeRefusal } from '../../../common/trading/venue.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { TradeQuote } from '../executors/executor.ts';

/** The facts that decide whether an order is made. */
export interface GuardFacts {
  side: OrderSide;
  server: ServerTrading;
  isStoppedForAll: boolean;
  /** Null: no wallet is set. */
  wallet: { hasKey: boolean } | null;
  /** Whether the transaction is signed: with the wallet's key, unlike on paper. */
  needsKey: boolean;
  isStopped: boolean;
  isBlacklisted: boolean;
  coin: Pick<TradedCoin, 'quote' | 'stage' | 'isLive' | 'reserves' | 'reservesVenue'>;
  /** Whether the executor trades in pools. */
  tradesPools: boolean;
  /** Reserved by other orders that are not over; on paper the limits count them. */
  reservedLamports: number;
  terms: Omit<TradeTerms, 'isProtected'>;
  limits: Pick<TradingLimits, 'priorityMaxLamports' | 'tipLamports'>;
}

/**
 * Returns why an order is refused before its price is asked for, the first reason in the order of the design; null when it is
 * not. A sale only needs a wallet and a venue.
 */
export function refusalBeforeQuote(facts: GuardFacts): Reason | null {
  const { side, server, wallet, needsKey, coin, tradesPools } = facts;
  const isBuy = side === 'buy';
  if (server === 'off') return reason('trading-off');
  if (isBuy && facts.isStoppedForAll) return reason('stopped-all');
  if (isBuy && facts.isStopped) return reason('stopped');
  if (wallet === null) return reason('no-wallet');
  if (needsKey && !wallet.hasKey) return reason('no-key');
  if (isBuy && facts.isBlacklisted) return reason('blacklisted');
  const tooDear = feeRefusal(facts);
  if (tooDear) return tooDear;
  const untraded = tradeRefusal(coin, tradesPools);
  if (untraded) return reason(untraded);
  return isBuy ? depthRefusal(coin) : null;
}

/** Returns why the fees of a trade exceed the limits of the account, which also hold for sales. */
function feeRefusal({ terms, limits }: Pick<GuardFacts, 'terms' | 'limits'>): Reason | null {
  const over = (code: ReasonCode, needsLamports: number, limitLamports: number) =>
    needsLamports > limitLamports ? reason(code, { needsLamports, limitLamports }) : null;
  return (
    over('priority-limit', terms.priorityMaxLamports, limits.priorityMaxLamports) ??
    over('tip-limit', terms.tipLamports, limits.tipLamports)
  );
}

function depthRefusal(coin: GuardFacts['coin']): Reason | null {
  if (coin.reserves === null || !areReservesOfVenue(coin)) return reason('no-depth');
  return coin.isLive ? null : reason('stale');
}

/** What decides at the price whether an order is made. */
export interface PricedFacts {
  quote: Pick<TradeQuote, 'impactBps' | 'totalLamports' | 'walletLamports'>;
  /** Refusal of the account by its limits and protections, see `holdRefusal`. */
  limits: Reason | null;
}

/** Returns why an order is refused at its price; null when it is not. */
export function refusalAtQuote(facts: GuardFacts, { quote, limits }: PricedFacts): Reason | null {
  if (facts.side === 'sell') return null;
  const { slippageBps } = facts.terms;
  if (quote.impactBps > slippageBps) return reason('impact', { impactBps: quote.impactBps, slippageBps });
  if (limits) return limits;
  const free = freeLamports(facts, quote);
  return free === null ? reason('node-away') : balanceRefusal(free, Number(quote.totalLamports));
}

/** Returns the SOL in a wallet that no order reserves, lamports; null when it could not be read. On paper the quote knows it. */
export function freeLamports(
  { needsKey, reservedLamports }: Pick<GuardFacts, 'needsKey' | 'reservedLamports'>,
  { walletLamports }: Pick<TradeQuote, 'walletLamports'>,
): number | null {
  return walletLamports === null ? null : Math.max(0, Number(walletLamports) - (needsKey ? reservedLamports : 0));
}

/** Less liquidity than this is low, lamports. */
const LOW_LIQUIDITY = 500_000_000;

/** Returns the facts that a user confirms before buying. */
export function warningsOf(
  side: OrderSide,
  coin: Pick<TradedCoin, 'riskScore' | 'liquidityLamports' | 'hasCopiedSymbol'>,
): TradeWarning[] {
  if (side === 'sell') return [];
  const warnings: TradeWarning[] = [];
  if (coin.riskScore === null) warnings.push('unknown-risk');
  else if (riskLevel(coin.riskScore) === 'High Risk') warnings.push('high-risk');
  if (coin.liquidityLamports !== null && coin.liquidityLamports < LOW_LIQUIDITY) warnings.push('low-liquidity');
  if (coin.hasCopiedSymbol) warnings.push('copied-symbol');
  return warnings;
}
