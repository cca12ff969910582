import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE } from '../../../common/time.ts';
import { RpcError } from '../../chain/rpc-error.ts';
import { tradeAsk } from '../testing/order-record.ts';
import { createScriptedChain } from '../testing/scripted-chain.ts';
import { checkGenesis, createLiveGate, genesisHashes } from './live-gate.ts';
import type { SelfTest, SelfTestResult } from './self-test.ts';

/** Hash of the first block of the node; null while it is away. */
let hash: string | null;

beforeEach(() => {
  hash = genesisHashes.mainnet;
});
afterEach(() => {
  vi.useRealTimers();
});

/** Number of tests of programs so far, in all gates. */
let tested = 0;

function gateOf(cluster: 'mainnet' | 'devnet' | 'custom', results: Record<string, SelfTestResult> = {}) {
  const checkNode = async () => {
    if (hash === null) throw new RpcError('http', 503);
    return checkGenesis(cluster, hash);
  };
  const selfTest: SelfTest = {
    run: async (address) => {
      tested += 1;
      return results[address] ?? 'passed';
    },
  };
  const coins = (limit: number) => Object.keys(results).slice(0, limit);
  return createLiveGate({ checkNode, selfTest, coins, random: Math.random, log: pino({ level: 'silent' }) });
}

const ask = tradeAsk({ lamports: 1_000n });

test.each([
  ['mainnet', genesisHashes.mainnet, null],
  ['devnet', genesisHashes.devnet, null],
  ['custom', genesisHashes.mainnet, null],
  ['custom', genesisHashes.devnet, null],
  ['mainnet', genesisHashes.devnet, 'a node of mainnet'],
  ['devnet', genesisHashes.mainnet, 'a node of devnet'],
  ['custom', '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY', 'a node of mainnet or devnet'],
] as const)('a node named %s with the genesis hash %s: refused for %s', async (cluster, found, refused) => {
  hash = found;
  const gate = gateOf(cluster);
  const { executor } = createScriptedChain(Date.now, 'live');
  if (refused === null) {
    await gate.start();
    expect(await gate.guarded(executor).quote(ask)).toMatchObject({ ok: true });
    return;
  }
  await expect(gate.start()).rejects.toThrow(
    `TRADING: live needs ${refused}, but the genesis hash of SOLANA_RPC_URL is ${found}`,
  );
  expect(await gate.guarded(executor).quote(ask)).toMatchObject({ ok: false, reason: { code: 'wrong-node' } });
});

test('signs nothing before the node was checked, and checks again while it is away [T-17]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 100 });
  hash = null;
  const gate = gateOf('mainnet');
  const chain = createScriptedChain(Date.now, 'live');
  const guarded = gate.guarded(chain.executor);
  await gate.start();
  const quote = await chain.executor.quote(ask);
  if (!quote.ok) return expect.fail(quote.reason.code);
  for (const side of ['buy', 'sell'] as const) {
    expect(await guarded.sign({ ...ask, side }, quote.value, 'x:1', async () => true)).toMatchObject({
      reason: { code: 'node-away' },
    });
  }
  expect(chain.signed).toEqual([]);
  await expect(guarded.look([])).rejects.toThrow();
  await expect(guarded.balances([])).rejects.toThrow();
  hash = genesisHashes.mainnet;
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(async () => expect(await guarded.quote(ask)).toMatchObject({ ok: true }));
  gate.stop();
});

test('a lock refuses purchases and leaves sales possible [T-17]', async () => {
  const gate = gateOf('mainnet', { one: 'changed', other: 'changed' });
  await gate.start();
  const { executor } = createScriptedChain(Date.now, 'live');
  const guarded = gate.guarded(executor);
  const quote = await executor.quote(ask);
  if (!quote.ok) return expect.fail(quote.reason.code);
  expect(await gate.doubt('one')).toBe(true);
  expect(gate.isLocked()).toBe(true);
  const locked = { ok: false, reason: { code: 'interface-changed' } };
  expect(await guarded.quote(ask)).toMatchObject(locked);
  expect(await guarded.sign(ask, quote.value, 'x:1', async () => true)).toMatchObject(locked);
  const sale = { ...ask, side: 'sell' as const, lamports: null, tokens: 1n };
  expect(await guarded.sign(sale, quote.value, 'x:1', async () => true)).toMatchObject({ ok: true });
});

test('one odd coin locks nothing while the program takes the purchase of another one', async () => {
  const gate = gateOf('mainnet', { odd: 'changed', usual: 'passed' });
  await gate.start();
  expect(await gate.doubt('odd')).toBe(false);
  expect(await gate.doubt('odd')).toBe(false);
  expect(gate.isLocked()).toBe(false);
  const { executor } = createScriptedChain(Date.now, 'live');
  expect(await gate.guarded(executor).quote(ask)).toMatchObject({ ok: true });
  gate.stop();
});

test('an unknown response at one coin refuses purchases until another coin passes a test [T-17]', async () => {
  const results: Record<string, SelfTestResult> = { usual: 'passed' };
  const gate = gateOf('mainnet', results);
  await gate.start();
  const guarded = gate.guarded(createScriptedChain(Date.now, 'live').executor);
  const buys = (address: string) => guarded.quote({ ...ask, address });
  expect(await buys('usual')).toMatchObject({ ok: true });
  results.usual = 'inconclusive';
  results.odd = 'changed';
  expect(await gate.doubt('odd')).toBe(false);
  for (const address of ['odd', 'usual']) {
    expect(await buys(address)).toMatchObject({ ok: false, reason: { code: 'not-tested' } });
  }
  expect(gate.isLocked()).toBe(false);
  results.usual = 'passed';
  expect(await buys('usual')).toMatchObject({ ok: true });
  gate.stop();
});

describe('a locked program', () => {
  /** A gate that two coins have locked, with the results of further tests. */
  async function locked() {
    const results: Record<string, SelfTestResult> = { one: 'changed', other: 'changed' };
    const gate = gateOf('mainnet', results);
    await gate.start();
    expect(await gate.doubt('one')).toBe(true);
    const { executor } = createScriptedChain(Date.now, 'live');
    const buys = async () => (await gate.guarded(executor).quote(ask)).ok;
    return { gate, results, buys };
  }

  test('is unlocked by a test on request that passes, and by no other one [T-17]', async () => {
    const { gate, results, buys } = await locked();
    for (const result of ['changed', 'inconclusive'] as const) {
      for (const coin of Object.keys(results)) results[coin] = result;
      await gate.testAgain();
      expect([gate.isLocked(), await buys()], result).toEqual([true, false]);
    }
    results.other = 'passed';
    await gate.testAgain();
    expect([gate.isLocked(), await buys()]).toEqual([false, true]);
    // It locks again as it did the first time.
    results.other = 'changed';
    expect(await gate.doubt('one')).toBe(true);
    expect(await buys()).toBe(false);
    gate.stop();
  });

  test('is tested again by itself, in growing intervals, until it passes [T-17]', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { gate, results, buys } = await locked();
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(await buys()).toBe(false);
    results.one = 'passed';
    // The longest interval.
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect([gate.isLocked(), await buys()]).toEqual([false, true]);
    const before = tested;
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(tested).toBe(before);
    gate.stop();
  });
});

test('a node that turns out later to be a wrong one is shown as locked, with a reason of its own', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 100 });
  hash = null;
  const gate = gateOf('mainnet');
  const { executor } = createScriptedChain(Date.now, 'live');
  const guarded = gate.guarded(executor);
  await gate.start();
  expect([gate.isLocked(), guarded.cluster]).toEqual([false, null]);
  hash = genesisHashes.devnet;
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(gate.isLocked()).toBe(true));
  expect(await guarded.quote(ask)).toMatchObject({ ok: false, reason: { code: 'wrong-node' } });
  expect(guarded.cluster).toBeNull();
  gate.stop();
});

test('a node without a name belongs to the cluster of its first block', async () => {
  hash = genesisHashes.devnet;
  const gate = gateOf('custom');
  await gate.start();
  expect(gate.guarded(createScriptedChain(Date.now, 'live').executor).cluster).toBe('devnet');
  gate.stop();
});
