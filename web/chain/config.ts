import { explorerUrl } from '../../common/client-config/explorer.ts';
import { configCalls } from '../../common/client-config/http.ts';
import type { ChainConfig } from '../../common/client-config/model.ts';
import type { Cluster } from '../../common/tokens/model.ts';
import { callQuery } from '../http/query.ts';
import { atom, atomWithQuery, useAtomValue } from '../store.ts';

/** Fetched once: the cluster does not change while the server runs. */
const configQuery = atomWithQuery(() => callQuery(configCalls.get, {}));
/** The state of the query for components that need no configuration. */
const noConfig = atom({ data: undefined });

interface UsedChainConfig {
  /** Undefined while unknown; null where no cluster is configured. */
  chain: ChainConfig | null | undefined;
  error: string | null;
  reload: () => void;
}

/** Returns the cluster of wallets, transfers and trades. */
export function useChainConfig(): UsedChainConfig {
  const { data, error, refetch } = useAtomValue(configQuery);
  return { chain: data?.chain, error: error === null ? null : error.message, reload: () => void refetch() };
}

/**
 * Returns the explorer's page of an address or transaction on the configured cluster: for the local chain the product's own
 * page, which needs no network. Null without a cluster.
 */
export function chainExplorerUrl(
  kind: 'address' | 'tx',
  id: string,
  chain: ChainConfig | null | undefined,
): string | null {
  return chain ? clusterExplorerUrl(kind, id, chain.cluster, chain) : null;
}

/**
 * Returns the explorer URL of an address or transaction on its own cluster. Null on no chain, and on a local or custom
 * cluster that is not the configured one: the URL of its node is unknown.
 */
export function clusterExplorerUrl(
  kind: 'address' | 'tx',
  id: string,
  cluster: ChainConfig['cluster'] | null,
  chain: ChainConfig | null | undefined,
): string | null {
  switch (cluster) {
    case null:
      return null;
    case 'mainnet':
    case 'devnet':
    case 'testnet':
      return explorerUrl(kind, id, cluster, '');
    case 'local':
      return chain?.cluster === cluster ? `/app/explorer/${kind}/${encodeURIComponent(id)}` : null;
    case 'custom':
      return chain?.cluster === cluster ? explorerUrl(kind, id, cluster, chain.rpcUrl) : null;
  }
}

/** Returns the explorer URL of a token or one of its trades. Only the local chain needs the configuration, which says whether it is the one in use. */
export function useExplorerUrl(kind: 'address' | 'tx', id: string | null, cluster: Cluster): string | null {
  const { data } = useAtomValue(cluster === 'local' ? configQuery : noConfig);
  return id === null ? null : clusterExplorerUrl(kind, id, cluster, data?.chain);
}
