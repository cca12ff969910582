import { PublicKey } from '@solana/web3.js';
import type { Clock } from '../../../common/time.ts';
import { CURVE_FEES_BPS, type TradedReserves } from '../../../common/tokens/curve-trades.ts';
import {
  type CurveQuote,
  type ExtraCosts,
  quoteOnCurve,
  SIGNATURE_FEE_LAMPORTS,
} from '../../../common/trading/fills.ts';
import { reason } from '../../../common/trading/reasons.ts';
import { type TokenProgram, tokenProgramIds } from '../pump/curve-state.ts';
import { curveOf } from '../pump/instructions.ts';
import type { ComputeLimits } from './compute-limits.ts';
import type { CurveCoin, CurveReader, CurveSnapshot } from './curve-reader.ts';
import type { Outcome, TradeAsk, TradeQuote } from './executor.ts';
import type { PriorityPrices } from './priority-prices.ts';
import type { TradingNode } from './trading-node.ts';

/** Bytes of a wallet's token account: Token-2022 marks its owner as immutable. */
const TOKEN_ACCOUNT_BYTES: Readonly<Record<TokenProgram, number>> = {
  [tokenProgramIds[0]]: 165,
  [tokenProgramIds[1]]: 170,
};
/** Bytes of the launchpad's account for the volume of a wallet (1,844,400 lamports; pump-public-docs, BUY.md). */
const VOLUME_ACCOUNT_BYTES = 137;
const MICRO = 1_000_000;

/** Simulated coins that a trade may put on the local chain. */
export interface SimulatedCoins {
  /**
   * Puts a coin on the chain, and has the market follow it there. Does nothing for one that is followed; one that is on the chain
   * already, since the response to its listing was lost, is followed from now on.
   */
  ensureListed(address: string): Promise<Outcome<null>>;
  /**
   * Returns the figures that the coin would have if it were listed now; null when it can't be listed, or is unknown. Missing: a
   * quote lists the coin.
   */
  unlisted?(address: string): Promise<{ reserves: TradedReserves; decimals: number } | null>;
}

export interface CurveQuoteDeps {
  node: Pick<TradingNode, 'rent'>;
  reader: CurveReader;
  prices: PriorityPrices;
  limits: ComputeLimits;
  /** Null on other chains than the local one. */
  simulated: SimulatedCoins | null;
  clock: Clock;
}

/** Returns the name under which the compute limit of a trade is kept. Derived addresses make it differ by coin and wallet. */
export function kindOf({ side, wallet, address }: Pick<TradeAsk, 'side' | 'wallet' | 'address'>): string {
  return `${side} ${address} ${wallet}`;
}

/** Returns whether a sale empties the wallet's token account. */
export function empties({ side, tokens }: TradeAsk, { wallet }: CurveSnapshot): boolean {
  return side === 'sell' && tokens === wallet.tokens;
}

/** Returns the quote at this moment with the accounts read for it; without the latter for a coin that is not listed yet. */
export async function quoteOnChain(
  deps: CurveQuoteDeps,
  ask: TradeAsk,
): Promise<Outcome<{ quote: TradeQuote; snapshot: CurveSnapshot | null }>> {
  const { side, slippageBps } = ask;
  const snapshot = await listedSnapshot(deps, ask);
  const unlisted = snapshot.coin.ok ? null : await unlistedCoin(deps, ask.address, snapshot);
  if (!snapshot.coin.ok && !unlisted) return snapshot.coin;
  const coin = snapshot.coin.ok ? snapshot.coin.value : unlisted;
  if (!coin) return { ok: false, reason: reason('no-depth') };
  if (side === 'sell' && (ask.tokens === null || ask.tokens > snapshot.wallet.tokens || ask.tokens === 0n)) {
    return { ok: false, reason: reason('no-tokens') };
  }
  const amount = Number((side === 'buy' ? ask.lamports : ask.tokens) ?? 0n);
  const extra = await extraCosts(deps, ask, snapshot, coin);
  const asked = { side, amount, slippageBps, decimals: coin.decimals };
  const onCurve = quoteOnCurve(coin.reserves, CURVE_FEES_BPS, asked, extra);
  if (!onCurve.ok) return onCurve;
  const place = { decimals: coin.decimals, slot: snapshot.slot, at: deps.clock.now() };
  const quote = {
    ...tradeQuoteOf(side, onCurve.value),
    ...place,
    walletLamports: snapshot.wallet.lamports,
    walletTokens: snapshot.wallet.tokens,
  };
  return { ok: true, value: { quote, snapshot: unlisted ? null : snapshot } };
}

/** Returns a quote in the form of the executors, without the figures of wallet and chain. */
export function tradeQuoteOf(side: TradeAsk['side'], quote: CurveQuote) {
  const { tokens, lamports, least, totalLamports, spotPrice, averagePrice, impactBps, costs } = quote;
  return {
    tokens: BigInt(tokens),
    leastTokens: side === 'buy' ? BigInt(least) : null,
    lamports: BigInt(lamports),
    leastLamports: side === 'sell' ? BigInt(least) : null,
    totalLamports: BigInt(totalLamports),
    spotPrice,
    averagePrice,
    impactBps,
    costs,
  };
}

/** Returns the accounts of a trade. A simulated coin whose figures without a listing are unknown is listed first. */
async function listedSnapshot({ reader, simulated }: CurveQuoteDeps, ask: TradeAsk): Promise<CurveSnapshot> {
  const { wallet, address } = ask;
  const snapshot = await reader.read(wallet, address);
  if (snapshot.coin.ok || snapshot.coin.reason.code !== 'no-depth' || !simulated || simulated.unlisted) return snapshot;
  const listed = await simulated.ensureListed(address);
  return listed.ok ? reader.read(wallet, address) : { ...snapshot, coin: listed };
}

/** A simulated coin before its listing trades as it will then: with the plain token program. */
type UnlistedCoin = Pick<CurveCoin, 'reserves' | 'decimals' | 'tokenProgram'> & { recipients: null };

async function unlistedCoin(
  { simulated }: CurveQuoteDeps,
  address: string,
  { coin }: CurveSnapshot,
): Promise<UnlistedCoin | null> {
  if (coin.ok || coin.reason.code !== 'no-depth' || !simulated?.unlisted) return null;
  const found = await simulated.unlisted(address);
  return found && { ...found, tokenProgram: tokenProgramIds[0], recipients: null };
}

/** Returns the rent of a wallet's new token account, lamports. */
export function tokenAccountRent(node: Pick<TradingNode, 'rent'>, tokenProgram: TokenProgram): Promise<number> {
  return node.rent(TOKEN_ACCOUNT_BYTES[tokenProgram]);
}

/** Returns what the trade costs besides price and launchpad fee. */
async function extraCosts(
  { node, prices, limits }: CurveQuoteDeps,
  ask: TradeAsk,
  snapshot: CurveSnapshot,
  { tokenProgram, recipients }: CurveCoin | UnlistedCoin,
): Promise<ExtraCosts> {
  const { side, address, priorityMaxLamports, tipLamports } = ask;
  const { wallet } = snapshot;
  const written = [
    curveOf(new PublicKey(address)),
    ...(recipients?.fee.slice(0, 1) ?? []).map((fee) => new PublicKey(fee)),
  ];
  const price = priorityMaxLamports > 0 ? await prices.of(written) : 0;
  const usual = Math.ceil((price * limits.of(kindOf(ask))) / MICRO);
  const isPurchase = side === 'buy';
  return {
    networkFeeLamports: SIGNATURE_FEE_LAMPORTS,
    priorityFeeLamports: Math.min(usual, priorityMaxLamports),
    tipLamports,
    accountRentLamports:
      isPurchase && wallet.tokenAccountLamports === null ? await tokenAccountRent(node, tokenProgram) : 0,
    volumeRentLamports: isPurchase && !wallet.hasVolumeAccount ? await node.rent(VOLUME_ACCOUNT_BYTES) : 0,
    returnedRentLamports: empties(ask, snapshot) ? (wallet.tokenAccountLamports ?? 0) : 0,
  };
}
