import { type Keypair, PublicKey } from '@solana/web3.js';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type FakeNode, type NodeResponse, startFakeNode } from '../../api/chain/testing/fake-node.ts';
import { createExecutors, type Executors, type ExecutorsDeps } from '../../api/trading/executors/create-executors.ts';
import type { TradeAsk } from '../../api/trading/executors/executor.ts';
import { genesisHashes } from '../../api/trading/live/live-gate.ts';
import { privateChain } from '../testing/private-services.ts';
import { FEE_RECIPIENT } from './program/launchpad.ts';
import { listCoin } from './program/testing/listed-coin.ts';
import { clientOf, pay, post, request, SOL, WAIT } from './testing/client.ts';
import { createTrades } from './testing/executor-trades.ts';

const FORWARDED = [
  'getMultipleAccounts',
  'getLatestBlockhash',
  'getMinimumBalanceForRentExemption',
  'getRecentPrioritizationFees',
  'simulateTransaction',
  'sendTransaction',
  'getEpochInfo',
  'getSignatureStatuses',
  'getTransaction',
];
const responseSchema = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.looseObject({ code: z.number(), message: z.string() }) }),
]);

const chain = await privateChain();
let address: string;
let otherAddress: string;
let wallet: string;
/** Wallets by user. */
const keys = new Map<string, Keypair>();
/** The local chain with the genesis hash of mainnet; a test can replace its responses. */
let fake: FakeNode;
let executors: Executors | undefined;

beforeAll(async () => {
  address = (await listCoin(chain)).toBase58();
  const { funded, signed, confirmed } = clientOf(chain);
  const payer = await funded();
  await confirmed(await signed([pay(payer, new PublicKey(FEE_RECIPIENT), SOL)], [payer]));
  otherAddress = (await listCoin(chain)).toBase58();
  keys.set('user', payer).set('crowd', await funded());
  wallet = payer.publicKey.toBase58();
});

beforeEach(async () => {
  fake = await startFakeNode();
  fake.on('getGenesisHash', () => ({ result: genesisHashes.mainnet }));
  for (const method of FORWARDED) fake.on(method, (params) => forwarded(method, params));
});
afterEach(async () => {
  executors?.stop();
  executors = undefined;
  await fake.close();
});

async function forwarded(method: string, params: unknown[]): Promise<NodeResponse> {
  const response = await post(chain.rpcUrl, request(method, params), { 'content-type': 'application/json' });
  return responseSchema.parse(await response.json());
}

/** Starts real trading with a market that knows some coins on their curve. */
async function started(known: readonly string[] = [], more: Pick<ExecutorsDeps, 'swapUrl'> = {}) {
  const opened = createExecutors({
    config: { trading: 'live', market: [], solanaRpcUrl: 'https://mainnet.example', solanaSendUrls: [] },
    chain: { cluster: 'mainnet', rpcUrl: fake.rpcUrl, wsUrl: fake.wsUrl, faucet: false },
    wallets: {
      async secretKey(userId) {
        const { publicKey, secretKey } = keys.get(userId) ?? expect.fail('no wallet');
        return { walletAddress: publicKey.toBase58(), secretKey: Buffer.from(secretKey) };
      },
    },
    market: {
      pollCandidates: () => [...known],
      hasMerged: () => true,
      stepAt: () => null,
      liveCoin: () => ({ launchpad: 'pump.fun', stage: 'curve', quote: 'SOL' }),
    },
    trading: () => expect.fail('nothing is on paper here'),
    network: { rentPerByte: () => null },
    clock: Date,
    random: Math.random,
    log: pino({ level: 'silent' }),
    ...more,
  });
  executors = opened;
  await opened.start();
  const live = opened.executorOf('live') ?? expect.fail('no live trading');
  return { executors: opened, live, ...createTrades(live) };
}

const ask = (side: 'buy' | 'sell'): TradeAsk => ({
  userId: 'user',
  wallet,
  address,
  side,
  lamports: side === 'buy' ? 10_000_000n : null,
  tokens: side === 'sell' ? 1n : null,
  slippageBps: 500,
  priorityMaxLamports: 0,
  tipLamports: 0,
});
const simulation = (err: unknown) => ({
  result: { context: { slot: 1 }, value: { err, logs: [], unitsConsumed: 1 } },
});
const custom = (code: number) => ({ InstructionError: [2, { Custom: code }] });

describe('real trading', () => {
  test('buys after a purchase was simulated without a signature', async () => {
    const { executors: opened, live } = await started([address]);
    await vi.waitFor(() => expect(fake.callsOf('simulateTransaction')).toHaveLength(1), WAIT);
    const [call] = fake.callsOf('simulateTransaction');
    expect(call?.params[1]).toMatchObject({ sigVerify: false });
    await vi.waitFor(async () => expect(await live.quote(ask('buy'))).toMatchObject({ ok: true }), WAIT);
    expect(fake.callsOf('simulateTransaction')).toHaveLength(1);
    expect(opened.isLocked()).toBe(false);
  });

  test('tests with the first coin that somebody wants to buy while none is known', async () => {
    const { live } = await started();
    expect(fake.callsOf('simulateTransaction')).toEqual([]);
    expect(await live.quote(ask('buy'))).toMatchObject({ ok: true });
    expect(fake.callsOf('simulateTransaction')).toHaveLength(1);
  });

  test.each([
    ['an account that it does not expect', custom(2_006)],
    ['too few accounts', { InstructionError: [2, 'NotEnoughAccountKeys'] }],
    ['a recipient that it does not know', custom(6_057)],
    ['an error of its own that we do not know', custom(6_099)],
  ])('is locked when the program refuses the simulated purchase for %s', async (_text, err) => {
    fake.on('simulateTransaction', () => simulation(err));
    const { executors: opened, live } = await started([address, otherAddress]);
    await vi.waitFor(() => expect(opened.isLocked()).toBe(true), WAIT);
    expect(await live.quote(ask('buy'))).toMatchObject({ ok: false, reason: { code: 'interface-changed' } });
    // A sale is not locked: it is refused for its own reason.
    expect(await live.quote(ask('sell'))).toMatchObject({ ok: false, reason: { code: 'no-tokens' } });
  });

  test('is locked when an account of the launchpad has another layout', async () => {
    fake.on('getMultipleAccounts', async (params) => {
      const response = await forwarded('getMultipleAccounts', params);
      const text = JSON.stringify(response).replaceAll('F7f4N2DYr', 'AAAAAAAAA');
      return responseSchema.parse(JSON.parse(text));
    });
    const { executors: opened, live } = await started();
    await live.quote(ask('buy'));
    await live.quote({ ...ask('buy'), address: otherAddress });
    expect(opened.isLocked()).toBe(true);
  });

  test('is locked when an order and the test of another coin fail with an unknown error', async () => {
    const { executors: opened, live, quoted, signed } = await started([address, otherAddress]);
    const attempt = await signed(ask('buy'), await quoted(ask('buy')));
    const refused = { code: -32_002, message: 'Transaction simulation failed', data: { err: custom(6_099) } };
    fake.on('sendTransaction', () => ({ error: refused }));
    expect(await live.send(attempt, true)).toMatchObject({ type: 'refused', reason: { code: 'chain-error' } });
    expect(opened.isLocked()).toBe(false);
    fake.on('simulateTransaction', () => simulation(custom(6_099)));
    expect(await live.send(attempt, true)).toMatchObject({ type: 'refused', reason: { code: 'interface-changed' } });
    expect(opened.isLocked()).toBe(true);
    expect(await live.quote(ask('buy'))).toMatchObject({ ok: false, reason: { code: 'interface-changed' } });
  });

  test.each([
    ['of our own program', null],
    ["of mainnet's", { InstructionError: [1, { Custom: 3_012 }] }],
  ])('a second sale of everything finds no tokens by the error %s, and locks nothing', async (_text, err) => {
    // A failed test would show a doubt as a lock.
    const { executors: opened, live, quoted, signed, verdictOf, traded } = await started([otherAddress]);
    // The curve can pay for a second sale, since others hold tokens as well.
    const crowd = keys.get('crowd')?.publicKey.toBase58() ?? '';
    await traded(ask('buy'));
    await traded({ ...ask('buy'), userId: 'crowd', wallet: crowd, lamports: 100_000_000n });
    const [tokens = 0n] = await live.balances([{ userId: '', wallet, address }]);
    const everything = { ...ask('sell'), tokens };
    const quote = await quoted(everything);
    const [first, second] = [await signed(everything, quote), await signed(everything, quote)];
    fake.on('simulateTransaction', () => simulation(custom(6_099)));
    expect(await live.send(first, true)).toEqual({ type: 'forwarded' });
    await verdictOf(first);
    if (err) fake.on('sendTransaction', () => ({ error: { code: -32_002, message: 'Failed', data: { err } } }));
    expect(await live.send(second, true)).toMatchObject({ type: 'refused', reason: { code: 'no-tokens' } });
    expect(opened.isLocked()).toBe(false);
  });

  test.each([
    ['the coin has left its curve', custom(6_005)],
    ['the simulated buyer has too little SOL', custom(1)],
  ])('waits for another test when %s', async (_text, err) => {
    fake.on('simulateTransaction', () => simulation(err));
    const { executors: opened, live } = await started();
    expect(await live.quote(ask('buy'))).toMatchObject({ ok: false, reason: { code: 'not-tested' } });
    expect(opened.isLocked()).toBe(false);
    fake.on('simulateTransaction', (params) => forwarded('simulateTransaction', params));
    expect(await live.quote(ask('buy'))).toMatchObject({ ok: true });
  });

  test('waits while the node is away', async () => {
    fake.on('simulateTransaction', () => ({ status: 503 }));
    const { executors: opened, live } = await started();
    expect(await live.quote(ask('buy'))).toMatchObject({ ok: false, reason: { code: 'not-tested' } });
    expect(opened.isLocked()).toBe(false);
  });

  test('trades in pools only with the address of Jupiter [T-45]', async () => {
    expect((await started()).live.tradesPools).toBe(false);
    executors?.stop();
    expect((await started([], { swapUrl: 'https://jupiter.example' })).live.tradesPools).toBe(true);
  });
});
