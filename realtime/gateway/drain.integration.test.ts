import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Encoding } from '../../common/live/protocol.ts';
import { createMemoryLog } from '../feed-log/memory.ts';
import { largeUpdate, updateOf } from '../testing/events.ts';
import { disconnectReason, numbers, startGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';

const started: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { stop } of started.splice(0)) await stop();
});

async function gateway(...options: Parameters<typeof startGateway>): Promise<TestGateway> {
  const server = await startGateway(...options);
  started.unshift(server);
  return server;
}

const memoryLog = () => createMemoryLog({ clock: { now: Date.now } });

/** Starts a proxy that passes new connections to the gateway of the moment. */
async function startBalancer(first: TestGateway) {
  let target = first.port;
  const proxy = net.createServer((near) => {
    const far = net.connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  started.push({ stop: () => new Promise((resolve) => proxy.close(resolve)) });
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    passTo(next: TestGateway): void {
      target = next.port;
    },
  };
}

/** Connects a client that comes back by itself with the position of its last event, as the page does. */
function returningClient(server: TestGateway, address: string, encoding: Encoding): Promise<TestClient> {
  let epoch: string | null = null;
  const seqs = () => client?.seqs() ?? [];
  const auth = () => ({ protocol: 2, encoding, ...(epoch !== null && { epoch, seq: seqs().at(-1) ?? 0 }) });
  const options = { reconnection: true, reconnectionDelay: 5, reconnectionDelayMax: 20 };
  let client: TestClient | null = null;
  return server.connect({ address, auth, options }).then((connected) => {
    client = connected;
    epoch = server.publisher.cursor().epoch;
    return connected;
  });
}

test('a gateway that stops under load hands its clients to another one: none loses or doubles an event [F8]', async () => {
  const feedLog = memoryLog();
  const [first, second] = [await gateway({ feedLog }), await gateway({ feedLog })];
  const balancer = await startBalancer(first);
  const clients = await Promise.all(
    numbers(1, 20).map((number) => returningClient(first, balancer.url, number % 2 ? 'arrays' : 'named')),
  );
  let published = 0;
  const publishUntil = async (isOver: () => boolean) => {
    while (!isOver()) {
      published += 1;
      await first.publisher.publish([updateOf(published)]);
      await new Promise(setImmediate);
    }
  };
  await publishUntil(() => clients.every((client) => client.seqs().length > 20));
  balancer.passTo(second);
  const closed = first.gateway.close();
  await publishUntil(() => second.gateway.stats().connections === clients.length);
  await closed;
  await publishUntil(() => published % 100 === 0);
  for (const client of clients) {
    await expect.poll(() => client.seqs().at(-1)).toBe(published);
    expect(client.seqs()).toEqual(numbers(1, published));
    expect(client.of('hello')).toHaveLength(2);
    expect(client.of('resync')).toEqual([]);
  }
});

test('a client of a process that restarts comes back, and is sent to its lists [F2, F8]', async () => {
  const [first, next] = [await gateway(), await gateway()];
  const balancer = await startBalancer(first);
  const client = await returningClient(first, balancer.url, 'arrays');
  await first.publisher.publish([updateOf(1)]);
  await expect.poll(() => client.seqs()).toEqual([1]);
  balancer.passTo(next);
  await first.gateway.close();
  await expect.poll(() => client.of('resync')).toEqual([{ reason: 'epoch' }]);
  await next.publisher.publish([updateOf(1)]);
  await expect.poll(() => client.seqs()).toEqual([1, 1]);
});

/** Small events behind the large ones, below the limit of a slow client. */
const WAITING = 10;

/** Publishes until a client that does not read has something queued in the process. Resolves with the last number. */
async function fillQueue(server: TestGateway): Promise<number> {
  let published = 0;
  while (server.gateway.stats().queuedBytes === 0) {
    published += 1;
    await server.publisher.publish([largeUpdate(published, 100_000)]);
  }
  // The kernel and its socket take no more: these wait in Engine.IO's queue.
  for (const number of numbers(1, WAITING)) await server.publisher.publish([updateOf(number)]);
  return published + WAITING;
}

test('queued events are written out before the end, while no client is admitted any more [F8]', async () => {
  const server = await gateway({ limits: { drainMs: 60_000 } });
  const slow = await rawClient(server.port);
  slow.pause();
  const published = await fillQueue(server);
  const closed = server.gateway.close();
  const refused = server.client({ options: { reconnection: false } });
  await new Promise((resolve) => refused.socket.once('connect_error', resolve));
  const ended = once(slow.websocket, 'close');
  slow.resume();
  await Promise.all([ended, closed]);
  expect(slow.seqs()).toEqual(numbers(1, published));
});

test('a client that never reads does not hold up the stop [F8]', async () => {
  const server = await gateway({ limits: { drainMs: 50 } });
  const slow = await rawClient(server.port);
  const reading = await server.connect({ session: 'bob' });
  slow.pause();
  await fillQueue(server);
  const reason = disconnectReason(reading);
  await server.gateway.close();
  expect(await reason).toBe('transport close');
  slow.websocket.terminate();
});
