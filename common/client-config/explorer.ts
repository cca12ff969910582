import type { ChainCluster } from './model.ts';

const EXPLORER = 'https://explorer.solana.com';

/** What the public explorer calls a cluster. One it does not know is named by the address of its node. */
function clusterQuery(cluster: ChainCluster, rpcUrl: string): string {
  switch (cluster) {
    case 'mainnet':
      return 'cluster=mainnet-beta';
    case 'devnet':
    case 'testnet':
      return `cluster=${cluster}`;
    case 'local':
    case 'custom':
      return `cluster=custom&customUrl=${encodeURIComponent(rpcUrl)}`;
  }
}

/** The page of an address or transaction in the public explorer. `rpcUrl` counts where the explorer has no name for the cluster. */
export function explorerUrl(kind: 'address' | 'tx', id: string, cluster: ChainCluster, rpcUrl: string): string {
  return `${EXPLORER}/${kind}/${encodeURIComponent(id)}?${clusterQuery(cluster, rpcUrl)}`;
}
