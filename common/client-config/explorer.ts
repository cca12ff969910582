import type { ChainCluster } from './model.ts';

const EXPLORER = 'https://explorer.solana.com';

/** Returns the explorer's query for a cluster; a cluster it has no name for is given by the URL of its node. */
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

/** Returns the explorer URL of an address or transaction. `rpcUrl` is used where the explorer has no name for the cluster. */
export function explorerUrl(kind: 'address' | 'tx', id: string, cluster: ChainCluster, rpcUrl: string): string {
  return `${EXPLORER}/${kind}/${encodeURIComponent(id)}?${clusterQuery(cluster, rpcUrl)}`;
}

/** Returns the page of a token on Solscan, which covers mainnet alone. */
export function solscanUrl(address: string): string {
  return `https://solscan.io/token/${encodeURIComponent(address)}`;
}
