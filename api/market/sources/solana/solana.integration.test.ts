import { describe, expect, test } from 'vitest';
import { eventually } from '../testing/source-context.ts';
import { chain, frame, transactionOf } from './testing/chain.ts';
import { encodeEvent, frameOf, logsOf } from './testing/encode.ts';
import { createEvent, fixture, recordedFrames, someMint, tradeEvent } from './testing/events.ts';
import { now, solanaOnFakeNode } from './testing/started-source.ts';

const create = encodeEvent(createEvent());
const buy = encodeEvent(tradeEvent());

const solana = solanaOnFakeNode();
const { live, start, state, subscribedTimes, subscriptions } = solana;

describe('live', () => {
  test('subscribes to pump.fun and observes its events', async () => {
    const context = await start();
    await live();
    expect(JSON.parse(subscriptions()[0] ?? '')).toEqual(JSON.parse(fixture('logsSubscribe_request.json')));
    expect(solana.source?.status().lastEventAt).toBeNull();
    solana.node.send(fixture('logsNotification_failed_noise.json'));
    solana.node.send(fixture('logsNotification_create.json'));
    await eventually(() => context.observations.length).toBe(2);
    expect(context.observations).toMatchObject([
      { kind: 'created', source: 'solana', cluster: 'local', address: someMint, receivedAt: now },
      { kind: 'trade', source: 'solana', cluster: 'local' },
    ]);
    expect(solana.source?.status()).toEqual({ state: 'live', lastEventAt: now });
  });

  test('ignores garbage between frames', async () => {
    const context = await start();
    await live();
    for (const raw of ['', 'not JSON', '{}', '[1]', '{"method":"slotNotification"}']) solana.node.send(raw);
    solana.node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
    expect(state()).toBe('live');
  });

  test('reads the facts of new coins', async () => {
    const { result } = JSON.parse(fixture('getAccountInfo_mint_token2022.json'));
    solana.node.on('getAccountInfo', () => ({ result }));
    solana.node.on('getTokenLargestAccounts', () => ({ result: { context: { slot: 1 }, value: [] } }));
    const context = await start();
    await live();
    solana.node.send(fixture('logsNotification_create.json'));
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
    await solana.source?.stop();
    solana.node.send(frame('a', 1));
    expect(solana.source?.status().state).toBe('stopped');
    await subscribedTimes(1);
    expect(context.observations).toEqual([]);
    expect(subscriptions()).toHaveLength(1);
  });
});

describe('truncated logs', () => {
  const logs = logsOf([create, buy, buy]);
  const cut = frameOf({ signature: 'cut', slot: 1, logs: [...logs.slice(0, 2), 'Log truncated'] });

  test('fetches the rest and observes nothing twice', async () => {
    chain(solana.node, [{ signature: 'cut', slot: 1, logs }]);
    const context = await start();
    await live();
    solana.node.send(cut);
    await eventually(() => context.ids()).toEqual(['cut:0', 'cut:1', 'cut:2']);
    expect(solana.node.callsOf('getTransaction')[0]?.params).toMatchObject([
      'cut',
      { maxSupportedTransactionVersion: 1 },
    ]);
  });

  test('retries when the node has the transaction later', async () => {
    solana.node.on('getTransaction', (_params, nth) => ({
      result: nth === 0 ? null : transactionOf({ signature: 'cut', slot: 1, logs }),
    }));
    const context = await start();
    await live();
    solana.node.send(cut);
    await eventually(() => context.ids()).toEqual(['cut:0', 'cut:1', 'cut:2']);
  });

  test('keeps the beginning and goes on live when the node fails', async () => {
    solana.node.on('getTransaction', () => ({ status: 500 }));
    const context = await start();
    await live();
    solana.node.send(cut);
    solana.node.send(frame('next', 2));
    await eventually(() => context.ids()).toEqual(['cut:0', 'next:0']);
    await eventually(() => context.logged.join()).toContain('not fetched');
  });
});

describe('the connection', () => {
  test('is down while subscriptions are refused, and recovers', async () => {
    solana.node.subscribe = 'refuse';
    const context = await start();
    await eventually(state).toBe('down');
    expect(solana.source?.figures?.()).toMatchObject({
      reason: 'The node does not accept the subscription.',
      lastErrorAt: now,
    });
    solana.node.subscribe = 'acknowledge';
    await live();
    solana.node.send(frame('a', 1));
    await eventually(() => context.ids()).toEqual(['a:0']);
  });

  test('is down while the node is unreachable, without logging the address', async () => {
    await solana.node.close();
    const context = await start();
    await eventually(state).toBe('down');
    expect(context.logged.join()).not.toContain('very-secret');
    await solana.replaceNode();
  });

  test('reconnects when a subscription is not acknowledged in time', async () => {
    solana.node.subscribe = 'ignore';
    await start({ socketTimes: { openMs: 50, retryBaseMs: 5 } });
    await subscribedTimes(2);
    expect(['connecting', 'down']).toContain(state());
  });

  test('reconnects after silence', async () => {
    await start({ socketTimes: { silenceMs: 80, retryBaseMs: 5 } });
    await subscribedTimes(3);
  });

  test('reconnects when pings get no pong', async () => {
    solana.node.pongs = false;
    await start({ socketTimes: { pingMs: 30, retryBaseMs: 5 } });
    await subscribedTimes(2);
    solana.node.pongs = true;
    await live();
  });
});

test('observes every event of the recording sent over the socket', async () => {
  const context = await start();
  await live();
  for (const { raw } of recordedFrames()) solana.node.send(raw);
  await eventually(() => context.ids().length).toBe(57);
  expect(new Set(context.ids()).size).toBe(57);
});
