import type { TradedReserves } from '../../../common/tokens/curve-trades.ts';
import {
  accountBytes,
  type CurveQuote,
  type ExtraCosts,
  paperPriorityFee,
  quoteIn,
  rentOf,
  SIGNATURE_FEE_LAMPORTS,
  type TradedMarket,
} from '../../../common/trading/fills.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { PriceStep } from '../../market/traded/step-history.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { askedAmount } from '../executors/curve-quote.ts';
import type { Outcome, SentAttempt, TradeAsk, TradeFill } from '../executors/executor.ts';
import type { HeldLot } from '../positions/fill-book.ts';
import { type MarketFacts, tradedMarket } from '../traded-market.ts';

/** The balances of a paper wallet that a trade reads. */
export interface PaperWallet {
  lot: HeldLot;
  /** Whether it has bought before. */
  hasBought: boolean;
}

/** Curve or pool of a coin. */
export interface PaperMarket {
  market: TradedMarket;
  decimals: number;
  /** Of an account for its tokens, and of a wallet's account at its launchpad. */
  accountRentLamports: number;
  volumeRentLamports: number;
}

/** Returns the market of a coin; why it can't be traded on paper otherwise. `rentPerByte`: of the network, lamports; null while not known. */
export function paperMarket(
  coin: (MarketFacts & Pick<TradedCoin, 'decimals'>) | null,
  rentPerByte: number | null,
): Outcome<PaperMarket> {
  const market = tradedMarket(coin);
  if (!market.ok) return market;
  if (coin === null || coin.decimals === null) return { ok: false, reason: reason('no-depth') };
  const { decimals, launchpad } = coin;
  // The simulator's coins have the plain token program.
  const bytes = launchpad === 'simulator' ? accountBytes.plain : accountBytes.token2022;
  const accountRentLamports = rentOf(bytes, rentPerByte);
  const volumeRentLamports = rentOf(accountBytes.volume, rentPerByte);
  return { ok: true, value: { market: market.value, decimals, accountRentLamports, volumeRentLamports } };
}

/**
 * Returns the market as if the user's own purchases were on the chain. Without them a purchase and its sale would pay the impact
 * twice. A pool stays as it is: its first reserves do not depend on the buyers on the curve.
 */
export function withOwnLot(market: TradedMarket, lot: HeldLot): TradedMarket {
  return market.venue === 'curve' ? { ...market, reserves: curveWithLot(market.reserves, lot) } : market;
}

function curveWithLot(reserves: TradedReserves, { tokens, quoteLamports }: HeldLot): TradedReserves {
  const bought = Number(tokens);
  return {
    virtualQuote: reserves.virtualQuote + quoteLamports,
    virtualToken: reserves.virtualToken - bought,
    realQuote: reserves.realQuote + quoteLamports,
    realToken: reserves.realToken - bought,
  };
}

/** Returns the quote of a trade on paper. */
export function paperQuote(ask: TradeAsk, coin: PaperMarket, wallet: PaperWallet): Outcome<CurveQuote> {
  const { side, slippageBps } = ask;
  const { lot } = wallet;
  const amount = askedAmount(ask, lot.tokens);
  if (!amount.ok) return amount;
  const market = withOwnLot(coin.market, lot);
  const { reserves } = market;
  if (Math.min(reserves.virtualQuote, reserves.virtualToken, reserves.realToken) <= 0) {
    return { ok: false, reason: reason('no-depth') };
  }
  const asked = { side, amount: amount.value, slippageBps, decimals: coin.decimals };
  return quoteIn(market, asked, extraOf(ask, coin, wallet));
}

function extraOf(ask: TradeAsk, coin: PaperMarket, { lot, hasBought }: PaperWallet): ExtraCosts {
  const { market, accountRentLamports, volumeRentLamports } = coin;
  const isPurchase = ask.side === 'buy';
  return {
    networkFeeLamports: SIGNATURE_FEE_LAMPORTS,
    priorityFeeLamports: paperPriorityFee(ask.priorityMaxLamports),
    tipLamports: ask.tipLamports,
    accountRentLamports: isPurchase && lot.tokens === 0n ? accountRentLamports : 0,
    volumeRentLamports: isPurchase && market.venue === 'curve' && !hasBought ? volumeRentLamports : 0,
    // As on a chain, the account gives back its own rent.
    returnedRentLamports: !isPurchase && ask.tokens === lot.tokens ? lot.rentLamports : 0,
  };
}

/** Figures of a coin in force at some time. */
export type PaperFigures = Pick<PriceStep, 'price' | 'reserves' | 'stage' | 'venue'>;

/**
 * Returns the fill of an attempt at the figures that were in force when it fell due; the reason why it would have reverted otherwise.
 * It depends on nothing else, so that a replay computes the same. `figures`: null when they are those of the coin. `dueAt`: epoch ms.
 */
export function paperFillAt(
  attempt: SentAttempt,
  coin: TradedCoin | null,
  figures: PaperFigures | null,
  { wallet, dueAt, rentPerByte }: { wallet: PaperWallet; dueAt: number; rentPerByte: number | null },
): Outcome<TradeFill> {
  const market = paperMarket(coin && figures ? withFigures(coin, figures) : coin, rentPerByte);
  return market.ok ? paperFill(attempt, market.value, wallet, dueAt) : market;
}

function withFigures(coin: TradedCoin, { price, reserves, stage, venue }: PaperFigures): TradedCoin {
  return { ...coin, price, reserves, stage, reservesVenue: venue };
}

function paperFill(attempt: SentAttempt, coin: PaperMarket, wallet: PaperWallet, at: number): Outcome<TradeFill> {
  const quoted = paperQuote({ ...attempt, slippageBps: UNBOUNDED_BPS }, coin, wallet);
  if (!quoted.ok) return quoted;
  const { tokens, lamports, costs, averagePrice: price } = quoted.value;
  const brings = attempt.side === 'buy' ? tokens : lamports;
  if (BigInt(brings) < attempt.least) {
    return { ok: false, reason: reason('slippage', { slippageBps: attempt.slippageBps }) };
  }
  return { ok: true, value: { tokens: BigInt(tokens), lamports: BigInt(lamports), costs, price, slot: null, at } };
}

/** The bound of an attempt is the one that it was signed with, not one of the present price. */
const UNBOUNDED_BPS = 10_000;
