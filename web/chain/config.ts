import { explorerUrl } from '../../common/client-config/explorer.ts';
import { configCalls } from '../../common/client-config/http.ts';
import type { ChainConfig, ClientConfig } from '../../common/client-config/model.ts';
import { callQuery } from '../http/query.ts';
import { atomWithQuery, useAtomValue } from '../store.ts';

/** Asked once: the cluster does not change while the server runs. */
const configQuery = atomWithQuery(() => callQuery(configCalls.get, {}));

/** What the server says about its set-up; undefined while not known. */
export function useClientConfig(): { config: ClientConfig | undefined; error: string | null; reload: () => void } {
  const { data, error, refetch } = useAtomValue(configQuery);
  return { config: data, error: error === null ? null : error.message, reload: () => void refetch() };
}

export interface UsedChainConfig {
  /** Undefined while not known yet; null where no cluster is configured. */
  chain: ChainConfig | null | undefined;
  error: string | null;
  reload: () => void;
}

/** The cluster that wallets, transfers and trades use. */
export function useChainConfig(): UsedChainConfig {
  const { config, ...rest } = useClientConfig();
  return { chain: config?.chain, ...rest };
}

/** The page of an address or transaction of the configured cluster in the public explorer; null without a cluster. */
export function chainExplorerUrl(
  kind: 'address' | 'tx',
  id: string,
  chain: ChainConfig | null | undefined,
): string | null {
  return chain ? explorerUrl(kind, id, chain.cluster, chain.rpcUrl) : null;
}
