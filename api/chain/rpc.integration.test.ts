import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../market/sources/testing/source-context.ts';
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
  timeoutMs: 200,
  circuitFailures: 100,
};

function connect(limits: Partial<RpcLimits> = {}): Rpc {
  rpc = createRpc({
    url: node.rpcUrl,
    random: () => 0.5,
    limits: { ...quick, ...limits },
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

describe('answers of a node in trouble', () => {
  test('429: waits as long as Retry-After says, then succeeds', async () => {
    node.on('getSlot', (_params, nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { result: 7 },
    );
    connect();
    expect(await slot()).toBe(7);
    const [first, second] = node.callsOf('getSlot');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('429: while one call waits no other goes out', async () => {
    node.on('getSlot', (_params, nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '1' } } : { result: 7 },
    );
    connect({ inFlight: 1 });
    const calls = [slot(), slot(), slot()];
    await Promise.all(calls);
    const [first, ...others] = node.callsOf('getSlot');
    for (const other of others) expect(other.at - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('429 for ever: gives up after bounded tries', async () => {
    node.on('getSlot', () => ({ status: 429 }));
    connect();
    await expect(slot()).rejects.toMatchObject({ code: 'rate-limited', status: 429 });
    expect(node.callsOf('getSlot')).toHaveLength(3);
  });

  test('a Retry-After beyond the bound does not hold us longer than the bound', async () => {
    node.on('getSlot', (_params, nth) =>
      nth === 0 ? { status: 429, headers: { 'retry-after': '3600' } } : { result: 7 },
    );
    connect({ retryMaxMs: 50 });
    expect(await slot()).toBe(7);
  });

  test('5xx is tried again, 403 is not', async () => {
    node.on('getSlot', (_params, nth) => (nth === 0 ? { status: 502, body: 'bad gateway' } : { result: 7 }));
    connect();
    expect(await slot()).toBe(7);
    node.on('getSlot', () => ({ status: 403 }));
    await expect(slot()).rejects.toMatchObject({ code: 'forbidden' });
    expect(node.callsOf('getSlot')).toHaveLength(3);
  });

  test('an overloaded index (-32603 with 200) is tried again, then given up; other errors are not', async () => {
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

  test('a node that says nothing: time-out', async () => {
    node.on('getSlot', () => ({ hang: true }));
    connect({ retries: 0 });
    await expect(slot()).rejects.toMatchObject({ code: 'timeout' });
  });

  test('garbage instead of JSON fails without a crash', async () => {
    node.on('getSlot', () => ({ status: 200, body: '<html>' }));
    connect();
    await expect(slot()).rejects.toThrow();
  });
});

describe('limits', () => {
  test('at most so many calls at once', async () => {
    connect({ inFlight: 2 });
    let under = 0;
    let most = 0;
    node.on('getSlot', async () => {
      under += 1;
      most = Math.max(most, under);
      // Long enough for every call that may go out to be here too.
      await pause(20);
      under -= 1;
      return { result: 7 };
    });
    await Promise.all(Array.from({ length: 10 }, slot));
    expect(node.callsOf('getSlot')).toHaveLength(10);
    expect(most).toBe(2);
  });

  test('at most so many calls a second', async () => {
    connect({ perSecond: 20, burst: 2 });
    node.on('getSlot', () => ({ result: 7 }));
    const start = performance.now();
    await Promise.all(Array.from({ length: 8 }, slot));
    // Two at once, then six more at 50 ms each.
    expect(performance.now() - start).toBeGreaterThanOrEqual(290);
  });

  test('a full queue refuses at once', async () => {
    connect({ inFlight: 1, waiting: 1 });
    node.on('getSlot', () => ({ hang: true }));
    const first = slot();
    const second = slot();
    await expect(slot()).rejects.toMatchObject({ code: 'busy' });
    rpc.stop();
    await expect(first).rejects.toMatchObject({ code: 'stopped' });
    await expect(second).rejects.toMatchObject({ code: 'stopped' });
  });

  test('the circuit opens after repeated failures, lets one trial through, and closes when it succeeds', async () => {
    connect({ retries: 0, circuitFailures: 2, circuitPauseMs: 100 });
    node.on('getSlot', () => ({ status: 500 }));
    await expect(slot()).rejects.toMatchObject({ code: 'http' });
    await expect(slot()).rejects.toMatchObject({ code: 'http' });
    expect(rpc.circuit()).toBe('open');
    await expect(slot()).rejects.toMatchObject({ code: 'circuit-open' });
    expect(node.callsOf('getSlot')).toHaveLength(2);
    node.on('getSlot', () => ({ result: 7 }));
    await eventually(() => slot().catch(() => 0)).toBe(7);
    expect(rpc.circuit()).toBe('closed');
  });
});

test('no error and no label holds the key of the address', async () => {
  node.on('getSlot', (_params, nth) => (nth === 0 ? { status: 401 } : { hang: true }));
  connect({ retries: 0 });
  const failures = [await slot().catch((error: unknown) => error), await slot().catch((error: unknown) => error)];
  await node.close();
  failures.push(await slot().catch((error: unknown) => error));
  node = await startFakeNode();
  expect(failures.map((error) => error instanceof RpcError && error.code)).toEqual(['forbidden', 'timeout', 'network']);
  for (const error of failures) {
    const all =
      error instanceof Error ? `${error.message} ${error.stack} ${JSON.stringify(error)} ${inspect(error.cause)}` : '';
    expect(all).not.toContain('very-secret');
  }
  expect(rpc.label).toMatch(/^127\.0\.0\.1:\d+$/);
});
