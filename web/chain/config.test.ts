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

test("links to the product's own page for the local chain, and to none for another local chain", () => {
  expect(clusterExplorerUrl('address', 'a/b', 'local', local)).toBe('/app/explorer/address/a%2Fb');
  expect(clusterExplorerUrl('tx', 'abc', 'local', { ...local, cluster: 'custom' })).toBeNull();
  expect(clusterExplorerUrl('tx', 'abc', 'local', undefined)).toBeNull();
});
