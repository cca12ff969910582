// long because all of these tests share one scripted node and its source
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeNode, startFakeNode } from '../../../chain/testing/fake-node.ts';
import type { StoredToken } from '../source.ts';
import { eventually, type TestContext, testContext } from '../testing/source-context.ts';
import { pumpProgram } from './programs.ts';
import { createSolana, type SolanaOptions } from './solana.ts';
import { chain, frame, onChain, transactionOf } from './testing/chain.ts';
import { encodeEvent, frameOf, logsOf } from './testing/encode.ts';
import { createEvent, fixture, recordedFrames, someMint, tradeEvent } from './testing/events.ts';

const now = 1_783_165_101_000;
const create = encodeEvent(createEvent());
const buy = encodeEvent(tradeEvent());

let node: FakeNode;
let source: ReturnType<typeof createSolana> | undefined;

beforeEach(async () => {
  node = await startFakeNode();
  node.on('getSignaturesForAddress', () => ({ result: [] }));
  node.on('getAccountInfo', () => ({ result: { context: { slot: 1 }, value: null } }));
});
afterEach(async () => {
  await source?.stop();
  source = undefined;
  await node.close();
});

async function start(options: Partial<SolanaOptions> = {}, context: TestContext = testContext()): Promise<TestContext> {
  source = createSolana({
    rpcUrl: node.rpcUrl,
    wsUrl: node.wsUrl,
    clock: { now: () => now },
    random: () => 0,
    rpcLimits: { perSecond: 1_000, burst: 1_000, retries: 2, retryBaseMs: 5 },
    socketTimes: { retryBaseMs: 20, retryMaxMs: 40 },
    // The frames of these tests do not continue each other's reserves.
    orderLimits: { waitMs: 0 },
    ...options,
    backfillLimits: { settleMs: 0, patience: { tries: 2, pauseMs: 5 }, ...options.backfillLimits },
  });
  await source.start(context);
  return context;
}

const state = () => source?.status().state;
const live = () => eventually(state).toBe('live');
/** Subscriptions to pump.fun so far; each comes with one to PumpSwap. */
const subscriptions = () => node.subscriptions.filter((text) => text.includes(pumpProgram));
const subscribedTimes = (times: number) => eventually(() => subscriptions().length).toBeGreaterThanOrEqual(times);

describe('live', () => {
  test('subscribes to pump.fun and observes its events', async () => {
    const context = await start();
    await live();
    expect(JSON.parse(subscriptions()[0] ?? '')).toEqual(JSON.parse(fixture('logsSubscribe_request.json')));
    expect(source?.status().lastEventAt).toBeNull();
    node.send(fixture('logsNotification_failed_noise.json'));
    node.send(fixture('logsNotification_create.json'));
    await eventually(() => context.observations.length).toBe(2);
    expect(context.observations).toMatchObject([
      { kind: 'created', source: 'solana', cluster: 'local', address: someMint, receivedAt: now },
      { kind: 'trade', source: 'solana', cluster: 'local' },
    ]);
    expect(source?.status()).toEqual({ state: 'live', lastEventAt: now });
  });

  test('ignores garbage between frames', async () => {
    const context = await start();
    await live();
    for (const raw of ['', 'not JSON', '{}', '[1]', '{"method":"slotNotification"}']) node.send(raw);
    node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
    expect(state()).toBe('live');
  });

  test('reads the facts of new coins', async () => {
    const { result } = JSON.parse(fixture('getAccountInfo_mint_token2022.json'));
    node.on('getAccountInfo', () => ({ result }));
    node.on('getTokenLargestAccounts', () => ({ result: { context: { slot: 1 }, value: [] } }));
    const context = await start();
    await live();
    node.send(fixture('logsNotification_create.json'));
    await eventually(() => context.observations.filter(({ kind }) => kind === 'facts').length).toBe(2);
    expect(context.observations.at(-2)).toMatchObject({
      source: 'rpc',
      address: someMint,
      facts: { mintAuthority: 'revoked' },
    });
  });

  test('observes nothing after stop and closes its connections', async () => {
    const context = await start();
    await live();
    await source?.stop();
    node.send(frame('a', 1));
    expect(source?.status().state).toBe('stopped');
    await subscribedTimes(1);
    expect(context.observations).toEqual([]);
    expect(subscriptions()).toHaveLength(1);
  });
});

describe('truncated logs', () => {
  const logs = logsOf([create, buy, buy]);
  const cut = frameOf({ signature: 'cut', slot: 1, logs: [...logs.slice(0, 2), 'Log truncated'] });

  test('fetches the rest and observes nothing twice', async () => {
    chain(node, [{ signature: 'cut', slot: 1, logs }]);
    const context = await start();
    await live();
    node.send(cut);
    await eventually(() => context.ids()).toEqual(['cut:0', 'cut:1', 'cut:2']);
    expect(node.callsOf('getTransaction')[0]?.params).toMatchObject(['cut', { maxSupportedTransactionVersion: 0 }]);
  });

  test('retries when the node has the transaction later', async () => {
    node.on('getTransaction', (_params, nth) => ({
      result: nth === 0 ? null : transactionOf({ signature: 'cut', slot: 1, logs }),
    }));
    const context = await start();
    await live();
    node.send(cut);
    await eventually(() => context.ids()).toEqual(['cut:0', 'cut:1', 'cut:2']);
  });

  test('keeps the beginning and goes on live when the node fails', async () => {
    node.on('getTransaction', () => ({ status: 500 }));
    const context = await start();
    await live();
    node.send(cut);
    node.send(frame('next', 2));
    await eventually(() => context.ids()).toEqual(['cut:0', 'next:0']);
    await eventually(() => context.logged.join()).toContain('not fetched');
  });
});

describe('after a lost connection', () => {
  test('observes missed events before live ones, without loss or repetition', async () => {
    const context = await start();
    await live();
    node.send(frame('a', 1));
    node.send(frame('b', 2));
    await eventually(() => context.ids()).toEqual(['a:0', 'b:0']);
    chain(node, [
      onChain('a', 1),
      onChain('b', 2),
      { ...onChain('failed', 3), err: { InstructionError: [0, 'Custom'] } },
      onChain('c', 3),
      onChain('d', 4),
      onChain('e', 5),
    ]);
    // The node delays the first missed transaction and refuses once, while live frames arrive.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    node.on('getTransaction', async ([signature], nth) => {
      if (nth === 0) return { status: 429, headers: { 'retry-after': '0' } };
      await released;
      return { result: transactionOf(onChain(String(signature), 3)) };
    });
    node.drop();
    await subscribedTimes(2);
    await live();
    node.send(frame('e', 5));
    node.send(frame('f', 6));
    await eventually(() => node.callsOf('getTransaction').length).toBeGreaterThanOrEqual(3);
    expect(context.ids()).toEqual(['a:0', 'b:0']);
    release();
    await eventually(() => context.ids()).toEqual(['a:0', 'b:0', 'c:0', 'd:0', 'e:0', 'f:0']);
    // Failed and known transactions are not fetched.
    const fetched = node.callsOf('getTransaction').map(({ params }) => params[0]);
    for (const signature of ['a', 'b', 'failed']) expect(fetched).not.toContain(signature);
    node.send(frame('c', 3));
    node.send(frame('g', 7));
    await eventually(() => context.ids().at(-1)).toBe('g:0');
    expect(context.ids()).toHaveLength(7);
  });

  test('requests the transactions since the slot before the newest', async () => {
    const context = await start();
    await live();
    for (const [signature, slot] of [
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 3],
    ] as const)
      node.send(frame(signature, slot));
    await eventually(() => context.ids()).toHaveLength(4);
    node.drop();
    await eventually(() => node.callsOf('getSignaturesForAddress').length).toBe(1);
    expect(node.callsOf('getSignaturesForAddress')[0]?.params[1]).toMatchObject({ until: 'b', limit: 1_000 });
  });

  test('pages through a long gap up to the limit and logs that it was longer', async () => {
    const context = await start({ backfillLimits: { pages: 2, transactions: 5 } });
    await live();
    node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
    chain(node, [onChain('a', 1), ...Array.from({ length: 2_500 }, (_, index) => onChain(`m${index}`, index + 2))]);
    // A page ends after a thousand signatures, unlike in `chain`.
    const whole = Array.from({ length: 2_500 }, (_, index) => ({
      signature: `m${2_499 - index}`,
      slot: 2_501 - index,
      err: null,
      memo: null,
    }));
    node.on('getSignaturesForAddress', (_params, nth) => ({ result: whole.slice(nth * 1_000, (nth + 1) * 1_000) }));
    node.drop();
    await eventually(() => context.ids()).toHaveLength(6);
    expect(context.ids()).toEqual(['a:0', 'm2495:0', 'm2496:0', 'm2497:0', 'm2498:0', 'm2499:0']);
    const pages = node.callsOf('getSignaturesForAddress').map(({ params }) => params[1]);
    expect(pages).toMatchObject([{ until: 'a' }, { until: 'a', before: 'm1500' }]);
    await eventually(() => context.logged.join()).toContain('"complete":false');
  });

  test('goes on live when the node cannot list the gap', async () => {
    node.on('getSignaturesForAddress', () => ({ error: { code: -32_602, message: 'no' } }));
    const context = await start();
    await live();
    node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
    node.drop();
    await subscribedTimes(2);
    await live();
    node.send(frame('b', 2));
    await eventually(() => context.ids()).toEqual(['a:0', 'b:0']);
  });

  test('resumes from storage after a restart, without repeating stored events', async () => {
    const known: StoredToken = {
      address: someMint,
      symbol: 'SOME',
      creator: null,
      createdAt: now - 60_000,
      lastTradeAt: now - 30_000,
      stage: 'curve',
      reserves: null,
      lastSignature: 'b',
    };
    chain(node, [onChain('a', 1), onChain('b', 2), onChain('c', 3)]);
    const context = await start({}, testContext([known]));
    await eventually(() => context.ids()).toEqual(['c:0']);
    expect(node.callsOf('getSignaturesForAddress')[0]?.params[1]).toMatchObject({ until: 'b' });
  });
});

test('reads missed trades of a coin between two observed ones', async () => {
  chain(node, [onChain('old', 1), onChain('a', 2), onChain('b', 3), onChain('c', 4)]);
  const context = await start({ missedLimits: { settleMs: 0, perMinute: 1 } });
  await live();
  node.send(frame('a', 2));
  node.send(frame('c', 4));
  await eventually(() => context.ids()).toEqual(['a:0', 'c:0']);
  const missed = { address: someMint, account: null, after: { signature: 'a', slot: 2 }, before: 'c' };
  const listed = node.callsOf('getSignaturesForAddress').length;
  // A doubtful gap takes half of the budget at most, which is less than one call here.
  source?.fetchMissed?.({ ...missed, isDoubtful: true });
  source?.fetchMissed?.(missed);
  await eventually(() => context.ids()).toEqual(['a:0', 'c:0', 'b:0']);
  expect(node.callsOf('getSignaturesForAddress')).toHaveLength(listed + 1);
  expect(node.callsOf('getSignaturesForAddress').at(-1)?.params[1]).toMatchObject({ until: 'a', before: 'c' });
  // The budget of the minute is used up.
  const calls = node.callsOf('getSignaturesForAddress').length;
  source?.fetchMissed?.({ ...missed, before: 'b' });
  node.send(frame('d', 5));
  await eventually(() => context.ids()).toHaveLength(4);
  expect(node.callsOf('getSignaturesForAddress')).toHaveLength(calls);
});

describe('the connection', () => {
  test('is down while subscriptions are refused, and recovers', async () => {
    node.subscribe = 'refuse';
    const context = await start();
    await eventually(state).toBe('down');
    expect(source?.figures?.()).toMatchObject({
      reason: 'The node does not accept the subscription.',
      lastErrorAt: now,
    });
    node.subscribe = 'acknowledge';
    await live();
    node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
  });

  test('is down while the node is unreachable, without logging the address', async () => {
    await node.close();
    const context = await start();
    await eventually(state).toBe('down');
    expect(context.logged.join()).not.toContain('very-secret');
    node = await startFakeNode();
  });

  test('reconnects when a subscription is not acknowledged in time', async () => {
    node.subscribe = 'ignore';
    await start({ socketTimes: { openMs: 50, retryBaseMs: 5 } });
    await subscribedTimes(2);
    expect(['connecting', 'down']).toContain(state());
  });

  test('reconnects after silence', async () => {
    await start({ socketTimes: { silenceMs: 80, retryBaseMs: 5 } });
    await subscribedTimes(3);
  });

  test('reconnects when pings are not answered', async () => {
    node.pongs = false;
    await start({ socketTimes: { pingMs: 30, retryBaseMs: 5 } });
    await subscribedTimes(2);
    node.pongs = true;
    await live();
  });
});

test('observes every event of the recording sent over the socket', async () => {
  const context = await start();
  await live();
  for (const { raw } of recordedFrames()) node.send(raw);
  await eventually(() => context.ids().length).toBe(57);
  expect(new Set(context.ids()).size).toBe(57);
});
