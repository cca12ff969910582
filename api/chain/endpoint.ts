import type { ChainCluster } from '../../common/client-config/model.ts';

export type SolanaCluster = 'mainnet' | 'devnet' | 'local';

/** Solana's public mainnet node: free and limited; SOLANA_RPC_URL names a better one. */
export const PUBLIC_MAINNET_RPC = 'https://api.mainnet-beta.solana.com';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '0.0.0.0']);

/** Which cluster an RPC address leads to, by its host name: providers name theirs after the cluster. */
export function clusterOf(rpcUrl: string): SolanaCluster {
  const { hostname } = new URL(rpcUrl);
  if (loopback.has(hostname)) return 'local';
  // Some providers put the cluster into the path instead.
  return /\bdevnet\b/.test(`${hostname}${new URL(rpcUrl).pathname}`) ? 'devnet' : 'mainnet';
}

/**
 * Which cluster wallets live on at this address. Unlike a market source, whose unknown hosts are taken for mainnet
 * providers, an address that names no cluster stays `custom`: money is not promised to be real or to be play money.
 */
export function walletClusterOf(rpcUrl: string): ChainCluster {
  const { hostname, pathname } = new URL(rpcUrl);
  if (loopback.has(hostname)) return 'local';
  const named = /\b(devnet|testnet|mainnet)\b/.exec(`${hostname}${pathname}`)?.[1];
  return named === 'devnet' || named === 'testnet' || named === 'mainnet' ? named : 'custom';
}

/**
 * The PubSub address that belongs to an RPC address: the same with `ws`. Where a port is named it is the next one, as
 * validators have it (8899 and 8900).
 */
export function webSocketUrl(rpcUrl: string): string {
  const url = new URL(rpcUrl);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  if (url.port !== '') url.port = String(Number(url.port) + 1);
  return url.toString();
}

/** What of an address may be logged: providers put their key into user, path or query. */
export function endpointLabel(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is no URL';
}
