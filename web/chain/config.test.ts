import { expect, test } from 'vitest';
import { clusterExplorerUrl } from './config.ts';

const local = {
  cluster: 'local',
  rpcUrl: 'http://127.0.0.1:9123',
  wsUrl: 'ws://127.0.0.1:9123',
  faucet: true,
} as const;

test('links to the explorer on the cluster of the token, and to none on no chain [S2.7-03]', () => {
  expect(clusterExplorerUrl('address', 'abc', 'mainnet', null)).toBe(
    'https://explorer.solana.com/address/abc?cluster=mainnet-beta',
  );
  expect(clusterExplorerUrl('tx', 'abc', 'devnet', null)).toBe('https://explorer.solana.com/tx/abc?cluster=devnet');
  expect(clusterExplorerUrl('address', 'abc', null, local)).toBeNull();
  expect(clusterExplorerUrl('address', '../?x=<script>', 'devnet', null)).not.toMatch(/[<>]|\.\.\//);
});

test('links to the local chain on the port that it has, and to no other local chain', () => {
  expect(clusterExplorerUrl('address', 'abc', 'local', local)).toMatch(
    /\?cluster=custom&customUrl=http%3A%2F%2F127\.0\.0\.1%3A9123$/,
  );
  expect(clusterExplorerUrl('tx', 'abc', 'local', { ...local, cluster: 'custom' })).toBeNull();
  expect(clusterExplorerUrl('tx', 'abc', 'local', undefined)).toBeNull();
});
