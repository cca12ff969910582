import { expect, onTestFinished, test } from 'vitest';
import { clientConfigSchema } from '../../common/client-config/model.ts';
import { testChain } from '../testing/chain.ts';
import { startTestServer, type TestServerOptions } from '../testing/server.ts';

async function asked(options: TestServerOptions) {
  const server = await startTestServer(options);
  onTestFinished(() => server.stop());
  const stranger = await server.fetchJson('/api/config');
  const cookie = await server.register('somebody');
  const { status, body } = await server.fetchJson('/api/config', { cookie });
  const page = await fetch(server.url);
  const policy = page.headers.get('content-security-policy') ?? '';
  const connectTo = /connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ');
  return { stranger: stranger.status, status, config: clientConfigSchema.parse(body), connectTo };
}

test('the client learns of the local chain, and may connect to it [S7.4-03]', async () => {
  const chain = testChain();
  const { stranger, status, config, connectTo } = await asked({ chain: { rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl } });
  expect([stranger, status]).toEqual([401, 200]);
  expect(config.chain).toEqual({ cluster: 'local', rpcUrl: chain.rpcUrl, wsUrl: chain.wsUrl, faucet: true });
  expect(connectTo).toEqual(["'self'", new URL(chain.rpcUrl).origin, new URL(chain.wsUrl).origin]);
});

test('SOLANA_RPC_URL switches the cluster, also beside a local chain [S7.4-03]', async () => {
  const { config, connectTo } = await asked({
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

test('the key of a provider stays on the server, in the answer and in the headers', async () => {
  const { config, connectTo } = await asked({
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

test('without any chain there is none, and the client talks to this server only', async () => {
  const { config, connectTo } = await asked({});
  expect(config.chain).toBeNull();
  expect(connectTo).toEqual(["'self'"]);
});
