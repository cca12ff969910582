import type { ChainCluster } from '../../../common/client-config/model.ts';
import { StartError } from '../../config/config.ts';

/** Hashes of the first blocks (docs.anza.xyz/clusters/available, checked November 2026). */
export const genesisHashes = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
} as const satisfies Partial<Record<ChainCluster, string>>;

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
