import type { ChainCluster, ChainConfig } from '../../common/client-config/model.ts';
import type { Config } from '../config/config.ts';
import { walletClusterOf, webSocketUrl } from './endpoint.ts';

/** Cluster of wallets, transfers and trades, as the server reaches it. Its addresses may contain a provider's key. */
export interface ChainEndpoint {
  cluster: ChainCluster;
  /** JSON-RPC over HTTP. */
  rpcUrl: string;
  /** PubSub over WebSocket. */
  wsUrl: string;
  /** Whether the node supports `requestAirdrop`. */
  faucet: boolean;
}

/** Addresses of a chain that started with the server. */
export interface LocalChainUrls {
  rpcUrl: string;
  wsUrl: string;
}

type ChainSettings = Pick<Config, 'solanaRpcUrl' | 'solanaWsUrl' | 'solanaBrowserRpcUrl'>;

/** Returns the cluster of the environment, otherwise the chain that started with the server; null without either. */
export function chainEndpoint(config: ChainSettings, local: LocalChainUrls | undefined): ChainEndpoint | null {
  if (config.solanaRpcUrl === null) return local ? { ...local, cluster: 'local', faucet: true } : null;
  const rpcUrl = config.solanaRpcUrl;
  const cluster = walletClusterOf(rpcUrl);
  return { cluster, rpcUrl, wsUrl: config.solanaWsUrl ?? webSocketUrl(rpcUrl), faucet: cluster === 'local' };
}

/** Returns the same cluster as browsers reach it: by SOLANA_BROWSER_RPC_URL if set. */
export function browserChain(config: ChainSettings, chain: ChainEndpoint | null): ChainConfig | null {
  if (chain === null || config.solanaBrowserRpcUrl === null) return chain;
  return { ...chain, rpcUrl: config.solanaBrowserRpcUrl, wsUrl: webSocketUrl(config.solanaBrowserRpcUrl) };
}
