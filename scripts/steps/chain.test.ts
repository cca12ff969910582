import { expect, test } from 'vitest';
import { createEngine } from '../local-chain/engine.mjs';
import { startChain } from './chain.mjs';

const config = { dataDir: '/data', solanaRpcUrl: null, localChainPort: 8899 };

/** Runs the step; answers what it gave, what it told, and how many parts there are to stop. */
async function run(settings: Parameters<typeof startChain>[0], load?: Parameters<typeof startChain>[2]) {
  const told: string[] = [];
  let parts = 0;
  const on = { tell: (detail: string) => void told.push(detail), say: () => {}, add: () => void parts++ };
  const chain = await startChain(settings, on, load);
  return { chain, told, parts };
}

test('with SOLANA_RPC_URL there is no local chain, and its key is not shown', async () => {
  const { chain, told } = await run({ ...config, solanaRpcUrl: 'https://rpc.example/?key=secret' });
  expect(chain).toBeUndefined();
  expect(told).toEqual(['the cluster of SOLANA_RPC_URL instead']);
});

test.each([
  [8899, 'at http://127.0.0.1:8899 (pid 7)'],
  [9000, 'at http://127.0.0.1:9000 (port 8899 is taken) (pid 7)'],
])('a chain on port %i says so', async (port, line) => {
  const urls = { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` };
  const running = { ...urls, port, pid: () => 7, stop: async () => {}, kill: () => {} };
  const { chain, told, parts } = await run(config, async () => ({ startLocalChain: async () => running }));
  expect({ chain, told, parts }).toEqual({ chain: urls, told: [line], parts: 1 });
});

test('where the VM has no build, everything else starts, and a line says what is missing', async () => {
  const startLocalChain = async () => {
    createEngine(() => {
      throw new Error('Cannot find native binding');
    });
    throw new Error('it started');
  };
  const { chain, told } = await run(config, async () => ({ startLocalChain }));
  expect(chain).toBeUndefined();
  expect(told).toEqual([
    expect.stringMatching(/^none\. The local chain needs litesvm, which has no build for [^\n]*$/),
  ]);
});

test('any other failure ends the start', async () => {
  const startLocalChain = () => Promise.reject(new Error('the disk is full'));
  await expect(run(config, async () => ({ startLocalChain }))).rejects.toThrow('the disk is full');
});
