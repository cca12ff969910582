import { expect, onTestFinished, test } from 'vitest';
import { clientConfigSchema } from '../../common/client-config/model.ts';
import { startTestServer, type TestServerOptions } from '../test-server.ts';
import { testChain } from '../testing/chain.ts';

async function configOf(options: TestServerOptions) {
  const server = await startTestServer(options);
  onTestFinished(() => server.stop());
  const anonymous = await server.fetchJson('/api/config');
  const cookie = await server.register('User');
  const { status, body } = await server.fetchJson('/api/config', { cookie });
  const page = await fetch(server.url);
  const policy = page.headers.get('content-security-policy') ?? '';
  const connectTo = /connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ');
  return { anonymous: anonymous.status, status, config: clientConfigSchema.parse(body), connectTo };
}

test('returns the local chain, to which the page may connect [S7.4-03]', async () => {
  const chain = testChain();
  const { anonymous, status, config, connectTo } = await configOf({ chain });
  expect([anonymous, status]).toEqual([401, 200]);
  expect(config.chain).toEqual({ cluster: 'local', rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl, faucet: true });
  expect(connectTo).toEqual(["'self'", new URL(chain.rpcUrl).origin, new URL(chain.wsUrl).origin]);
});

test('prefers SOLANA_RPC_URL to the local chain [S7.4-03]', async () => {
  const { config, connectTo } = await configOf({
    chain: testChain(),
    env: { SOLANA_RPC_URL: 'https://api.devnet.solana.com', SOLANA_WS_URL: 'wss://pubsub.example/x' },
  });
  expect(config.chain).toEqual({
    cluster: 'devnet',
    rpcUrl: 'https://api.devnet.solana.com',
    wsUrl: 'wss://pubsub.example/x',
    faucet: false,
  });
  expect(connectTo).toEqual(["'self'", 'https://api.devnet.solana.com', 'wss://pubsub.example']);
});

test('keeps the key of a provider out of the response and its headers', async () => {
  const { config, connectTo } = await configOf({
    env: {
      SOLANA_RPC_URL: 'https://mainnet.provider.example/?key=secret',
      SOLANA_WS_URL: 'wss://mainnet.provider.example/?key=secret',
      SOLANA_BROWSER_RPC_URL: 'https://rpc.example',
    },
  });
  expect(config.chain).toEqual({
    cluster: 'mainnet',
    rpcUrl: 'https://rpc.example',
    wsUrl: 'wss://rpc.example/',
    faucet: false,
  });
  expect(connectTo).toEqual(["'self'", 'https://rpc.example', 'wss://rpc.example']);
});

test('returns no chain without one, and the page connects to this server only', async () => {
  const { config, connectTo } = await configOf({});
  expect(config.chain).toBeNull();
  expect(connectTo).toEqual(["'self'"]);
});
