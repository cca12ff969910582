import { explorerUrl as chainExplorerUrl } from '../../common/client-config/explorer.ts';
import type { Cluster } from '../../common/tokens/model.ts';

/** Where a token's page is. */
export function detailPath(address: string): string {
  return `/app/tokens/${encodeURIComponent(address)}`;
}

/** The local chain as its own machine sees it; the public explorer reads it from the browser. */
const LOCAL_RPC = 'http://127.0.0.1:8899';

/** The page of an address in the public explorer, on the cluster it lives on; null for what is on no chain. */
export function explorerUrl(kind: 'address' | 'tx', id: string, cluster: Cluster): string | null {
  return cluster === null ? null : chainExplorerUrl(kind, id, cluster, LOCAL_RPC);
}
