import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Logger } from 'pino';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { CurveTrade } from '../pump/instructions.ts';
import { failureOf } from '../pump/program-errors.ts';
import { tradeResult } from '../pump/trade-result.ts';
import { signedBytes, TRANSACTION_BYTES_MAX, tradeMessage, tradesInBytes } from '../pump/transaction.ts';
import type { Signer } from '../signer.ts';
import { type ComputeLimits, createComputeLimits } from './compute-limits.ts';
import { empties, kindOf, quoteOnChain, type SimulatedCoins } from './curve-quote.ts';
import { type CurveCoin, type CurveSnapshot, createCurveReader } from './curve-reader.ts';
import type { Executor, Outcome, SentAttempt, SignedAttempt, TradeAsk, TradeQuote } from './executor.ts';
import { createLook } from './look.ts';
import { createPriorityPrices } from './priority-prices.ts';
import { isNodeAway, type TradingNode } from './trading-node.ts';

export interface PumpExecutorDeps {
  mode: Exclude<TradingMode, 'paper'>;
  cluster: ChainCluster;
  node: TradingNode;
  signer: Signer;
  clock: Clock;
  /** On the local chain only. */
  simulated?: SimulatedCoins | null;
  /**
   * Called when the launchpad's program responded in a way that this version does not know, at the trade of a coin. Resolves with
   * whether it does so for other coins as well.
   */
  onInterfaceChanged?: (address: string) => Promise<boolean>;
  log?: Pick<Logger, 'warn'>;
}

/** Blocks that nodes behind a public address may lag behind each other. A local chain is one node. */
const BLOCKS_OF_LAG = { local: 0, public: 150 };

/** Trades on pump.fun's bonding curve: on mainnet, on devnet, and on the local chain with its own program under the same id. */
export function createPumpExecutor(deps: PumpExecutorDeps): Executor {
  const { mode, cluster, node, signer, clock, simulated = null, log } = deps;
  const reader = createCurveReader(node, clock);
  const prices = createPriorityPrices(node, () => clock.now());
  const limits = createComputeLimits(node);
  const snapshots = new WeakMap<TradeQuote, CurveSnapshot>();

  const { checked, checkedLater } = createFailureCheck(deps);

  /** Returns the outcome of work at the node; `node-away` when the node does not do it. */
  async function atNode<Value>(address: string, work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    try {
      const outcome = await work();
      return outcome.ok ? outcome : { ok: false, reason: await checked(outcome.reason, address) };
    } catch (error) {
      if (!isNodeAway(error)) throw error;
      return { ok: false, reason: reason('node-away') };
    }
  }

  /** Returns what the quote was made of; for a coin that is not on the chain yet, after its listing. */
  async function snapshotFor(ask: TradeAsk, quote: TradeQuote): Promise<Outcome<CurveSnapshot>> {
    const known = snapshots.get(quote);
    const listed = await simulated?.ensureListed(ask.address);
    if (!listed || listed.ok) return { ok: true, value: known ?? (await reader.read(ask.wallet, ask.address)) };
    // A coin on the chain stays tradable, also when its token was removed from the market.
    return known && listed.reason.code !== 'node-away' ? { ok: true, value: known } : listed;
  }

  return {
    mode,
    cluster,
    tradesPools: false,
    balances: reader.balances,
    walletLamports: reader.walletLamports,
    quote: (ask) =>
      atNode(ask.address, async () => {
        const quoted = await quoteOnChain({ node, reader, prices, limits, simulated, clock }, ask);
        if (!quoted.ok) return quoted;
        const { quote, snapshot } = quoted.value;
        if (snapshot) snapshots.set(quote, snapshot);
        return { ok: true, value: quote };
      }),
    sign: (ask, quote, name, isWanted) =>
      atNode(ask.address, async () => {
        const [snapshot, blockhash] = await Promise.all([snapshotFor(ask, quote), node.blockhash()]);
        if (!snapshot.ok) return snapshot;
        const { coin } = snapshot.value;
        if (!coin.ok) return coin;
        const closes = empties(ask, snapshot.value);
        return signedTrade({ signer, limits }, { ask, quote, name, isWanted, coin: coin.value, closes, ...blockhash });
      }),
    async send(attempt, isFirst) {
      const response = await node.send(attempt.bytes, { preflight: isFirst });
      if (response.type !== 'refused') return response;
      // Bytes that were sent before may be on their way, even when a node responds otherwise now.
      if (!isFirst) return { type: 'no-response' };
      limits.onFailure(kindOf(attempt), response.error);
      const failure = await refusalOf(node, attempt, response.error);
      return { type: 'refused', reason: await checked(failure, attempt.address) };
    },
    look: createLook({
      node,
      blocksOfLag: cluster === 'local' ? BLOCKS_OF_LAG.local : BLOCKS_OF_LAG.public,
      onUnreadable: (error, { orderId, signature }) =>
        log?.warn({ order: orderId, signature, error }, 'verdict of an attempt not readable'),
      resultOf(attempt, response) {
        const verdict = tradeResult(attempt, response, clock.now());
        if (verdict?.outcome !== 'reverted') return verdict;
        limits.onFailure(kindOf(attempt), response.meta?.err);
        return { ...verdict, reason: checkedLater(verdict.reason, attempt.address) };
      },
    }),
  };
}

/** Creates the check of failures for a launchpad whose interface changed. Elsewhere than in live mode these are errors like others. */
function createFailureCheck({ mode, onInterfaceChanged }: Pick<PumpExecutorDeps, 'mode' | 'onInterfaceChanged'>) {
  async function checked(failure: Reason, address: string): Promise<Reason> {
    if (failure.code !== 'interface-changed') return failure;
    const hasChanged = mode === 'live' && ((await onInterfaceChanged?.(address)) ?? true);
    return hasChanged ? failure : reason('chain-error');
  }
  return {
    checked,
    /** Returns the reason of a reverted attempt at once: no verdict waits for the check. */
    checkedLater(failure: Reason, address: string): Reason {
      if (failure.code !== 'interface-changed') return failure;
      void checked(failure, address);
      return reason('chain-error');
    },
  };
}

/** A trade with everything that its transaction depends on. */
interface SignedTrade {
  ask: TradeAsk;
  quote: TradeQuote;
  name: string;
  isWanted: () => Promise<boolean>;
  coin: CurveCoin;
  closes: boolean;
  blockhash: string;
  lastValidBlockHeight: number;
}

async function signedTrade(
  { signer, limits }: { signer: Signer; limits: ComputeLimits },
  { ask, quote, name, isWanted, coin, closes, blockhash, lastValidBlockHeight }: SignedTrade,
): Promise<Outcome<SignedAttempt>> {
  const trade = tradeOf(ask, coin, name);
  const least = quote.leastTokens ?? quote.leastLamports;
  const amount = ask.side === 'buy' ? ask.lamports : ask.tokens;
  if (!trade || least === null || amount === null) return { ok: false, reason: reason('interface-changed') };
  const { priorityFeeLamports: priorityLamports, tipLamports } = quote.costs;
  const kind = kindOf(ask);
  const { isProtected } = ask;
  const payment = { budget: limits.of(kind), priorityLamports, tipLamports, isProtected, name };
  const message = tradeMessage({ ...{ side: ask.side, trade, amount, least, closes }, ...payment }, blockhash);
  const signature = await signer.sign(ask.userId, ask.wallet, message, isWanted);
  if (!signature.ok) return signature;
  const bytes = signedBytes(signature.value, message);
  if (bytes.length > TRANSACTION_BYTES_MAX) return { ok: false, reason: reason('chain-error') };
  if (priorityLamports > 0) limits.learn(kind, bytes);
  const value = {
    signature: bs58.encode(signature.value),
    bytes: bytes.toString('base64'),
    lastValidBlockHeight,
    least,
  };
  return { ok: true, value };
}

/** Returns the accounts of a trade; null without a recipient for its fees. Trades are spread over the recipients. */
function tradeOf({ wallet, address }: TradeAsk, coin: CurveCoin, name: string): CurveTrade | null {
  const { recipients, tokenProgram, creator, mayhem } = coin;
  const number = createHash('sha256').update(name).digest().readUInt32LE(0);
  const one = (keys: readonly string[]) => keys[number % keys.length];
  const feeRecipient = one(mayhem ? recipients.mayhemFee : recipients.fee);
  const buybackRecipient = one(recipients.buyback);
  if (feeRecipient === undefined || buybackRecipient === undefined) return null;
  return { mint: address, tokenProgram, creator, user: wallet, feeRecipient, buybackRecipient };
}

/** Returns the reason of a failed preflight. */
async function refusalOf(node: TradingNode, attempt: SentAttempt, error: unknown): Promise<Reason> {
  const { wallet, side, slippageBps, lamports, tipLamports } = attempt;
  const read = await node.accounts([new PublicKey(wallet)]).catch(() => null);
  const hasLamports = read && (read.accounts[0]?.lamports ?? 0);
  const needsLamports = Number(lamports ?? 0n) + tipLamports;
  const instructions = tradesInBytes(attempt.bytes);
  return failureOf(error, { side, instructions, slippageBps, hasLamports, needsLamports });
}
