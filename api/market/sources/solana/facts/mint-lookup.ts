import { PublicKey, SYSVAR_CLOCK_PUBKEY } from '@solana/web3.js';
import type { Clock, Random } from '../../../../../common/time.ts';
import type { ChainEndpoint } from '../../../../chain/chain-endpoint.ts';
import { clusterOf, PUBLIC_MAINNET_RPC, type SolanaCluster } from '../../../../chain/endpoint.ts';
import { createRpc, type Rpc } from '../../../../chain/rpc.ts';
import type { Config } from '../../../../config/config.ts';
import { tokenPrograms } from './mint-facts.ts';

/** A node tells of 100 accounts in one answer; one of them is the chain's clock. */
export const MINTS_AT_ONCE = 99;
/**
 * A node that is further behind, ms, knows no mint of the time it misses, and says of it what it says of one that never
 * was: null. Well below the age at which a token is first asked about (MINT_PATIENCE).
 */
export const BEHIND_AT_MOST = 2 * 60_000;
/** In the account of the clock: the end of its fields, and where the last of them is, the time in seconds. */
const CLOCK_LENGTH = 40;
const CLOCK_TIME_AT = 32;
/** The first block of each public cluster: what its address is called is not proof enough to delete by. */
const GENESIS = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
} as const;

/** Asks the chains which mints there are. */
export interface MintLookup {
  /**
   * Those of `addresses`, each of them 32 bytes in base58, that an account of a token program is at. Null when the cluster
   * can't be asked: no address of it is configured, it does not answer, or what answers is another cluster or is behind.
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
export function createMintLookup(urls: ClusterUrls, { random, clock }: { random: Random; clock: Clock }): MintLookup {
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
        // A local chain is what its owner makes of it, also behind or without a clock.
        return await ask(rpc, addresses, cluster === 'local' ? null : clock.now() - BEHIND_AT_MOST);
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

/** `since`: the state that the node answers from must not be older, epoch ms. Throws when it is, or when anything is missing. */
async function ask(rpc: Rpc, addresses: readonly string[], since: number | null): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < addresses.length; from += MINTS_AT_ONCE) {
    const batch = addresses.slice(from, from + MINTS_AT_ONCE);
    // In the same answer, since another one may be another node's.
    const keys = [SYSVAR_CLOCK_PUBKEY, ...batch.map((address) => new PublicKey(address))];
    const [clock, ...infos] = await rpc.request((connection) =>
      connection.getMultipleAccountsInfo(keys, { dataSlice: { offset: 0, length: CLOCK_LENGTH } }),
    );
    if (infos.length !== batch.length) throw new Error('the node does not tell of every account');
    if (since !== null && !(timeOf(clock?.data) >= since)) throw new Error('the node is behind');
    for (const [index, address] of batch.entries()) {
      const owner = infos[index]?.owner.toBase58();
      if (owner !== undefined && tokenPrograms.has(owner)) known.add(address);
    }
  }
  return known;
}

/** Epoch ms; not a number without a clock. */
function timeOf(data: Buffer | undefined): number {
  return data?.length === CLOCK_LENGTH ? Number(data.readBigInt64LE(CLOCK_TIME_AT)) * 1000 : Number.NaN;
}
