import { randomUUID } from 'node:crypto';
import { type Keypair, PublicKey } from '@solana/web3.js';
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
import { createSigner } from '../../../api/trading/signer.ts';
import { createMemoryLog } from '../../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../../realtime/publisher.ts';
import type { PrivateChain } from '../../testing/local-chain.ts';
import { privateChain } from '../../testing/private-chain.ts';
import { clientOf, WAIT } from './client.ts';

const clock = { now: Date.now };
/** Longest wait for the market, which plays eight hours of history first. */
const START = { timeout: 50_000, interval: 20 };
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

/** Returns the coin on the curve with the most trades whose last one is of this minute. */
export function busyCoin(connection: Connection): Promise<string> {
  return vi.waitFor(async () => {
    const [found] = await tokenModels(connection)
      .tokens.find({ stage: 'curve', quote: 'SOL', cluster: null, lastTradeAt: { $gt: Date.now() - 60_000 } })
      .sort({ buys: -1 })
      .limit(1)
      .lean();
    return found?._id ?? expect.fail('no coin yet');
  }, WAIT);
}

/** A user who buys and sells by the executor of orders; `market` returns the running one. */
async function createUser(chain: PrivateChain, node: TradingNode, market: () => ListedMarket) {
  const keys: Keypair = await clientOf(chain).funded();
  const wallet = keys.publicKey.toBase58();
  const secretKey = async () => ({ walletAddress: wallet, secretKey: Buffer.from(keys.secretKey) });
  const executor = createPumpExecutor({
    mode: 'local',
    cluster: 'local',
    node,
    signer: createSigner({ secretKey }),
    clock,
    simulated: {
      ensureListed: (address) => market().simulated.ensureListed(address),
      unlisted: (address) => market().simulated.unlisted(address),
    },
  });
  const common = { userId: randomUUID(), wallet, slippageBps: 5_000, priorityMaxLamports: 0, tipLamports: 0 };
  return {
    wallet,
    async trade(address: string, amount: { lamports: number } | { tokens: bigint }): Promise<TradeFill> {
      const ask =
        'lamports' in amount
          ? { ...common, address, side: 'buy' as const, lamports: BigInt(amount.lamports), tokens: null }
          : { ...common, address, side: 'sell' as const, lamports: null, tokens: amount.tokens };
      const quote = await executor.quote(ask);
      if (!quote.ok) return expect.fail(quote.reason.code);
      const signed = await executor.sign(ask, quote.value, randomUUID(), async () => true);
      if (!signed.ok) return expect.fail(signed.reason.code);
      const attempt = { ...ask, ...signed.value, orderId: randomUUID(), firstSentAt: Date.now() };
      expect(await executor.send(attempt, true)).toEqual({ type: 'forwarded' });
      const verdict = await vi.waitFor(
        async () => (await executor.look([attempt])).get(attempt.signature) ?? expect.fail('undecided'),
        WAIT,
      );
      return verdict.outcome === 'landed' ? verdict.fill : expect.fail(verdict.reason.code);
    },
  };
}

/** Returns the reserves of a coin on the chain. Fails unless its curve holds what it owes. */
export async function solventReserves(node: TradingNode, address: string) {
  const mint = new PublicKey(address);
  const curve = curveOf(mint);
  const vault = tokenAccountOf(curve, new PublicKey(pumpAddresses.quoteTokenProgram), mint);
  const { accounts } = await node.accounts([curve, vault]);
  const [account = null, tokens = null] = accounts;
  const state = readCurve(account);
  if (!state.ok) return expect.fail(state.reason.code);
  const { reserves } = state.value;
  expect(account?.lamports).toBe(CURVE_RENT + reserves.realQuote);
  expect(readTokens(tokens)).toBe(BigInt(reserves.realToken + POOL_SEED_TOKENS));
  return reserves;
}

/** Returns the reserves of a coin's pool on the chain. Fails unless it exists and holds what it owes. */
export async function solventPool(node: TradingNode, address: string) {
  const mint = new PublicKey(address);
  const pool = poolOf(mint);
  const vault = tokenAccountOf(pool, new PublicKey(pumpAddresses.quoteTokenProgram), mint);
  const { accounts } = await node.accounts([pool, vault]);
  const [account = null, tokens = null] = accounts;
  const { reserves } = readPool(account) ?? expect.fail('no pool');
  expect(account?.lamports).toBe(POOL_RENT + reserves.realQuote);
  expect(readTokens(tokens)).toBe(BigInt(reserves.realToken));
  return reserves;
}
