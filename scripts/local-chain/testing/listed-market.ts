import { PublicKey } from '@solana/web3.js';
import type { Connection } from 'mongoose';
import { afterAll, expect, vi } from 'vitest';
import { createSimulatedCoins } from '../../../api/launchpad/launchpad.ts';
import { createLocalLaunchpad } from '../../../api/launchpad/local-launchpad.ts';
import { poolOf, readPool } from '../../../api/launchpad/pool.ts';
import { createMarket } from '../../../api/market/market.ts';
import { POOL_SEED_TOKENS } from '../../../api/market/sources/simulator/coin/curve.ts';
import { createListedCoins } from '../../../api/market/sources/simulator/listed/listed-coins.ts';
import { createSimulator } from '../../../api/market/sources/simulator/simulator.ts';
import { silentLog, testBus } from '../../../api/market/testing/market.ts';
import { testConnection } from '../../../api/testing/database.ts';
import { tokenModels } from '../../../api/tokens/model.ts';
import type { TradeFill } from '../../../api/trading/executors/executor.ts';
import { createPumpExecutor } from '../../../api/trading/executors/pump-executor.ts';
import { createTradingNode, type TradingNode } from '../../../api/trading/executors/trading-node.ts';
import { readCurve, readTokens } from '../../../api/trading/pump/curve-state.ts';
import { curveOf, tokenAccountOf } from '../../../api/trading/pump/instructions.ts';
import { pumpAddresses } from '../../../api/trading/pump/interface.ts';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../../realtime/publisher.ts';
import type { PrivateChain } from '../../testing/local-chain.ts';
import { privateChain } from '../../testing/private-services.ts';
import { SOL, WAIT } from './client.ts';
import { createTraders, createTrades } from './executor-trades.ts';

const clock = { now: Date.now };
/** Longest wait for the market, which plays eight hours of history first. */
const START = { timeout: 50_000, interval: 20 };
/** Longest wait for a move into a pool, which takes up to eight seconds, and for the trades of the crowd after it. */
export const MIGRATION = { timeout: 30_000, interval: 20 };
/** Lamports that keep the 151 bytes of a curve, and the 88 bytes of a pool. */
const CURVE_RENT = 1_941_840;
const POOL_RENT = 1_503_360;

/** Starts the simulated market on a database, with its coins on a local chain. */
async function startListedMarket(chain: PrivateChain, connection: Connection, seed: number) {
  const { rpcUrl, wsUrl, launchpadKey } = chain;
  const deps = { clock, random: Math.random, log: silentLog };
  const launchpad = createLocalLaunchpad({ ...deps, chain: { rpcUrl, wsUrl, launchpadKey } });
  const listed = createListedCoins({ ...deps, chain: launchpad });
  const market = createMarket({
    ...deps,
    sources: [createSimulator({ rate: 40, seed, clock, solUsd: 150, listed })],
    connection,
    publisher: createPublisher(createMemoryLog({ clock }), () => false),
    bus: testBus(),
    solUsd: 150,
  });
  await market.start();
  await vi.waitFor(() => expect(market.status()[0]?.state).toBe('live'), START);
  return {
    market,
    simulated: createSimulatedCoins({ market, listed }),
    async stop() {
      await market.stop();
      launchpad.stop();
    },
  };
}
type ListedMarket = Awaited<ReturnType<typeof startListedMarket>>;

/** A chain, a database and the simulated market on both, for all tests of a file. */
export async function createListedScene() {
  const chain = await privateChain();
  const connection = await testConnection();
  const node = createTradingNode({ url: chain.rpcUrl, cluster: 'local', random: Math.random });
  let running = await startListedMarket(chain, connection, 1);
  afterAll(async () => {
    await running.stop();
    node.stop();
  });
  return {
    chain,
    connection,
    node,
    running: () => running,
    /** Starts the market again, with other chance. */
    async restart(seed: number): Promise<void> {
      await running.stop();
      running = await startListedMarket(chain, connection, seed);
    },
    createUser: () => createUser(chain, node, () => running),
  };
}

/** Curves with more are sold out soon, lamports: a curve is sold out at about 85 SOL. */
const FAR_FROM_SOLD_OUT = 40 * SOL;

/** Returns the coin with the most purchases whose curve stays open for a while and whose last trade is of this minute. */
export function busyCoin(connection: Connection): Promise<string> {
  return vi.waitFor(async () => {
    const [found] = await tokenModels(connection)
      .tokens.find({
        ...{ stage: 'curve', quote: 'SOL', cluster: null },
        liquidityLamports: { $lt: FAR_FROM_SOLD_OUT },
        lastTradeAt: { $gt: Date.now() - 60_000 },
      })
      .sort({ buys: -1 })
      .limit(1)
      .lean();
    return found?._id ?? expect.fail('no coin yet');
  }, WAIT);
}

/** A user who buys and sells by the executor of orders; `market` returns the running one. */
async function createUser(chain: PrivateChain, node: TradingNode, market: () => ListedMarket) {
  const traders = createTraders(chain);
  const { wallet, buy, sell } = await traders.trader('');
  const executor = createPumpExecutor({
    mode: 'local',
    cluster: 'local',
    node,
    signer: traders.signer,
    clock,
    simulated: {
      ensureListed: (address) => market().simulated.ensureListed(address),
      unlisted: (address) => market().simulated.unlisted(address),
    },
  });
  const { traded } = createTrades(executor);
  return {
    wallet,
    async trade(address: string, amount: { lamports: number } | { tokens: bigint }): Promise<TradeFill> {
      const more = { address, slippageBps: 5_000 };
      return (await traded('lamports' in amount ? buy(amount.lamports, more) : sell(amount.tokens, more))).fill;
    },
  };
}

/** Waits until simulated wallets have traded the coin after a time. */
export const crowdTrades = (connection: Connection, address: string, wallet: string, after: Date) =>
  vi.waitFor(async () => {
    const others = { address, at: { $gt: after }, wallet: { $ne: wallet } };
    expect(await tokenModels(connection).trades.countDocuments(others)).toBeGreaterThan(0);
  }, MIGRATION);

/** Returns the account of a coin's curve or pool, and the base units in its vault. */
async function venueOf(node: TradingNode, mint: PublicKey, venue: PublicKey) {
  const vault = tokenAccountOf(venue, new PublicKey(pumpAddresses.quoteTokenProgram), mint);
  const { accounts } = await node.accounts([venue, vault]);
  const [account = null, tokens = null] = accounts;
  return { account, tokens: readTokens(tokens) };
}

/** Returns the reserves of a coin on the chain. Fails unless its curve holds what it owes. */
export async function solventReserves(node: TradingNode, address: string) {
  const mint = new PublicKey(address);
  const { account, tokens } = await venueOf(node, mint, curveOf(mint));
  const state = readCurve(account);
  if (!state.ok) return expect.fail(state.reason.code);
  const { reserves } = state.value;
  expect(account?.lamports).toBe(CURVE_RENT + reserves.realQuote);
  expect(tokens).toBe(BigInt(reserves.realToken + POOL_SEED_TOKENS));
  return reserves;
}

/** Returns the reserves of a coin's pool on the chain. Fails unless it exists and holds what it owes. */
export async function solventPool(node: TradingNode, address: string) {
  const mint = new PublicKey(address);
  const { account, tokens } = await venueOf(node, mint, poolOf(mint));
  const { reserves } = readPool(account) ?? expect.fail('no pool');
  expect(account?.lamports).toBe(POOL_RENT + reserves.realQuote);
  expect(tokens).toBe(BigInt(reserves.realToken));
  return reserves;
}
