import type { ChainCluster, ChainConfig } from '../../common/client-config/model.ts';
import type { Config } from '../config/config.ts';
import { walletClusterOf, webSocketUrl } from './endpoint.ts';

/** The one cluster for wallets, transfers and trades, as the server reaches it. Its addresses may hold a provider's key. */
export interface ChainEndpoint {
  cluster: ChainCluster;
  /** JSON-RPC over HTTP. */
  rpcUrl: string;
  /** PubSub over WebSocket. */
  wsUrl: string;
  /** Whether the node gives test SOL for the asking (`requestAirdrop`). */
  faucet: boolean;
}

/** A chain that was started with the server. */
export interface LocalChainUrls {
  rpcUrl: string;
  wsUrl: string;
}

type ChainSettings = Pick<Config, 'solanaRpcUrl' | 'solanaWsUrl' | 'solanaBrowserRpcUrl'>;

/** The cluster that the environment names, else the chain that was started with the server; null: there is none. */
export function chainEndpoint(config: ChainSettings, local: LocalChainUrls | undefined): ChainEndpoint | null {
  if (config.solanaRpcUrl === null) return local ? { ...local, cluster: 'local', faucet: true } : null;
  const rpcUrl = config.solanaRpcUrl;
  const cluster = walletClusterOf(rpcUrl);
  return { cluster, rpcUrl, wsUrl: config.solanaWsUrl ?? webSocketUrl(rpcUrl), faucet: cluster === 'local' };
}

/** The same cluster as browsers reach it: by the address that is meant for them, where there is one. */
export function browserChain(config: ChainSettings, chain: ChainEndpoint | null): ChainConfig | null {
  if (chain === null || config.solanaBrowserRpcUrl === null) return chain;
  return { ...chain, rpcUrl: config.solanaBrowserRpcUrl, wsUrl: webSocketUrl(config.solanaBrowserRpcUrl) };
}
