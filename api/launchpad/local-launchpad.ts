import { isDeepStrictEqual } from 'node:util';
import { ComputeBudgetProgram, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Clock, HOUR, type Random } from '../../common/time.ts';
import type { StartedChain } from '../chain/endpoint.ts';
import { createRpc, type Rpc } from '../chain/rpc.ts';
import { defaultLimits } from '../chain/rpc-fetch.ts';
import type { Reserves } from '../market/sources/observation.ts';
import type {
  ChainEvent,
  CoinChain,
  CoinToList,
  CrowdOrder,
  Listing,
} from '../market/sources/simulator/listed/coin-chain.ts';
import { createPoolRegistry } from '../market/sources/solana/decode/pools.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { createGrowingCache } from '../platform/growing-cache.ts';
import { createTradingNode, type TradingNode } from '../trading/executors/trading-node.ts';
import { type Account, readCurve, readRecipients } from '../trading/pump/curve-state.ts';
import { buyExactQuoteIn, curveOf, GLOBAL_ACCOUNT, sellTokens } from '../trading/pump/instructions.ts';
import { pumpAddresses } from '../trading/pump/interface.ts';
import { crowdTrade, listingOf } from './instructions.ts';
import { type LaunchpadAccount, openLaunchpadAccount, seedOfMint } from './launchpad-account.ts';
import { createLaunchpadFrames, missedEvents, registerPool } from './launchpad-frames.ts';
import { migrateInstructions, poolOf, poolSwapInstruction, readPool } from './pool.ts';
import { followTrades } from './trade-feed.ts';

/** Reads of the chain at a start, and after an interruption. Its own trades have no limit but `TRADES_PER_SECOND`. */
const LIMITS = { ...defaultLimits, perSecond: 2_000, burst: 2_000, inFlight: 16, timeoutMs: 5_000, retries: 1 };
/** Trades of simulated wallets a second, all coins together: as much as the chain does beside those of users. */
const TRADES_PER_SECOND = 60;
/** Age, in ms, for replacing a blockhash, which is valid for at least a minute. */
const BLOCKHASH_MS = 15_000;
/** Age, in ms, for reading the recipients of fees again. */
const RECIPIENTS_MS = HOUR;
/** Recent trades of simulated wallets, by signature. */
const MOST_SENT = 20_000;

/** Creates the launchpad of the local chain, as the simulator uses it. `stop`: ends all calls. */
export function createLocalLaunchpad(deps: {
  chain: StartedChain & { launchpadKey: string };
  clock: Clock;
  random: Random;
  log: Logger;
}): CoinChain & { stop(): void } {
  const { chain, clock, random } = deps;
  const log = deps.log.child({ part: 'local launchpad' });
  const account = openLaunchpadAccount(chain.launchpadKey);
  const rpc = createRpc({
    url: chain.rpcUrl,
    random,
    limits: { ...LIMITS, circuitFailures: Number.POSITIVE_INFINITY },
  });
  const node = createTradingNode({ url: chain.rpcUrl, cluster: 'local', random });
  const sent = createGrowingCache<true>(MOST_SENT);
  const blockhash = cachedValue(async () => (await node.blockhash()).blockhash, { maxAge: BLOCKHASH_MS, clock });
  const crowdTrades = cachedValue(loadCrowdTrades, { maxAge: RECIPIENTS_MS, clock });
  const takeTurn = createTurns(TRADES_PER_SECOND, clock);
  const pools = createPoolRegistry();
  const isCrowd = (signature: string): boolean => sent.has(signature);

  async function loadCrowdTrades() {
    const { accounts } = await node.accounts([GLOBAL_ACCOUNT]);
    const recipients = readRecipients(accounts[0] ?? null);
    const [fee, buyback] = [recipients?.fee[0], recipients?.buyback[0]];
    if (fee === undefined || buyback === undefined) throw new Error('the chain has no launchpad');
    return createCrowdTrades(account.address, { fee, buyback });
  }

  async function missed(...[coin]: Parameters<CoinChain['missed']>): Promise<ChainEvent[]> {
    const known = await coinOnChain(node, coin.address);
    if (known !== null && known.stage !== 'curve') registerPool(pools, coin.address);
    if (known !== null && isDeepStrictEqual(known.reserves, coin.reserves)) return [];
    return missedEvents({ rpc, clock, pools, crowd: account.address.toBase58() }, coin);
  }

  return {
    listed: () => listedMints(rpc, account.address),
    list: (coin) => listCoin({ node, account, blockhash, log }, coin),
    async trade(order) {
      if (!takeTurn()) return false;
      try {
        const [build, hash] = await Promise.all([crowdTrades.read(), blockhash.read()]);
        const { bytes, signature } = account.transaction(build(order), hash);
        sent.set(signature, true);
        const { type } = await node.send(bytes, { preflight: false });
        // A chain that was set back does not know the blockhash any more.
        if (type !== 'forwarded') blockhash.clear();
        return type === 'forwarded';
      } catch (error) {
        log.debug({ err: error }, 'trade of a simulated wallet not sent');
        return false;
      }
    },
    async migrate(address) {
      try {
        const instructions = migrateInstructions(new PublicKey(address), account.address);
        const { bytes } = account.transaction(instructions, await blockhash.read());
        const response = await node.send(bytes, { preflight: true });
        if (response.type !== 'forwarded') log.debug({ address, response }, 'coin not moved into its pool');
      } catch (error) {
        log.debug({ address, err: error }, 'coin not moved into its pool');
      }
    },
    missed,
    follow: (handlers) => {
      const frames = createLaunchpadFrames(pools);
      return followTrades({ chain, frames, isCrowd, missed, clock, random, log }, handlers);
    },
    stop() {
      rpc.stop();
      node.stop();
    },
  };
}

async function listCoin(
  deps: {
    node: TradingNode;
    account: LaunchpadAccount;
    blockhash: { read(): Promise<string> };
    log: Logger;
  },
  coin: CoinToList,
): Promise<Listing> {
  const { node, account, blockhash, log } = deps;
  const { address, creator, createdAt, reserves } = coin;
  const seed = seedOfMint(address, { creator, createdAt });
  if (seed === null) return { ok: false, code: 'not-listable' };
  try {
    const known = await coinOnChain(node, address);
    if (known !== null) return { ok: true, ...known, isNew: false };
    const toList = { mint: new PublicKey(address), seed, creator: new PublicKey(creator), reserves };
    const { bytes } = account.transaction(listingOf(toList, account.address), await blockhash.read(), true);
    const response = await node.send(bytes, { preflight: true });
    const listed = await coinOnChain(node, address);
    if (listed !== null) return { ok: true, ...listed, isNew: true };
    log.warn({ address, response }, 'coin not listed');
    return { ok: false, code: response.type === 'refused' ? 'not-listable' : 'node-away' };
  } catch (error) {
    log.warn({ address, err: error }, 'coin not listed');
    return { ok: false, code: 'node-away' };
  }
}

/** Returns the mints of all coins on the chain: the launchpad's account holds some of each. */
async function listedMints(rpc: Rpc, owner: PublicKey): Promise<string[]> {
  const programId = new PublicKey(pumpAddresses.quoteTokenProgram);
  const { value } = await rpc.request((connection) => connection.getTokenAccountsByOwner(owner, { programId }));
  return value.map(({ account }) => new PublicKey(account.data.subarray(0, 32)).toBase58());
}

/** Returns a function that returns false beyond `perSecond` turns in a second. */
function createTurns(perSecond: number, clock: Clock): () => boolean {
  let second = 0;
  let taken = 0;
  return () => {
    const now = Math.floor(clock.now() / 1_000);
    if (now !== second) {
      second = now;
      taken = 0;
    }
    taken += 1;
    return taken <= perSecond;
  };
}

/** Where a coin trades on the chain, and the reserves of its curve or pool. */
interface CoinOnChain {
  stage: 'curve' | 'complete' | 'pool';
  reserves: Reserves;
}

/** Resolves with a coin as the chain has it; null when it is not there. Rejects while the chain is away. */
async function coinOnChain(node: Pick<TradingNode, 'accounts'>, address: string): Promise<CoinOnChain | null> {
  const mint = new PublicKey(address);
  const { accounts } = await node.accounts([curveOf(mint), poolOf(mint)]);
  const [curveAccount = null, poolAccount = null] = accounts;
  const pool = readPool(poolAccount);
  if (pool !== null) return { stage: 'pool', reserves: pool.reserves };
  const curve = readCurve(curveAccount);
  if (curve.ok) return { stage: 'curve', reserves: curve.value.reserves };
  return curve.reason.code === 'between-venues' ? soldOut(curveAccount) : null;
}

/** Place of the four reserves in the account of a curve. */
const RESERVES = 8;

/** Returns a sold-out coin with the last reserves of its curve, which are no longer traded. */
function soldOut(account: Account): CoinOnChain | null {
  if (account === null) return null;
  const numberAt = (index: number): number => Number(account.data.readBigUInt64LE(RESERVES + 8 * index));
  const [virtualToken, virtualQuote, realToken, realQuote] = [numberAt(0), numberAt(1), numberAt(2), numberAt(3)];
  return { stage: 'complete', reserves: { virtualToken, virtualQuote, realToken, realQuote } };
}

/** Recipients of fees and of buybacks that the chain's launchpad accepts. */
interface FeeRecipients {
  fee: string;
  buyback: string;
}

/** Compute units of a crowd trade, and the range that is added so that two equal trades are different transactions. */
const COMPUTE_UNITS = 200_000;
const UNIT_SPREAD = 50_000;
/** Coins whose instructions are kept, since deriving their accounts takes longer than a trade. */
const MOST_KEPT = 500;

/** Returns a function that builds the trades of simulated wallets. */
function createCrowdTrades(account: PublicKey, recipients: FeeRecipients) {
  const kept = new LRUCache<string, TransactionInstruction>({ max: MOST_KEPT });
  let count = 0;

  function tradeOf({ address, creator, side, venue }: CrowdOrder): TransactionInstruction {
    const name = `${side} ${venue} ${address}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const instruction = venue === 'pool' ? inPool(address, creator, side) : onCurve(address, creator, side);
    kept.set(name, instruction);
    return instruction;
  }

  function inPool(address: string, creator: string, side: CrowdOrder['side']): TransactionInstruction {
    const [mint, feeRecipient] = [new PublicKey(address), new PublicKey(recipients.fee)];
    const amounts = { side, amountIn: 0n, leastOut: 0n };
    return poolSwapInstruction({ mint, creator: new PublicKey(creator), user: account, feeRecipient, ...amounts });
  }

  function onCurve(address: string, creator: string, side: CrowdOrder['side']): TransactionInstruction {
    const trade = {
      mint: address,
      tokenProgram: pumpAddresses.quoteTokenProgram,
      creator,
      user: account.toBase58(),
      feeRecipient: recipients.fee,
      buybackRecipient: recipients.buyback,
    };
    return side === 'buy' ? buyExactQuoteIn(trade, 0n, 0n) : sellTokens(trade, 0n, 0n);
  }

  return (order: CrowdOrder): TransactionInstruction[] => {
    count = (count + 1) % UNIT_SPREAD;
    const trade = tradeOf(order);
    // Read by `crowdTrade` at once. The least amount stays 0: simulated wallets take any price.
    trade.data.writeBigUInt64LE(BigInt(order.amount), 8);
    return [
      ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS + count }),
      crowdTrade(trade, new PublicKey(order.wallet)),
    ];
  };
}
