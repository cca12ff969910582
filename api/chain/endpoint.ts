import type { ChainCluster, ChainConfig } from '../../common/client-config/model.ts';
import type { Config } from '../config/config.ts';

export type SolanaCluster = 'mainnet' | 'devnet' | 'local';

/** Solana's public mainnet node, free and limited; SOLANA_RPC_URL replaces it. */
export const PUBLIC_MAINNET_RPC = 'https://api.mainnet-beta.solana.com';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0']);

/** Returns the cluster of an RPC address, from its host name or path: providers name theirs after the cluster. */
export function clusterOf(rpcUrl: string): SolanaCluster {
  const { hostname } = new URL(rpcUrl);
  if (loopback.has(hostname)) return 'local';
  return /\bdevnet\b/.test(`${hostname}${new URL(rpcUrl).pathname}`) ? 'devnet' : 'mainnet';
}

/**
 * Returns the cluster of wallets at an RPC address. An address that names no cluster is `custom`, unlike for a market source,
 * where it is mainnet: the money may or may not be real.
 */
export function walletClusterOf(rpcUrl: string): ChainCluster {
  const { hostname, pathname } = new URL(rpcUrl);
  if (loopback.has(hostname)) return 'local';
  const named = /\b(devnet|testnet|mainnet)\b/.exec(`${hostname}${pathname}`)?.[1];
  return named === 'devnet' || named === 'testnet' || named === 'mainnet' ? named : 'custom';
}

/** Returns the PubSub address of an RPC address: `ws`, and the next port when one is given, as validators use 8899 and 8900. */
export function webSocketUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  if (url.port !== '') url.port = String(Number(url.port) + 1);
  return url.toString();
}

/** Returns the host, the part of an address that may be logged: providers put their key into user, path or query. */
export function endpointLabel(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'invalid URL';
}

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
interface LocalChainUrls {
  rpcUrl: string;
  wsUrl: string;
}

/** The local chain that started with the server. */
export interface StartedChain extends LocalChainUrls {
  /** Secret key that lists simulated coins, base58; without one none can be listed. Never to be logged or sent. */
  launchpadKey?: string | undefined;
  /** Base address of the swap API over the pools of this chain, without a slash at the end; without one no order trades in pools. */
  swapUrl?: string | undefined;
}

type ChainSettings = Pick<Config, 'solanaRpcUrl' | 'solanaWsUrl' | 'solanaBrowserRpcUrl'>;

/** Returns the cluster of the environment, otherwise the chain that started with the server; null without either. */
export function chainEndpoint(config: ChainSettings, local: StartedChain | undefined): ChainEndpoint | null {
  if (config.solanaRpcUrl === null) {
    // Only the addresses: a started chain has a secret key, and browsers receive the endpoint.
    return local ? { rpcUrl: local.rpcUrl, wsUrl: local.wsUrl, cluster: 'local', faucet: true } : null;
  }
  const rpcUrl = config.solanaRpcUrl;
  const cluster = walletClusterOf(rpcUrl);
  return { cluster, rpcUrl, wsUrl: config.solanaWsUrl ?? webSocketUrl(rpcUrl), faucet: cluster === 'local' };
}

/** Sources that read the programs of a Solana node. */
const nodeSources: ReadonlySet<string> = new Set(['solana', 'launchlab', 'meteora-dbc']);

/** Returns the node that gives the facts of the market's network: that of its sources, else of wallets; null without either. */
export function networkUrl(
  { market, solanaRpcUrl }: Pick<Config, 'market' | 'solanaRpcUrl'>,
  chain: Pick<ChainEndpoint, 'rpcUrl'> | null,
): string | null {
  if (market.some(({ kind }) => nodeSources.has(kind))) return solanaRpcUrl ?? PUBLIC_MAINNET_RPC;
  return chain?.rpcUrl ?? null;
}

/** Returns the same cluster as browsers reach it: by SOLANA_BROWSER_RPC_URL if set. */
export function browserChain(config: ChainSettings, chain: ChainEndpoint | null): ChainConfig | null {
  if (chain === null || config.solanaBrowserRpcUrl === null) return chain;
  return { ...chain, rpcUrl: config.solanaBrowserRpcUrl, wsUrl: webSocketUrl(config.solanaBrowserRpcUrl) };
}
