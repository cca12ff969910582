import { expect, test } from 'vitest';
import { chainEndpoint } from '../../chain/endpoint.ts';
import { readConfig, StartError } from '../../config/config.ts';
import { serverTradingOf } from './create-executors.ts';

const LOCAL = { rpcUrl: 'http://127.0.0.1:8899', wsUrl: 'ws://127.0.0.1:8899' };
const OTHER_CHAIN = 'TRADING: local needs the local chain; SOLANA_RPC_URL is the address of another one';
const NO_CHAIN = 'TRADING: live needs SOLANA_RPC_URL with a node of mainnet or devnet';

function resolved(env: Record<string, string>, started: typeof LOCAL | undefined): string {
  const config = readConfig(env);
  try {
    return serverTradingOf(config, chainEndpoint(config, started));
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

test.each([
  [{}, LOCAL, 'local'],
  [{}, undefined, 'paper'],
  [{ MARKET: 'solana' }, LOCAL, 'paper'],
  [{ MARKET: 'solana,simulator' }, LOCAL, 'local'],
  [{ SOLANA_RPC_URL: 'http://127.0.0.1:8899' }, undefined, 'paper'],
  [{ SOLANA_RPC_URL: 'https://api.mainnet-beta.solana.com' }, LOCAL, 'paper'],
  [{ TRADING: 'off' }, LOCAL, 'off'],
  [{ TRADING: 'paper' }, LOCAL, 'paper'],
  [{ TRADING: 'local' }, LOCAL, 'local'],
  [{ TRADING: 'local', SOLANA_RPC_URL: 'http://127.0.0.1:8899' }, undefined, 'local'],
  [{ TRADING: 'local' }, undefined, OTHER_CHAIN],
  [{ TRADING: 'local', SOLANA_RPC_URL: 'https://api.devnet.solana.com' }, LOCAL, OTHER_CHAIN],
  [{ TRADING: 'live', SOLANA_RPC_URL: 'https://api.devnet.solana.com' }, LOCAL, 'live'],
  [{ TRADING: 'live', SOLANA_RPC_URL: 'https://rpc.example' }, LOCAL, 'live'],
  [{ TRADING: 'live' }, LOCAL, NO_CHAIN],
  [{ TRADING: 'live', SOLANA_RPC_URL: 'http://127.0.0.1:8899' }, LOCAL, NO_CHAIN],
  [
    { TRADING: 'live', SOLANA_RPC_URL: 'https://api.testnet.solana.com' },
    LOCAL,
    'TRADING: live trades on mainnet or devnet; SOLANA_RPC_URL is a node of testnet',
  ],
])('%j with the started chain %j gives %s', (env: Record<string, string>, started, expected) => {
  expect(resolved(env, started)).toBe(expected);
});
