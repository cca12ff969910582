import {
  afterCurveTrade,
  feeOn,
  quoteForSale,
  quoteForTokens,
  tokensForQuote,
} from '../../../../../common/tokens/curve-trades.ts';
import { afterPoolTrade, poolFees, poolTokensForQuote } from '../../../../../common/tokens/pool-trades.ts';
import { LAMPORTS_PER_SOL } from '../../../../../common/tokens/units.ts';
import type { Reserves } from '../../observation.ts';
import { USDC_CURVE_VIRTUAL_QUOTE } from '../figures.ts';
import { CURVE_START, MIGRATION_FEE_LAMPORTS, priceOf, TOTAL_SUPPLY } from './curve.ts';
import { Holders } from './holders.ts';

export type CoinQuote = 'SOL' | 'USDC';
const MILLIONTHS_PER_USDC = 1_000_000;

/** Simulated coin. Amounts in quote units and base units, times epoch ms. */
export interface Coin {
  address: string;
  symbol: string;
  /** Creator named by the creation, which nothing proves. */
  creator: string;
  /** Wallet that signed the creation and trades for the developer. */
  developer: string;
  /** Wallet that paid the fee of the creation. */
  feePayer: string;
  createdAt: number;
  quote: CoinQuote;
  stage: 'curve' | 'complete' | 'pool';
  reserves: Reserves;
  holders: Holders;
  /** Young wallets of the developer's circle, and the wallet that sent each its first SOL. */
  funders: Map<string, string>;
  /** The first buyers without the developer, at most `EARLY_BUYERS`. */
  earlyBuyers: string[];
  /** Quote units traded so far. */
  volume: number;
  lpLockedPercent: number | null;
  /** False for a coin of an earlier run, whose earlier holders are unknown. */
  holdersKnown: boolean;
  alive: boolean;
}

/** Amounts moved by a trade. */
export interface Fill {
  side: 'buy' | 'sell';
  wallet: string;
  quoteAmount: number;
  tokenAmount: number;
}

/** Buyers whose funding is read. */
const EARLY_BUYERS = 20;

type CoinIdentity = Pick<Coin, 'address' | 'symbol' | 'creator' | 'developer' | 'feePayer' | 'createdAt' | 'quote'>;

export function newCoin(coin: CoinIdentity): Coin {
  const virtualQuote = coin.quote === 'USDC' ? USDC_CURVE_VIRTUAL_QUOTE : CURVE_START.virtualQuote;
  return {
    ...coin,
    stage: 'curve',
    reserves: { ...CURVE_START, virtualQuote },
    holders: new Holders(),
    funders: new Map(),
    earlyBuyers: [],
    volume: 0,
    lpLockedPercent: null,
    holdersKnown: true,
    alive: true,
  };
}

/** Returns the fee of a migration in quote units; for USDC none has been recorded. */
export function migrationFee(quote: CoinQuote): number {
  return quote === 'SOL' ? MIGRATION_FEE_LAMPORTS : 0;
}

/** Converts SOL to quote units; for a USDC-quoted coin, to the same value in USDC. */
export function quoteUnits(coin: Coin, sol: number, solUsd: number): number {
  return Math.floor(coin.quote === 'SOL' ? sol * LAMPORTS_PER_SOL : sol * solUsd * MILLIONTHS_PER_USDC);
}

/** Returns the price as a multiple of the curve's start. */
export function multipleOf(coin: Coin): number {
  const startQuote = coin.quote === 'USDC' ? USDC_CURVE_VIRTUAL_QUOTE : CURVE_START.virtualQuote;
  return priceOf(coin.reserves) / (startQuote / CURVE_START.virtualToken);
}

/** Returns the market cap in SOL, by the price multiple for a USDC-quoted coin, where it only selects the fee step. */
function marketCapSol(coin: Coin): number {
  const startSol = (CURVE_START.virtualQuote / CURVE_START.virtualToken) * (TOTAL_SUPPLY / LAMPORTS_PER_SOL);
  return multipleOf(coin) * startSol;
}

/** Buys for `net` quote units (fees excluded), on the curve at most the rest. Returns null when it buys nothing. */
export function buy(coin: Coin, wallet: string, net: number): Fill | null {
  const fill = coin.stage === 'curve' ? buyOnCurve(coin, wallet, net) : buyInPool(coin, wallet, net);
  if (!fill) return null;
  coin.holders.add(wallet, fill.tokenAmount);
  addEarlyBuyer(coin, wallet);
  coin.volume += fill.quoteAmount;
  return fill;
}

function addEarlyBuyer(coin: Coin, wallet: string): void {
  if (coin.earlyBuyers.length >= EARLY_BUYERS || wallet === coin.developer) return;
  if (!coin.earlyBuyers.includes(wallet)) coin.earlyBuyers.push(wallet);
}

/** Sells up to `tokens` base units, at most the wallet's balance. Returns null when it sells nothing. */
export function sell(coin: Coin, wallet: string, tokens: number): Fill | null {
  const tokenAmount = Math.min(Math.floor(tokens), coin.holders.balanceOf(wallet));
  if (coin.stage === 'complete' || tokenAmount < 1) return null;
  const quoteAmount = quoteForSale(coin.reserves, tokenAmount);
  if (quoteAmount < 1) return null;
  coin.holders.take(wallet, tokenAmount);
  const providerFee = feeOn(quoteAmount, poolFees(marketCapSol(coin)).provider);
  coin.reserves =
    coin.stage === 'curve'
      ? afterCurveTrade(coin.reserves, 'sell', quoteAmount, tokenAmount)
      : afterPoolTrade(coin.reserves, 'sell', { quote: quoteAmount, tokens: tokenAmount, providerFee });
  coin.volume += quoteAmount;
  return { side: 'sell', wallet, quoteAmount, tokenAmount };
}

/** Returns the base units whose sale yields about `quoteAmount`. */
export function tokensWorth(coin: Coin, quoteAmount: number): number {
  const { virtualQuote, virtualToken } = coin.reserves;
  if (quoteAmount >= virtualQuote) return TOTAL_SUPPLY;
  return Math.floor((virtualToken / (virtualQuote - quoteAmount)) * quoteAmount);
}

function buyOnCurve(coin: Coin, wallet: string, net: number): Fill | null {
  const wanted = tokensForQuote(coin.reserves, net);
  if (wanted < 1) return null;
  const rest = coin.reserves.realToken;
  const tokenAmount = Math.min(wanted, rest);
  const quoteAmount = wanted < rest ? net : quoteForTokens(coin.reserves, rest);
  coin.reserves = afterCurveTrade(coin.reserves, 'buy', quoteAmount, tokenAmount);
  if (coin.reserves.realToken === 0) coin.stage = 'complete';
  return { side: 'buy', wallet, quoteAmount, tokenAmount };
}

function buyInPool(coin: Coin, wallet: string, net: number): Fill | null {
  if (coin.stage !== 'pool' || net < 1) return null;
  const tokenAmount = poolTokensForQuote(coin.reserves, net);
  if (tokenAmount < 1) return null;
  const providerFee = feeOn(net, poolFees(marketCapSol(coin)).provider);
  coin.reserves = afterPoolTrade(coin.reserves, 'buy', { quote: net, tokens: tokenAmount, providerFee });
  return { side: 'buy', wallet, quoteAmount: net, tokenAmount };
}
