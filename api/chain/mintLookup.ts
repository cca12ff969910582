import { PublicKey } from '@solana/web3.js';
import type { Config } from '../config.ts';
import type { Random } from '../market/sources/source.ts';
import type { ChainEndpoint } from './chainEndpoint.ts';
import { clusterOf, PUBLIC_MAINNET_RPC, type SolanaCluster } from './endpoint.ts';
import { tokenPrograms } from './mintFacts.ts';
import { createRpc, type Rpc } from './rpc.ts';

/** Accounts that a node tells of in one answer. */
export const MINTS_AT_ONCE = 100;
/** The first block of each public cluster: what its address is called is not proof enough to delete by. */
const GENESIS = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;

/** Asks the chains which mints there are. */
export interface MintLookup {
  /**
   * Those of `addresses`, each of them 32 bytes in base58, that an account of a token program is at. Null when the cluster
   * can't be asked: no address of it is configured, it does not answer, or what answers is another cluster.
   */
  known(cluster: SolanaCluster, addresses: readonly string[]): Promise<ReadonlySet<string> | null>;
  stop(): void;
}

/** Where each cluster is asked; what is missing can't be. */
export type ClusterUrls = Partial<Record<SolanaCluster, string>>;

/** The nodes that the market and the wallets use anyway: a set-up that works without a network is not sent into one. */
export function clusterUrls(config: Pick<Config, 'market' | 'solanaRpcUrl'>, chain: ChainEndpoint | null): ClusterUrls {
  const { solanaRpcUrl } = config;
  const isLive = config.market.some(({ kind }) => kind !== 'simulator' && kind !== 'replay');
  return {
    ...(isLive && solanaRpcUrl === null ? { mainnet: PUBLIC_MAINNET_RPC } : {}),
    ...(chain?.cluster === 'local' ? { local: chain.rpcUrl } : {}),
    ...(solanaRpcUrl === null ? {} : { [clusterOf(solanaRpcUrl)]: solanaRpcUrl }),
  };
}

/** A look-up for one run: a cluster that could not be asked once is not asked again. */
export function createMintLookup(urls: ClusterUrls, random: Random): MintLookup {
  const rpcs = new Map<SolanaCluster, Promise<Rpc | null>>();
  const opened: Rpc[] = [];

  async function open(cluster: SolanaCluster): Promise<Rpc | null> {
    const url = urls[cluster];
    if (url === undefined) return null;
    const rpc = createRpc({ url, random });
    opened.push(rpc);
    if (cluster === 'local') return rpc;
    try {
      const genesis = await rpc.ask((connection) => connection.getGenesisHash());
      return genesis.startsWith(GENESIS[cluster]) ? rpc : null;
    } catch {
      // Whatever went wrong: it can't be asked, which the caller says.
      return null;
    }
  }

  return {
    async known(cluster, addresses) {
      const opening = rpcs.get(cluster) ?? open(cluster);
      rpcs.set(cluster, opening);
      const rpc = await opening;
      if (rpc === null) return null;
      try {
        return await ask(rpc, addresses);
      } catch {
        rpcs.set(cluster, Promise.resolve(null));
        return null;
      }
    },
    stop() {
      for (const rpc of opened) rpc.stop();
    },
  };
}

async function ask(rpc: Rpc, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < addresses.length; from += MINTS_AT_ONCE) {
    const batch = addresses.slice(from, from + MINTS_AT_ONCE);
    const keys = batch.map((address) => new PublicKey(address));
    const infos = await rpc.ask((connection) =>
      connection.getMultipleAccountsInfo(keys, { dataSlice: { offset: 0, length: 0 } }),
    );
    for (const [index, address] of batch.entries()) {
      const owner = infos[index]?.owner.toBase58();
      if (owner !== undefined && tokenPrograms.has(owner)) known.add(address);
    }
  }
  return known;
}
