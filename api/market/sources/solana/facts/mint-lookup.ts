import { PublicKey, SYSVAR_CLOCK_PUBKEY } from '@solana/web3.js';
import type { Clock, Random } from '../../../../../common/time.ts';
import { type ChainEndpoint, clusterOf, PUBLIC_MAINNET_RPC, type SolanaCluster } from '../../../../chain/endpoint.ts';
import { createRpc, type Rpc } from '../../../../chain/rpc.ts';
import type { Config } from '../../../../config/config.ts';
import { tokenPrograms } from './mint-facts.ts';

/** Mints of one request: a node returns 100 accounts, and one is the chain's clock. */
export const MINTS_PER_REQUEST = 99;
/**
 * Longest lag of a node, ms: a node that is further behind returns null for newer mints, as for ones that never existed. Well
 * below the age of a token's first look-up (MINT_PATIENCE).
 */
export const MAX_LAG = 2 * 60_000;
/** Clock account: its length, and the offset of its last field, the time in seconds. */
const CLOCK_LENGTH = 40;
const CLOCK_TIME_AT = 32;
/** Genesis hash of each public cluster: the name of an address is not proof enough to delete tokens. */
const GENESIS = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;

/** Looks up which mints exist on chain. */
export type MintLookup = ReturnType<typeof createMintLookup>;

/** Node of each cluster; a missing cluster is unavailable. */
export type ClusterUrls = Partial<Record<SolanaCluster, string>>;

/** Sources of the market that use the public mainnet node without SOLANA_RPC_URL. */
const chainSources: readonly string[] = ['solana', 'launchlab', 'meteora-dbc'];

/** Returns the nodes that market and wallets already use: a lookup contacts nothing that the environment does not name. */
export function clusterUrls(config: Pick<Config, 'market' | 'solanaRpcUrl'>, chain: ChainEndpoint | null): ClusterUrls {
  const { solanaRpcUrl } = config;
  const usesPublicNode = solanaRpcUrl === null && config.market.some(({ kind }) => chainSources.includes(kind));
  return {
    ...(usesPublicNode ? { mainnet: PUBLIC_MAINNET_RPC } : {}),
    ...(chain?.cluster === 'local' ? { local: chain.rpcUrl } : {}),
    ...(solanaRpcUrl === null ? {} : { [clusterOf(solanaRpcUrl)]: solanaRpcUrl }),
  };
}

/** Creates a lookup for one run: an unavailable cluster is not requested again. */
export function createMintLookup(urls: ClusterUrls, { random, clock }: { random: Random; clock: Clock }) {
  const rpcs = new Map<SolanaCluster, Promise<Rpc | null>>();
  const opened: Rpc[] = [];

  async function open(cluster: SolanaCluster): Promise<Rpc | null> {
    const url = urls[cluster];
    if (url === undefined) return null;
    const rpc = createRpc({ url, random });
    opened.push(rpc);
    if (cluster === 'local') return rpc;
    try {
      const genesis = await rpc.request((connection) => connection.getGenesisHash());
      return genesis.startsWith(GENESIS[cluster]) ? rpc : null;
    } catch {
      // Unavailable for any reason; the caller reports it.
      return null;
    }
  }

  return {
    /** Returns whether a node of the cluster is configured. Without one nothing is requested. */
    reaches: (cluster: SolanaCluster): boolean => urls[cluster] !== undefined,
    /**
     * Resolves with those of `addresses` (32 bytes in base58) that are accounts of a token program; null when the cluster is
     * unavailable: no node is configured, the node does not respond, lags behind, or belongs to another cluster.
     */
    async findMints(cluster: SolanaCluster, addresses: readonly string[]): Promise<ReadonlySet<string> | null> {
      const opening = rpcs.get(cluster) ?? open(cluster);
      rpcs.set(cluster, opening);
      const rpc = await opening;
      if (rpc === null) return null;
      try {
        // A local chain may lag or have no clock.
        return await requestMints(rpc, addresses, cluster === 'local' ? null : clock.now() - MAX_LAG);
      } catch {
        rpcs.set(cluster, Promise.resolve(null));
        return null;
      }
    },
    stop(): void {
      for (const rpc of opened) rpc.stop();
    },
  };
}

/** Throws when the node's state is older than `since` (epoch ms; null: any), or when accounts are missing. */
async function requestMints(
  rpc: Rpc,
  addresses: readonly string[],
  since: number | null,
): Promise<ReadonlySet<string>> {
  const mints = new Set<string>();
  for (let from = 0; from < addresses.length; from += MINTS_PER_REQUEST) {
    const batch = addresses.slice(from, from + MINTS_PER_REQUEST);
    // In the same response: another one may come from another node.
    const keys = [SYSVAR_CLOCK_PUBKEY, ...batch.map((address) => new PublicKey(address))];
    const [clock, ...infos] = await rpc.request((connection) =>
      connection.getMultipleAccountsInfo(keys, { dataSlice: { offset: 0, length: CLOCK_LENGTH } }),
    );
    if (infos.length !== batch.length) throw new Error('the response lacks accounts');
    if (since !== null && !(timeOf(clock?.data) >= since)) throw new Error('the node is behind');
    for (const [index, address] of batch.entries()) {
      const owner = infos[index]?.owner.toBase58();
      if (owner !== undefined && tokenPrograms.has(owner)) mints.add(address);
    }
  }
  return mints;
}

/** Returns epoch ms; NaN without a clock account. */
function timeOf(data: Buffer | undefined): number {
  return data?.length === CLOCK_LENGTH ? Number(data.readBigInt64LE(CLOCK_TIME_AT)) * 1000 : Number.NaN;
}
