import { expect, test } from 'vitest';
import { createEngine } from '../local-chain/ledger/engine.ts';
import { startChain } from './services.mjs';

const config = { dataDir: '/data', solanaRpcUrl: null, localChainPort: 8899 };

const SWAP_URL = 'http://127.0.0.1:9100';

/** Runs the step. Resolves with its result, its reports, and the number of registered parts. */
async function run(settings: Parameters<typeof startChain>[0], load?: Parameters<typeof startChain>[2]) {
  const reports: string[] = [];
  let parts = 0;
  const context = { report: (detail: string) => void reports.push(detail), print: () => {}, add: () => void parts++ };
  const emulator = { url: SWAP_URL, count: () => 0, setFault: () => {}, stop: async () => {} };
  const loadEmulator = async () => ({ startJupiterEmulator: async () => emulator });
  const chain = await startChain(settings, context, load, loadEmulator);
  return { chain, reports, parts };
}

test('starts no local chain with SOLANA_RPC_URL, and does not show its key', async () => {
  const { chain, reports } = await run({ ...config, solanaRpcUrl: 'https://rpc.example/?key=secret' });
  expect(chain).toBeUndefined();
  expect(reports).toEqual(['the cluster of SOLANA_RPC_URL instead']);
});

test.each([
  [8899, 'at http://127.0.0.1:8899 (pid 7)'],
  [9000, 'at http://127.0.0.1:9000 (port 8899 is taken) (pid 7)'],
])('reports the port of a chain on port %i, and starts the emulator of Jupiter beside it', async (port, line) => {
  const urls = { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}`, launchpadKey: 'secret' };
  const running = { ...urls, port, pid: () => 7, stop: async () => {}, kill: () => {} };
  const { chain, reports, parts } = await run(config, async () => ({ startLocalChain: async () => running }));
  expect({ chain, reports, parts }).toEqual({ chain: { ...urls, swapUrl: SWAP_URL }, reports: [line], parts: 2 });
});

test('starts everything else where the VM has no build, with one line about the missing chain', async () => {
  const startLocalChain = async () => {
    createEngine(() => {
      throw new Error('Cannot find native binding');
    });
    throw new Error('it started');
  };
  const { chain, reports } = await run(config, async () => ({ startLocalChain }));
  expect(chain).toBeUndefined();
  expect(reports).toEqual([
    expect.stringMatching(/^none\. The local chain needs litesvm, which has no build for [^\n]*$/),
  ]);
});

test('fails with any other failure of the chain', async () => {
  const startLocalChain = () => Promise.reject(new Error('the disk is full'));
  await expect(run(config, async () => ({ startLocalChain }))).rejects.toThrow('the disk is full');
});
