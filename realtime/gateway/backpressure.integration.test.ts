import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../../common/live/protocol.ts';
import { rooms } from '../../common/live/rooms.ts';
import { createMemoryLog } from '../feed-log/memory.ts';
import { GATEWAY_LIMITS } from '../limits.ts';
import { addressOf, largeUpdate, updateOf } from '../testing/events.ts';
import { numbers, startGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';
import type { GatewayDeps } from './gateway.ts';

const EVENT_BYTES = 100_000;

let server: TestGateway;
let others: [TestClient, TestClient];
let published = 0;
afterEach(() => server.stop());

/** Time of the gateway, which stands still unless a test moves it, so that no client is slow for long by accident. */
const clock = { at: Date.now(), now: () => clock.at };

async function start(deps: Partial<GatewayDeps> = {}) {
  server = await startGateway({ clock, ...deps });
  others = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  published = 0;
}

/** Publishes one event and waits until the reading clients have it. */
async function publish(bytes = EVENT_BYTES) {
  published += 1;
  await server.publisher.publish([largeUpdate(published, bytes)]);
  for (const client of others) await expect.poll(() => client.seqs().at(-1), { interval: 2 }).toBe(published);
}

/** Publishes until the kernel's buffers are full and the gateway has noticed. */
async function publishUntilStalled(bytes = EVENT_BYTES) {
  while (server.gateway.stats().stalled === 0) await publish(bytes);
}

/** Checks that the other clients lost, doubled and awaited nothing. */
function expectOthersUnaffected() {
  for (const client of others) {
    expect(client.seqs()).toEqual(numbers(1, published));
    expect(client.of('resync')).toEqual([]);
  }
}

test('a client that stops reading costs bounded memory, and misses nothing when it reads again [F6]', async () => {
  await start();
  const slow = await rawClient(server.port);
  await publish();
  await expect.poll(() => slow.seqs()).toEqual([1]);
  slow.pause();
  await publishUntilStalled();
  let most = 0;
  for (let count = 0; count < 100; count += 1) {
    await publish();
    most = Math.max(most, server.gateway.stats().queuedBytes);
  }
  // 10 MB were published. Queued are one flush, a queue up to the limit, and the event beyond it.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(1_000_000);
  slow.resume();
  await expect.poll(() => slow.seqs().at(-1), { timeout: 20_000 }).toBe(published);
  expect(slow.seqs()).toEqual(numbers(1, published));
  await publish();
  await expect.poll(() => slow.seqs().at(-1)).toBe(published);
  expect(server.gateway.stats()).toMatchObject({ stalled: 0, closedSlow: 0 });
  expectOthersUnaffected();
});

test('sends a resync for entries that can no longer be replayed [F6]', async () => {
  await start({ feedLog: createMemoryLog({ clock: { now: Date.now }, limits: { events: 3 } }) });
  const slow = await rawClient(server.port);
  slow.pause();
  await publishUntilStalled();
  for (let count = 0; count < 5; count += 1) await publish();
  slow.resume();
  await expect.poll(() => slow.received.at(-1), { timeout: 20_000 }).toEqual(['resync', { reason: 'too-old' }]);
  const before = slow.seqs();
  expect(before).toEqual(numbers(1, before.length));
  await publish();
  await expect.poll(() => slow.seqs()).toEqual([...before, published]);
  expectOthersUnaffected();
});

test('a client that missed messages without a number gets a resync [F6]', async () => {
  await start();
  const slow = await rawClient(server.port);
  const topic = rooms.token(addressOf(1));
  slow.websocket.send(`42${JSON.stringify(['subscribe', { topic }])}`);
  await expect.poll(() => server.gateway.hasMembers(topic)).toBe(true);
  slow.pause();
  await publishUntilStalled();
  expect(server.gateway.hasMembers(topic)).toBe(false);
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: { address: addressOf(1), trades: [] } });
  slow.resume();
  await expect.poll(() => slow.received.at(-1), { timeout: 20_000 }).toEqual(['resync', { reason: 'too-old' }]);
  expect(server.gateway.hasMembers(topic)).toBe(true);
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: { address: addressOf(1), trades: [] } });
  await expect.poll(() => slow.received.at(-1)?.[0]).toBe('token-trades');
});

test('after 30 s a slow client is closed with the reason slow [F6]', async () => {
  expect(GATEWAY_LIMITS.slowMs).toBe(30_000);
  await start();
  const slow = await rawClient(server.port);
  slow.pause();
  await publishUntilStalled();
  clock.at += 30_000;
  // The connection is cut soon after it was closed.
  await expect.poll(() => server.gateway.stats().closedSlow, { interval: 2 }).toBe(1);
  const closed = once(slow.websocket, 'close');
  slow.resume();
  const [code, reason] = await closed;
  expect([code, String(reason)]).toEqual([4008, 'slow']);
  expect(slow.seqs()).toEqual(numbers(1, slow.seqs().length));
  await expect.poll(() => server.gateway.stats().connections).toBe(2);
  await publish();
  expectOthersUnaffected();
});

test('a slow client that never reads again is cut [F6]', async () => {
  await start();
  const slow = await rawClient(server.port);
  slow.pause();
  await publishUntilStalled();
  clock.at += GATEWAY_LIMITS.slowMs;
  await expect.poll(() => server.gateway.stats().connections).toBe(2);
  expect(server.gateway.stats()).toMatchObject({ stalled: 0, queuedBytes: 0, closedSlow: 1 });
  slow.websocket.terminate();
  expectOthersUnaffected();
});

test('the end of a session cuts a socket that does not read [L1, F6]', async () => {
  await start();
  const slow = await rawClient(server.port, { session: 'root' });
  slow.pause();
  await publishUntilStalled();
  server.gateway.endSession('root');
  expect(server.gateway.stats().connections).toBe(2);
  await expect.poll(() => server.http.listening && connectionCount()).toBe(2);
  slow.websocket.terminate();
});

function connectionCount(): Promise<number> {
  return new Promise((resolve, reject) => {
    server.http.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

test('a burst of small events beyond the queue is delivered completely [F6]', async () => {
  await start();
  const burst = numbers(1, 3_000).map(updateOf);
  published = burst.length;
  const publishing = server.publisher.publish(burst);
  // Nothing has left the process yet: entries that do not fit are not queued.
  expect(server.gateway.stats().queuedBytes).toBeLessThan(others.length * (GATEWAY_LIMITS.queuedPackets + 2) * 200);
  await publishing;
  for (const client of others) await expect.poll(() => client.seqs().length, { timeout: 20_000 }).toBe(published);
  expectOthersUnaffected();
});

test('a long replay to a client that does not read is bounded and complete [F2, F6]', async () => {
  await start();
  while (published < 200) await publish();
  const { epoch } = server.publisher.cursor();
  const slow = await rawClient(server.port, { cursor: { epoch, seq: 0 }, isReading: false });
  await expect.poll(() => server.gateway.stats().stalled, { timeout: 20_000 }).toBe(1);
  // 20 MB were requested.
  expect(server.gateway.stats().queuedBytes).toBeLessThan(1_000_000);
  slow.resume();
  await expect.poll(() => slow.seqs().length, { timeout: 20_000 }).toBe(published);
  expect(slow.seqs()).toEqual(numbers(1, published));
  expectOthersUnaffected();
});

test('a polling client that stops polling is bounded, catches up later, and is closed when it stays away [F6]', async () => {
  await start();
  const slow = pollingClient(server.url);
  await slow.connect();
  await publishUntilStalled();
  for (let count = 0; count < 30; count += 1) await publish();
  expect(server.gateway.stats().queuedBytes).toBeLessThan(1_000_000);
  while (slow.seqs.at(-1) !== published) await slow.poll();
  expect(slow.seqs).toEqual(numbers(1, published));
  await publishUntilStalled();
  clock.at += GATEWAY_LIMITS.slowMs;
  await expect.poll(() => server.gateway.stats().connections).toBe(2);
  expect(server.gateway.stats().closedSlow).toBe(1);
  expectOthersUnaffected();
});

/** Returns a long-polling client that polls only on call. */
function pollingClient(url: string) {
  const seqs: number[] = [];
  let sid = '';
  const request = (init?: RequestInit) =>
    fetch(`${url}/socket.io/?EIO=4&transport=polling${sid && `&sid=${sid}`}`, {
      headers: { cookie: 'session=root' },
      ...init,
    });
  async function poll(): Promise<string> {
    const text = await (await request()).text();
    for (const [, seq] of text.matchAll(/"token-updates",\{"seq":(\d+)/g)) seqs.push(Number(seq));
    return text;
  }
  return {
    seqs,
    poll,
    async connect() {
      const open = await poll();
      sid = /"sid":"([^"]+)"/.exec(open)?.[1] ?? '';
      await request({ method: 'POST', body: `40${JSON.stringify({ protocol: PROTOCOL_VERSION })}` });
      while (!(await poll()).includes('hello'));
    },
  };
}
