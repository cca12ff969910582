import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pause } from '../platform/resilience.ts';
import { createRpc, type Rpc } from './rpc.ts';
import { RpcError } from './rpc-error.ts';
import type { RpcLimits } from './rpc-fetch.ts';
import { type FakeNode, startFakeNode } from './testing/fake-node.ts';

let node: FakeNode;
let rpc: Rpc;
const quick: Partial<RpcLimits> = {
  perSecond: 1_000,
  burst: 1_000,
  retries: 2,
  retryBaseMs: 10,
  retryMaxMs: 2_000,
  circuitFailures: 100,
};
/** Time limit where no response comes, ms. Otherwise the default: a busy machine responds late. */
const SHORT = 200;

function connect(limits: Partial<RpcLimits> = {}, monotonic = () => performance.now()): Rpc {
  rpc = createRpc({
    url: node.rpcUrl,
    random: () => 0.5,
    limits: { ...quick, ...limits },
    monotonic,
  });
  return rpc;
}
const slot = () => rpc.request((connection) => connection.getSlot());

beforeEach(async () => {
  node = await startFakeNode();
});
afterEach(async () => {
  rpc.stop();
  await node.close();
});

describe('responses of a failing node', () => {
  test('429: waits for Retry-After, then succeeds, and starts no other call meanwhile', async () => {
    node.on('getSlot', (_params, nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { result: 7 },
    );
    connect({ inFlight: 1 });
    const calls = [slot(), slot(), slot()];
    expect(await Promise.all(calls)).toEqual([7, 7, 7]);
    const [first, ...others] = node.callsOf('getSlot');
    for (const other of others) expect(other.at - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('repeated 429: gives up after a bounded number of attempts', async () => {
    node.on('getSlot', () => ({ status: 429 }));
    connect();
    await expect(slot()).rejects.toMatchObject({ code: 'rate-limited', status: 429 });
    expect(node.callsOf('getSlot')).toHaveLength(3);
  });

  test('waits for a long Retry-After only up to the bound', async () => {
    node.on('getSlot', (_params, nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '3600' } } : { result: 7 },
    );
    connect({ retryMaxMs: 50 });
    expect(await slot()).toBe(7);
  });

  test('retries 5xx but not 403', async () => {
    node.on('getSlot', (_params, nth) => (nth === 0 ? { status: 502, body: 'bad gateway' } : { result: 7 }));
    connect();
    expect(await slot()).toBe(7);
    node.on('getSlot', () => ({ status: 403 }));
    await expect(slot()).rejects.toMatchObject({ code: 'forbidden' });
    expect(node.callsOf('getSlot')).toHaveLength(3);
  });

  test('retries an overloaded index (-32603 with 200), but no other JSON-RPC error', async () => {
    const overloaded = { error: { code: -32_603, message: 'account index service overloaded, please try again.' } };
    node.on('getSlot', (_params, nth) => (nth < 2 ? overloaded : { result: 7 }));
    connect();
    expect(await slot()).toBe(7);
    node.on('getSlot', () => overloaded);
    await expect(slot()).rejects.toMatchObject({ code: 'overloaded' });
    node.on('getSlot', () => ({ error: { code: -32_602, message: 'Invalid params' } }));
    const before = node.calls.length;
    await expect(slot()).rejects.toThrow('Invalid params');
    expect(node.calls.length).toBe(before + 1);
  });

  test('times out when the node does not respond', async () => {
    node.on('getSlot', () => ({ hang: true }));
    connect({ retries: 0, timeoutMs: SHORT });
    await expect(slot()).rejects.toMatchObject({ code: 'timeout' });
  });

  test('rejects garbage instead of JSON', async () => {
    node.on('getSlot', () => ({ status: 200, body: '<html>' }));
    connect();
    await expect(slot()).rejects.toThrow();
  });
});

describe('limits', () => {
  test('bounds concurrent calls', async () => {
    connect({ inFlight: 2 });
    let under = 0;
    let most = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => (meet = resolve));
    node.on('getSlot', async (_params, nth) => {
      under += 1;
      most = Math.max(most, under);
      // The second call arrives while the first one is under way, …
      if (nth === 1) meet();
      await met;
      // … and every other one that was admitted has time to arrive.
      await pause(20);
      under -= 1;
      return { result: 7 };
    });
    await Promise.all(Array.from({ length: 10 }, slot));
    expect(node.callsOf('getSlot')).toHaveLength(10);
    expect(most).toBe(2);
  });

  test('bounds calls a second', async () => {
    connect({ perSecond: 20, burst: 2 });
    node.on('getSlot', () => ({ result: 7 }));
    const start = performance.now();
    await Promise.all(Array.from({ length: 8 }, slot));
    // Two at once, then six more 50 ms apart.
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
  });

  test('rejects calls when the queue is full', async () => {
    connect({ inFlight: 1, waiting: 1 });
    node.on('getSlot', () => ({ hang: true }));
    const first = slot();
    const second = slot();
    await expect(slot()).rejects.toMatchObject({ code: 'busy' });
    rpc.stop();
    await expect(first).rejects.toMatchObject({ code: 'stopped' });
    await expect(second).rejects.toMatchObject({ code: 'stopped' });
  });

  test('opens the circuit after repeated failures, admits one trial and closes on its success', async () => {
    let now = 0;
    connect({ retries: 0, circuitFailures: 2, circuitPauseMs: 100 }, () => now);
    node.on('getSlot', () => ({ status: 500 }));
    await expect(slot()).rejects.toMatchObject({ code: 'http' });
    await expect(slot()).rejects.toMatchObject({ code: 'http' });
    expect(rpc.circuit()).toBe('open');
    await expect(slot()).rejects.toMatchObject({ code: 'circuit-open' });
    expect(node.callsOf('getSlot')).toHaveLength(2);
    node.on('getSlot', () => ({ result: 7 }));
    now += 100;
    expect(await slot()).toBe(7);
    expect(rpc.circuit()).toBe('closed');
  });
});

test('no error and no label contains the key of the address', async () => {
  const failure = async (limits: Partial<RpcLimits> = {}) => {
    connect({ retries: 0, ...limits });
    const error: unknown = await slot().catch((reason: unknown) => reason);
    rpc.stop();
    return error;
  };
  node.on('getSlot', (_params, nth) => (nth === 0 ? { status: 401 } : { hang: true }));
  const failures = [await failure(), await failure({ timeoutMs: SHORT })];
  await node.close();
  failures.push(await failure());
  node = await startFakeNode();
  expect(failures.map((error) => error instanceof RpcError && error.code)).toEqual(['forbidden', 'timeout', 'network']);
  for (const error of failures) {
    const all =
      error instanceof Error ? `${error.message} ${error.stack} ${JSON.stringify(error)} ${inspect(error.cause)}` : '';
    expect(all).not.toContain('very-secret');
  }
  expect(rpc.label).toMatch(/^127\.0\.0\.1:\d+$/);
});
