import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import type { ServerTrading, TradingMode } from '../../../common/trading/account.ts';
import { curveRefusal } from '../../../common/trading/venue.ts';
import type { ChainEndpoint } from '../../chain/endpoint.ts';
import type { NetworkFacts } from '../../chain/network-facts.ts';
import { type Config, StartError } from '../../config/config.ts';
import type { Market } from '../../market/market.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { Wallets } from '../../wallet/service.ts';
import { createJupiterClient } from '../jupiter/client.ts';
import { createPoolTrades, type PoolTrades, withPools } from '../jupiter/pool-trades.ts';
import { jupiterProgram, type SwapProgram } from '../jupiter/swap-terms.ts';
import { checkGenesis, createLiveGate } from '../live/live-gate.ts';
import { createSelfTest } from '../live/self-test.ts';
import type { OrderStore } from '../orders/store.ts';
import { createPaperBook, type PaperSources } from '../paper/paper-book.ts';
import { createPaperDelay } from '../paper/paper-delay.ts';
import { createPaperExecutor } from '../paper/paper-executor.ts';
import { createSigner, type Signer } from '../signer.ts';
import type { SimulatedCoins } from './curve-quote.ts';
import { createCurveReader } from './curve-reader.ts';
import type { Executor } from './executor.ts';
import { createPriorityPrices } from './priority-prices.ts';
import { createPumpExecutor } from './pump-executor.ts';
import { createTradingNode, type TradingNode } from './trading-node.ts';

/** The part of the market in which a coin for a test is found. */
interface KnownCoins extends Pick<Market, 'pollCandidates' | 'hasMerged' | 'stepAt'> {
  liveCoin(address: string): Pick<TradedCoin, 'launchpad' | 'stage' | 'quote'> | null;
}

export interface ExecutorsDeps {
  config: Pick<Config, 'trading' | 'market' | 'solanaRpcUrl' | 'solanaSendUrls'>;
  /** Null: no chain is configured. */
  chain: ChainEndpoint | null;
  network: Pick<NetworkFacts, 'rentPerByte'>;
  wallets: Pick<Wallets, 'secretKey'>;
  market: KnownCoins;
  /** Puts simulated coins on the local chain; null: none can be put there. */
  simulated?: SimulatedCoins | null;
  /** Base address of Jupiter's swap API; missing: no order trades in pools. */
  swapUrl?: string | null;
  /** Returns the key for it; null without one. */
  jupiterKey?: () => string | null;
  /** Program of the pools on the local chain. */
  localPools?: SwapProgram;
  /** Returns tokens, accounts, positions and orders. Called at each use on paper, since they open after the executors. */
  trading(): PaperSources & Pick<Market, 'coin'> & { orderStore: Pick<OrderStore, 'realTimes'> };
  clock: Clock;
  random: Random;
  log: Logger;
}

/** The ways to trade that the server offers. */
export interface Executors {
  server: ServerTrading;
  /** Returns null for a mode that the server does not offer. */
  executorOf(mode: TradingMode): Executor | null;
  /** Returns whether real buying is refused because the launchpad's program responded in an unknown way. */
  isLocked(): boolean;
  /** Tests that program again while real buying is refused for it. */
  testAgain(): Promise<void>;
  /** Checks the node of real orders. Rejects with a StartError for a wrong one. */
  start(): Promise<void>;
  stop(): void;
}

/** Creates the executors of the configuration. Throws a StartError for settings that contradict each other. */
export function createExecutors(deps: ExecutorsDeps): Executors {
  const { config, chain, clock } = deps;
  const { hasMerged, stepAt } = deps.market;
  const server = serverTradingOf(config, chain);
  if (server === 'off') return withoutChain(server, null);
  const paper = createPaperExecutor({
    market: { hasMerged, stepAt, coin: (address) => deps.trading().coin(address) },
    book: createPaperBook(deps.trading),
    delay: createPaperDelay({ samples: () => deps.trading().orderStore.realTimes(), clock }),
    rentPerByte: deps.network.rentPerByte,
    clock,
  });
  if (server === 'paper' || chain === null) return withoutChain('paper', paper);
  return onChain({ ...deps, chain, server, paper });
}

function withoutChain(server: ServerTrading, paper: Executor | null): Executors {
  return {
    server,
    executorOf: (mode) => (mode === 'paper' ? paper : null),
    isLocked: () => false,
    testAgain: async () => {},
    start: async () => {},
    stop() {},
  };
}

function onChain(
  deps: ExecutorsDeps & { chain: ChainEndpoint; server: Exclude<TradingMode, 'paper'>; paper: Executor },
): Executors {
  const { config, chain, server, paper, wallets, market, simulated = null, clock, random, log } = deps;
  const { cluster, rpcUrl } = chain;
  const node = createTradingNode({ url: rpcUrl, cluster, random, sendUrls: config.solanaSendUrls });
  const gate = createLiveGate({
    checkNode: async () => checkGenesis(cluster, await node.genesisHash()),
    selfTest: createSelfTest({ node, reader: createCurveReader(node, clock) }),
    coins: (limit) => coinsOnCurve(market, limit),
    random,
    log,
  });
  const signer = createSigner(wallets);
  const pump = createPumpExecutor({
    mode: server,
    cluster,
    node,
    signer,
    clock,
    simulated: cluster === 'local' ? simulated : null,
    onInterfaceChanged: gate.doubt,
    log,
  });
  const pools = openPools(deps, node, signer);
  const executor = pools ? withPools(pump, pools.trades, (address) => deps.trading().coin(address)) : pump;
  const executors: Partial<Record<TradingMode, Executor>> = {
    paper,
    [server]: server === 'live' ? gate.guarded(executor) : executor,
  };
  return {
    server,
    executorOf: (mode) => executors[mode] ?? null,
    isLocked: gate.isLocked,
    testAgain: gate.testAgain,
    start: async () => (server === 'live' ? gate.start() : undefined),
    stop() {
      gate.stop();
      pools?.stop();
      node.stop();
    },
  };
}

/** Opens the trades in pools; null without an address of Jupiter's swap API. */
function openPools(
  deps: ExecutorsDeps & { chain: ChainEndpoint },
  node: TradingNode,
  signer: Signer,
): { trades: PoolTrades; stop(): void } | null {
  const { swapUrl: url = null, jupiterKey: apiKey = () => null, localPools, chain, clock, random } = deps;
  if (url === null) return null;
  const jupiter = createJupiterClient({ url, apiKey, random });
  const trades = createPoolTrades({
    node,
    reader: createCurveReader(node, clock),
    prices: createPriorityPrices(node, () => clock.now()),
    jupiter,
    programs: [jupiterProgram, ...(chain.cluster === 'local' && localPools ? [localPools] : [])],
    coin: (address) => deps.trading().coin(address),
    signer,
    clock,
  });
  return { trades, stop: jupiter.stop };
}

/** Coins among which those on the launchpad's curve are looked for. */
const CANDIDATES = 200;

/** Returns addresses of coins on the curve of pump.fun that are known at this moment. */
function coinsOnCurve({ liveCoin, pollCandidates }: KnownCoins, limit: number): string[] {
  const isOnCurve = (address: string) => {
    const coin = liveCoin(address);
    return coin?.launchpad === 'pump.fun' && curveRefusal(coin) === null;
  };
  return pollCandidates(CANDIDATES).filter(isOnCurve).slice(0, limit);
}

type TradingSettings = Pick<Config, 'trading' | 'market' | 'solanaRpcUrl'>;

/**
 * Returns where orders go. Without TRADING: to the local chain that started with the server while the market is simulated, otherwise
 * nowhere (`paper`). Throws a StartError for a mode that chain and settings do not allow.
 */
export function serverTradingOf(config: TradingSettings, chain: ChainEndpoint | null): ServerTrading {
  const { trading, market, solanaRpcUrl } = config;
  if (trading === null) {
    const isOwnChain = chain !== null && solanaRpcUrl === null;
    return isOwnChain && market.some(({ kind }) => kind === 'simulator') ? 'local' : 'paper';
  }
  if (trading === 'local' && chain?.cluster !== 'local') {
    throw new StartError('TRADING: local needs the local chain; SOLANA_RPC_URL is the address of another one');
  }
  if (trading === 'live' && (solanaRpcUrl === null || chain === null || chain.cluster === 'local')) {
    throw new StartError('TRADING: live needs SOLANA_RPC_URL with a node of mainnet or devnet');
  }
  if (trading === 'live' && chain?.cluster === 'testnet') {
    throw new StartError('TRADING: live trades on mainnet or devnet; SOLANA_RPC_URL is a node of testnet');
  }
  return trading;
}
