import { expect, test } from 'vitest';
import { browserChain, chainEndpoint, clusterOf, walletClusterOf } from './endpoint.ts';

const nothing = { solanaRpcUrl: null, solanaWsUrl: null, solanaBrowserRpcUrl: null };
const local = { rpcUrl: 'http://127.0.0.1:8899', wsUrl: 'ws://127.0.0.1:8899' };

test('uses the local chain by default, and SOLANA_RPC_URL instead when set [S7.4-03]', () => {
  const expected = { ...local, cluster: 'local', faucet: true };
  expect(chainEndpoint(nothing, local)).toEqual(expected);
  // Never the key that lists coins: browsers receive the endpoint.
  expect(chainEndpoint(nothing, { ...local, launchpadKey: 'secret' })).toEqual(expected);
  expect(chainEndpoint(nothing, undefined)).toBeNull();
  expect(chainEndpoint({ ...nothing, solanaRpcUrl: 'https://api.devnet.solana.com' }, local)).toEqual({
    cluster: 'devnet',
    rpcUrl: 'https://api.devnet.solana.com',
    wsUrl: 'wss://api.devnet.solana.com/',
    faucet: false,
  });
});

test.each([
  ['http://localhost:8899', 'local', 'local'],
  ['http://127.0.0.1:9000/x', 'local', 'local'],
  ['https://api.devnet.solana.com', 'devnet', 'devnet'],
  ['https://api.testnet.solana.com', 'testnet', 'mainnet'],
  ['https://api.mainnet-beta.solana.com', 'mainnet', 'mainnet'],
  ['https://solana-mainnet.provider.example/key', 'mainnet', 'mainnet'],
  ['https://provider.example/solana/devnet/key', 'devnet', 'devnet'],
  ['https://node.example', 'custom', 'mainnet'],
])('wallets at %s are on %s and tokens on %s', (url, wallets, tokens) => {
  expect(walletClusterOf(url)).toBe(wallets);
  expect(clusterOf(url)).toBe(tokens);
});

test('browsers receive their own address and never the key of the other one', () => {
  const config = {
    solanaRpcUrl: 'https://devnet.provider.example/?key=secret',
    solanaWsUrl: 'wss://devnet.provider.example/?key=secret',
    solanaBrowserRpcUrl: 'https://api.devnet.solana.com/',
  };
  const chain = chainEndpoint(config, undefined);
  expect(chain).toMatchObject({ cluster: 'devnet', rpcUrl: config.solanaRpcUrl, wsUrl: config.solanaWsUrl });
  const browser = browserChain(config, chain);
  expect(browser).toEqual({
    cluster: 'devnet',
    rpcUrl: 'https://api.devnet.solana.com/',
    wsUrl: 'wss://api.devnet.solana.com/',
    faucet: false,
  });
  expect(JSON.stringify(browser)).not.toContain('secret');
  expect(browserChain({ ...config, solanaBrowserRpcUrl: null }, chain)).toEqual(chain);
  expect(browserChain(config, null)).toBeNull();
});
