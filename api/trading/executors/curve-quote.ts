import { PublicKey } from '@solana/web3.js';
import type { Clock } from '../../../common/time.ts';
import { CURVE_FEES_BPS, type TradedReserves } from '../../../common/tokens/curve-trades.ts';
import {
  accountBytes,
  type CurveQuote,
  type ExtraCosts,
  quoteOnCurve,
  SIGNATURE_FEE_LAMPORTS,
} from '../../../common/trading/fills.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { type TokenProgram, tokenProgramIds } from '../pump/curve-state.ts';
import { curveOf } from '../pump/instructions.ts';
import type { ComputeLimits } from './compute-limits.ts';
import type { CurveCoin, CurveReader, CurveSnapshot } from './curve-reader.ts';
import type { Outcome, TradeAsk, TradeQuote } from './executor.ts';
import type { PriorityPrices } from './priority-prices.ts';
import type { TradingNode } from './trading-node.ts';

const tokenAccountBytes: Readonly<Record<TokenProgram, number>> = {
  [tokenProgramIds[0]]: accountBytes.plain,
  [tokenProgramIds[1]]: accountBytes.token2022,
};
const MICRO = 1_000_000;

/** Simulated coins that a trade may put on the local chain. */
export interface SimulatedCoins {
  /**
   * Puts a coin on the chain, and has the market follow it there. Does nothing for one that is followed; one that is on the chain
   * already, since the response to its listing was lost, is followed from now on.
   */
  ensureListed(address: string): Promise<Outcome<null>>;
  /** Returns the figures that the coin would have if it were listed now; null when it can't be listed, or is unknown. */
  unlisted(address: string): Promise<{ reserves: TradedReserves; decimals: number } | null>;
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
  const snapshot = await deps.reader.read(ask.wallet, ask.address);
  const isListed = snapshot.coin.ok;
  const found = snapshot.coin.ok ? snapshot.coin : await unlistedCoin(deps, ask.address, snapshot.coin.reason);
  if (!found.ok) return found;
  const coin = found.value;
  const amount = askedAmount(ask, snapshot.wallet.tokens);
  if (!amount.ok) return amount;
  const { side, slippageBps } = ask;
  const asked = { side, slippageBps, amount: amount.value, decimals: coin.decimals };
  const onCurve = quoteOnCurve(coin.reserves, CURVE_FEES_BPS, asked, await curveCosts(deps, ask, snapshot, coin));
  if (!onCurve.ok) return onCurve;
  const quote = quoteAt(asked, onCurve.value, snapshot, deps.clock.now());
  return { ok: true, value: { quote, snapshot: isListed ? snapshot : null } };
}

/** Returns what an ask trades, lamports or base units; `no-tokens` for a sale of nothing, or of more than the wallet has (base units). */
export function askedAmount({ side, lamports, tokens }: TradeAsk, held: bigint): Outcome<number> {
  if (side === 'buy') return { ok: true, value: Number(lamports ?? 0n) };
  if (tokens === null || tokens === 0n || tokens > held) return { ok: false, reason: reason('no-tokens') };
  return { ok: true, value: Number(tokens) };
}

/** Returns a quote in the form of the executors, with the wallet as it was read for it. `at`: epoch ms. */
export function quoteAt(
  { side, decimals }: { side: TradeAsk['side']; decimals: number },
  quote: CurveQuote,
  { wallet, slot }: Pick<CurveSnapshot, 'wallet' | 'slot'>,
  at: number,
): TradeQuote {
  const { lamports: walletLamports, tokens: walletTokens } = wallet;
  return { ...tradeQuoteOf(side, quote), decimals, walletLamports, walletTokens, slot, at };
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

/** A simulated coin before its listing trades as it will then: with the plain token program. */
type UnlistedCoin = Pick<CurveCoin, 'reserves' | 'decimals' | 'tokenProgram'> & { recipients: null };

/** Returns a simulated coin that is not listed yet; `why` it has no curve for any other. */
async function unlistedCoin(
  { simulated }: CurveQuoteDeps,
  address: string,
  why: Reason,
): Promise<Outcome<UnlistedCoin>> {
  const found = why.code === 'no-depth' ? await simulated?.unlisted(address) : null;
  if (!found) return { ok: false, reason: why };
  return { ok: true, value: { ...found, tokenProgram: tokenProgramIds[0], recipients: null } };
}

/** Returns what a trade on the curve costs besides price and launchpad fee. */
async function curveCosts(
  { node, prices, limits }: CurveQuoteDeps,
  ask: TradeAsk,
  snapshot: CurveSnapshot,
  { tokenProgram, recipients }: CurveCoin | UnlistedCoin,
): Promise<ExtraCosts> {
  const written = [
    curveOf(new PublicKey(ask.address)),
    ...(recipients?.fee.slice(0, 1) ?? []).map((fee) => new PublicKey(fee)),
  ];
  const price = { accounts: written, units: limits.of(kindOf(ask)).units };
  const costs = await extraCosts({ node, prices }, ask, snapshot, tokenProgram, price);
  const paysVolume = ask.side === 'buy' && !snapshot.wallet.hasVolumeAccount;
  return { ...costs, volumeRentLamports: paysVolume ? await node.rent(accountBytes.volume) : 0 };
}

/**
 * Returns what a trade costs besides price and fees of the venue. Its priority fee is the usual one for `units` compute units and for
 * writing to `accounts`.
 */
export async function extraCosts(
  { node, prices }: Pick<CurveQuoteDeps, 'node' | 'prices'>,
  ask: TradeAsk,
  snapshot: CurveSnapshot,
  tokenProgram: TokenProgram,
  { accounts, units }: { accounts: readonly PublicKey[]; units: number },
): Promise<ExtraCosts> {
  const { side, priorityMaxLamports, tipLamports } = ask;
  const { tokenAccountLamports } = snapshot.wallet;
  const price = priorityMaxLamports > 0 ? await prices.of(accounts) : 0;
  const needsAccount = side === 'buy' && tokenAccountLamports === null;
  return {
    networkFeeLamports: SIGNATURE_FEE_LAMPORTS,
    priorityFeeLamports: Math.min(Math.ceil((price * units) / MICRO), priorityMaxLamports),
    tipLamports,
    accountRentLamports: needsAccount ? await node.rent(tokenAccountBytes[tokenProgram]) : 0,
    volumeRentLamports: 0,
    returnedRentLamports: empties(ask, snapshot) ? (tokenAccountLamports ?? 0) : 0,
  };
}
