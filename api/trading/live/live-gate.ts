import type { ChainCluster } from '../../../common/client-config/model.ts';
import { SECOND } from '../../../common/time.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { RpcError } from '../../chain/rpc-error.ts';
import { StartError } from '../../config/config.ts';
import { pause } from '../../platform/resilience.ts';
import type { Executor, TradeAsk } from '../executors/executor.ts';
import { isNodeAway } from '../executors/trading-node.ts';
import { createProgramTest, type ProgramTest, type ProgramTestDeps } from './program-test.ts';

/** Hashes of the first blocks (docs.anza.xyz/clusters/available, checked November 2026). */
export const genesisHashes = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
} as const satisfies Partial<Record<ChainCluster, string>>;

/** Time between two checks while the node is away or no coin is known, ms. */
const AGAIN_MS = 10 * SECOND;

/** Decides whether real orders may be signed: after a check of the node, and purchases after a test of the launchpad's program. */
export interface LiveGate extends Pick<ProgramTest, 'doubt' | 'testAgain'> {
  /**
   * Checks the node. Rejects with a StartError for a wrong one; a node that is away is checked again later, and nothing is signed
   * before.
   */
  start(): Promise<void>;
  stop(): void;
  /**
   * Returns whether purchases are refused: for good by a wrong node, or since the launchpad's program responded in an unknown way,
   * until it passes a test.
   */
  isLocked(): boolean;
  /** Returns the cluster of the node; null until it was checked. */
  cluster(): ChainCluster | null;
  /** Returns the executor with its refusals. Its cluster is that of the checked node, so that no other one decides an attempt. */
  guarded(executor: Executor): Executor;
}

export interface LiveGateDeps extends Omit<ProgramTestDeps, 'signal'> {
  /** Returns the node's cluster. Rejects with a StartError when nothing may ever be signed with this node. */
  checkNode(): Promise<ChainCluster>;
}

export function createLiveGate({ checkNode, log, ...deps }: LiveGateDeps): LiveGate {
  const stopping = new AbortController();
  const program = createProgramTest({ ...deps, log, signal: stopping.signal });
  let cluster: ChainCluster | null = null;
  let isWrongNode = false;

  /** Resolves with whether the node responded. */
  async function checked(): Promise<boolean> {
    try {
      cluster = await checkNode();
    } catch (error) {
      if (isNodeAway(error)) return false;
      isWrongNode = true;
      throw error;
    }
    return true;
  }

  async function round(): Promise<boolean> {
    if (cluster === null && !(await checked())) return false;
    await program.round();
    return program.isPassed() || program.isLocked();
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted && !(await round())) await pause(AGAIN_MS, stopping.signal);
  }

  /** Returns why a trade is refused. The first purchase may be the first coin to test with. */
  async function refusal({ side, address }: TradeAsk): Promise<Reason | null> {
    if (isWrongNode) return reason('wrong-node');
    if (cluster === null) return reason('node-away');
    if (side === 'sell') return null;
    if (!program.isPassed() && !program.isLocked()) await program.run(address);
    if (program.isLocked()) return reason('interface-changed');
    return program.isPassed() ? null : reason('not-tested');
  }

  /** Does work at the node once it was checked: another chain knows nothing of attempts and balances. */
  async function onceChecked<Value>(work: () => Promise<Value>): Promise<Value> {
    if (cluster === null) throw new RpcError('network');
    return work();
  }

  return {
    async start() {
      if (!(await checked())) log.warn('node not checked, real orders wait for it');
      loop().catch((error: unknown) => log.error({ error }, 'node refused for real orders'));
    },
    stop: () => stopping.abort(),
    isLocked: () => isWrongNode || program.isLocked(),
    testAgain: program.testAgain,
    cluster: () => cluster,
    doubt: program.doubt,
    guarded: (executor) => ({
      ...executor,
      get cluster() {
        return cluster;
      },
      async quote(ask) {
        const refused = await refusal(ask);
        return refused ? { ok: false, reason: refused } : executor.quote(ask);
      },
      async sign(ask, ...trade) {
        const refused = await refusal(ask);
        return refused ? { ok: false, reason: refused } : executor.sign(ask, ...trade);
      },
      look: (attempts) => onceChecked(() => executor.look(attempts)),
      balances: (pairs) => onceChecked(() => executor.balances(pairs)),
      walletLamports: (wallet) => onceChecked(() => executor.walletLamports(wallet)),
    }),
  };
}

type CheckedCluster = keyof typeof genesisHashes;

/**
 * Returns the cluster of a node: the one that its address names; for an address that names none, mainnet or devnet. Throws a
 * StartError for another one.
 */
export function checkGenesis(cluster: ChainCluster, hash: string): CheckedCluster {
  const accepted: CheckedCluster[] = cluster === 'mainnet' || cluster === 'devnet' ? [cluster] : ['mainnet', 'devnet'];
  const found = accepted.find((name) => genesisHashes[name] === hash);
  if (found) return found;
  const wanted = accepted.join(' or ');
  throw new StartError(`TRADING: live needs a node of ${wanted}, but the genesis hash of SOLANA_RPC_URL is ${hash}`);
}
