import bs58 from 'bs58';
import type { Clock } from '../../../common/time.ts';
import { quoteIn } from '../../../common/trading/fills.ts';
import { reason } from '../../../common/trading/reasons.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import { askedAmount, extraCosts, quoteAt } from '../executors/curve-quote.ts';
import type { CurveReader } from '../executors/curve-reader.ts';
import type { Executor, Outcome, SignedAttempt, TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { PriorityPrices } from '../executors/priority-prices.ts';
import { isNodeAway, type TradingNode } from '../executors/trading-node.ts';
import { signedBytes } from '../pump/transaction.ts';
import type { Signer } from '../signer.ts';
import { tradedMarket } from '../traded-market.ts';
import { type CheckedTrade, type CheckedTradeDeps, checkedTrade } from './checked-trade.ts';

/** Trades of coins in pools. Sends and verdicts are the same as on the curve. */
export type PoolTrades = Pick<Executor, 'quote' | 'sign'>;

export interface PoolTradesDeps extends PoolQuoteDeps, CheckedTradeDeps {
  node: Pick<TradingNode, 'accounts' | 'simulate' | 'blockhash' | 'rent'>;
  signer: Signer;
}

/** Creates the trades in pools: Jupiter names their instructions, which are checked and simulated before the key is used. */
export function createPoolTrades(deps: PoolTradesDeps): PoolTrades {
  return {
    quote: (ask) => atNode(() => poolQuote(deps, ask)),
    sign: (ask, quote, name, isWanted) =>
      atNode(async () => {
        const trade = await checkedTrade(deps, ask, quote, name);
        if (!trade.ok) return trade;
        return signed(deps.signer, ask, trade.value, isWanted);
      }),
  };
}

/** Returns the outcome of work at the node; `node-away` when the node does not do it. */
async function atNode<Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
  try {
    return await work();
  } catch (error) {
    if (!isNodeAway(error)) throw error;
    return { ok: false, reason: reason('node-away') };
  }
}

async function signed(
  signer: Signer,
  ask: TradeAsk,
  trade: CheckedTrade,
  isWanted: () => Promise<boolean>,
): Promise<Outcome<SignedAttempt>> {
  const { message, lastValidBlockHeight, least } = trade;
  const signature = await signer.sign(ask.userId, ask.wallet, message, isWanted);
  if (!signature.ok) return signature;
  const bytes = signedBytes(signature.value, message).toString('base64');
  return { ok: true, value: { signature: bs58.encode(signature.value), bytes, lastValidBlockHeight, least } };
}

/**
 * Returns an executor that trades coins in pools by `pools`, and all others on their curve. Sends, verdicts and balances are the same for
 * both: signed bytes tell how they trade.
 */
export function withPools(
  curve: Executor,
  pools: PoolTrades,
  coin: (address: string) => Promise<Pick<TradedCoin, 'stage'> | null>,
): Executor {
  const tradesOf = async (address: string): Promise<PoolTrades> =>
    (await coin(address))?.stage === 'pool' ? pools : curve;
  return {
    ...curve,
    tradesPools: true,
    quote: async (ask) => (await tradesOf(ask.address)).quote(ask),
    sign: async (ask, ...trade) => (await tradesOf(ask.address)).sign(ask, ...trade),
  };
}

interface PoolQuoteDeps {
  node: Pick<TradingNode, 'rent'>;
  reader: CurveReader;
  prices: PriorityPrices;
  /** Returns the present figures of a coin. */
  coin(address: string): Promise<TradedCoin | null>;
  clock: Clock;
}

/** Usual compute units of a swap. Each one is simulated before it is signed. */
const UNITS = 250_000;

/**
 * Returns the quote of a trade in a coin's pool, by the pool's formulas at the reserves that the market follows. Jupiter is not asked:
 * its requests are limited, and its way has to be at least as good within the slippage. Rejects while the node is away.
 */
async function poolQuote(deps: PoolQuoteDeps, ask: TradeAsk): Promise<Outcome<TradeQuote>> {
  const { reader, clock } = deps;
  const { wallet, address, side, slippageBps } = ask;
  const [coin, snapshot] = await Promise.all([deps.coin(address), reader.read(wallet, address)]);
  const market = tradedMarket(coin);
  if (!market.ok) return market;
  const { mint } = snapshot;
  if (mint === null)
    return { ok: false, reason: reason(coin?.detectedBy === 'simulator' ? 'not-listable' : 'no-depth') };
  const amount = askedAmount(ask, snapshot.wallet.tokens);
  if (!amount.ok) return amount;
  const asked = { side, slippageBps, amount: amount.value, decimals: mint.decimals };
  // The price of the whole network: which accounts the way will write to is not known yet.
  const costs = await extraCosts(deps, ask, snapshot, mint.tokenProgram, { accounts: [], units: UNITS });
  const quote = quoteIn(market.value, asked, costs);
  return quote.ok ? { ok: true, value: quoteAt(asked, quote.value, snapshot, clock.now()) } : quote;
}
