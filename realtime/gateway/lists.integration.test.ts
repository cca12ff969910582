import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { listUpdatesSchema } from '../../common/live/lists.ts';
import { rooms } from '../../common/live/rooms.ts';
import type { ListChange, ListWatch } from '../list-watch.ts';
import { addressOf, largeUpdate, updateOf } from '../testing/events.ts';
import { startGateway, type TestClient, type TestGateway } from '../testing/gateway.ts';
import { rawClient } from '../testing/raw-client.ts';

const LIST = 'filter=new';
const topic = rooms.list(LIST);

let server: TestGateway;
afterEach(() => server?.stop());

/** A watch whose lists have every patch; it counts its work. */
function fakeWatch() {
  const calls: string[] = [];
  const open = new Set<string>();
  const watch: ListWatch = {
    open(list) {
      calls.push(`open ${list}`);
      open.add(list);
    },
    close(list) {
      calls.push(`close ${list}`);
      open.delete(list);
    },
    advance(entries, isLast) {
      if (entries.length > 0) calls.push(`advance ${entries.map(({ seq }) => seq).join()}${isLast ? '' : ' …'}`);
      const updates = entries.flatMap((entry) => (entry.event === 'token-updates' ? [entry.payload] : []));
      const { at = 1, solUsd = null, patches = [] } = updates[0] ?? {};
      return [...open].map((list): ListChange => ({ list, at, solUsd, patches, entered: [], left: [], total: 1 }));
    },
  };
  return { watch, calls };
}

async function start(limits: Parameters<typeof startGateway>[0] = {}) {
  const { watch, calls } = fakeWatch();
  server = await startGateway({ lists: watch, ...limits });
  return calls;
}

/** Opens a client of the list alone. */
async function follower(options?: Parameters<TestGateway['connect']>[0]): Promise<TestClient> {
  const client = await server.connect(options);
  expect(await client.send('unsubscribe', { topic: 'tokens' })).toEqual({ ok: true });
  expect(await client.send('subscribe', { topic })).toEqual({ ok: true });
  return client;
}
const frames = (client: TestClient) => client.of('list-updates').map((payload) => listUpdatesSchema.parse(payload));
const ranges = (client: TestClient) => frames(client).map(({ from, to }) => [from, to]);

test('a client of a list alone gets the range of each batch, contiguous, and nothing else [F4]', async () => {
  await start();
  await server.publisher.publish([updateOf(1)]);
  const client = await follower();
  await server.publisher.publish([updateOf(2), updateOf(3)]);
  await expect
    .poll(() => ranges(client))
    .toEqual([
      [1, 2],
      [2, 3],
    ]);
  await server.publisher.publish([updateOf(4)]);
  await expect.poll(() => ranges(client)).toHaveLength(3);
  expect(frames(client).at(-1)).toMatchObject({
    list: LIST,
    epoch: server.feedLog.head().epoch,
    from: 3,
    to: 4,
    total: 1,
  });
  expect(new Set(client.received.map(({ event }) => event))).toEqual(new Set(['hello', 'list-updates']));
});

test('only the last part of a batch is announced as such', async () => {
  const calls = await start();
  await follower();
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  await expect.poll(() => calls.slice(1)).toEqual(['advance 1 …', 'advance 2']);
});

test('batches without a change are joined, and advance the position [F4]', async () => {
  await start({ limits: { emptyListMs: 50 } });
  const client = await follower();
  for (let number = 1; number <= 5; number += 1) {
    await server.publisher.publish([{ event: 'tokens-removed', payload: { addresses: [addressOf(number)] } }]);
  }
  await expect.poll(() => ranges(client).at(-1)?.[1]).toBe(5);
  const all = ranges(client);
  expect(all[0]?.[0]).toBe(0);
  for (const [place, [from]] of all.entries()) if (place > 0) expect(from).toBe(all[place - 1]?.[1]);
});

test('a list is followed once for all its clients, and no longer than they are there', async () => {
  const calls = await start();
  const clients = await Promise.all(Array.from({ length: 20 }, () => follower()));
  await server.publisher.publish([updateOf(1)]);
  await expect.poll(() => clients.every((client) => frames(client).length === 1)).toBe(true);
  expect(calls).toEqual([`open ${LIST}`, 'advance 1']);
  await Promise.all(clients.map((client) => client.send('unsubscribe', { topic })));
  expect(calls.at(-1)).toBe(`close ${LIST}`);
  await server.publisher.publish([updateOf(2)]);
  await clients[0]?.send('echo', {});
  expect(calls).toHaveLength(3);
});

test('readers of arrays get the patches as arrays [L2]', async () => {
  await start();
  const client = await follower({ encoding: 'arrays' });
  await server.publisher.publish([updateOf(1)]);
  await expect
    .poll(() => client.of('list-updates'))
    .toMatchObject([{ from: 0, to: 1, patches: [[2, 2, 1, 0.000002]] }]);
});

test('a name that no list has is refused, and so are more lists than a connection or the process may follow [L3]', async () => {
  await start({ limits: { listsPerSocket: 2, lists: 3 } });
  const [client, other] = await Promise.all([server.connect(), server.connect()]);
  const subscribe = (to: TestClient, list: string) => to.send('subscribe', { topic: rooms.list(list) });
  for (const list of ['x=1', 'filter=newest', 'f=age:1-', '']) {
    expect(await subscribe(client, list), list).toMatchObject({ code: 'unknown-topic' });
  }
  const refused = { code: 'too-many-requests' };
  expect(await subscribe(client, 'q=a')).toEqual({ ok: true });
  expect(await subscribe(client, 'q=b')).toEqual({ ok: true });
  expect(await subscribe(client, 'q=b')).toEqual({ ok: true });
  expect(await subscribe(client, 'q=c')).toMatchObject(refused);
  expect(await subscribe(other, 'q=c')).toEqual({ ok: true });
  expect(await subscribe(other, 'q=d')).toMatchObject(refused);
  expect(await subscribe(other, 'q=a')).toEqual({ ok: true });
});

test('a user opens a few lists a second over all connections, and joins open ones without a limit [L3]', async () => {
  let time = Date.now();
  await start({ clock: { now: () => time }, limits: { listsOpenedAtOnce: 2, listsOpenedPerSecond: 1 } });
  const [one, two, other] = await Promise.all([server.connect(), server.connect(), server.connect({ session: 'bob' })]);
  const subscribe = (to: TestClient, list: string) => to.send('subscribe', { topic: rooms.list(list) });
  expect(await subscribe(one, 'q=a')).toEqual({ ok: true });
  expect(await one.send('unsubscribe', { topic: rooms.list('q=a') })).toEqual({ ok: true });
  expect(await subscribe(one, 'q=a')).toEqual({ ok: true });
  expect(await subscribe(two, 'q=b')).toMatchObject({ code: 'too-many-requests' });
  expect(await subscribe(two, 'q=a')).toEqual({ ok: true });
  expect(await subscribe(other, 'q=b')).toEqual({ ok: true });
  expect(await subscribe(two, 'q=b')).toEqual({ ok: true });
  time += 1_000;
  expect(await subscribe(two, 'q=c')).toEqual({ ok: true });
  expect(await subscribe(two, 'q=d')).toMatchObject({ code: 'too-many-requests' });
});

test('a user has a bounded number of different lists over all connections [L3]', async () => {
  await start({ limits: { listsPerUser: 2 } });
  const [one, two] = await Promise.all([server.connect(), server.connect()]);
  const subscribe = (to: TestClient, list: string) => to.send('subscribe', { topic: rooms.list(list) });
  for (const client of [one, two]) expect(await subscribe(client, 'q=a')).toEqual({ ok: true });
  expect(await subscribe(two, 'q=b')).toEqual({ ok: true });
  expect(await subscribe(one, 'q=c')).toMatchObject({ code: 'too-many-requests' });
  expect(await two.send('unsubscribe', { topic: rooms.list('q=b') })).toEqual({ ok: true });
  expect(await subscribe(one, 'q=c')).toEqual({ ok: true });
});

test('a process without lists refuses them, and its clients poll [L3]', async () => {
  await start({ lists: null });
  const client = await server.connect();
  expect(await client.send('subscribe', { topic })).toMatchObject({ code: 'too-many-requests' });
});

test('a client of a list that is behind without a sign is closed [F9]', async () => {
  let time = Date.now();
  await start({ clock: { now: () => time }, limits: { behindMs: 60_000, markMs: 5 } });
  const client = await rawClient(server.port);
  for (const [name, about] of [
    ['unsubscribe', 'tokens'],
    ['subscribe', topic],
  ]) {
    client.websocket.send(`42${JSON.stringify([name, { topic: about }])}`);
  }
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  const closed = once(client.websocket, 'close');
  const { epoch } = server.feedLog.head();
  for (let step = 0; step < 2; step += 1) {
    for (let pause = 0; pause < 10; pause += 1) await fetch(`${server.url}/nothing`);
    time += 60_000;
  }
  client.websocket.send(`42${JSON.stringify(['echo', { position: { epoch, seq: 1 } }])}`);
  const [code] = await closed;
  expect(code).toBe(4009);
});

test('a client of a list that does not read is suspended, and fetches again once its queue has drained [F6]', async () => {
  await start({ limits: { queuedBytes: 50_000, sweepMs: 5 } });
  const client = await rawClient(server.port);
  for (const [name, about] of [
    ['unsubscribe', 'tokens'],
    ['subscribe', topic],
  ]) {
    client.websocket.send(`42${JSON.stringify([name, { topic: about }])}`);
  }
  await expect.poll(() => server.gateway.hasMembers(topic)).toBe(true);
  client.websocket.pause();
  for (let number = 1; server.gateway.hasMembers(topic); number += 1) {
    await server.publisher.publish([largeUpdate(number, 30_000)]);
    await new Promise(setImmediate);
  }
  const texts: string[] = [];
  client.websocket.on('message', (data) => texts.push(String(data)));
  client.websocket.resume();
  await expect.poll(() => texts.some((text) => text.includes('"resync"'))).toBe(true);
  await expect.poll(() => server.gateway.hasMembers(topic)).toBe(true);
});

test('a new epoch makes clients of lists fetch again, and ranges continue in it [F2]', async () => {
  await start();
  const client = await follower();
  await server.publisher.publish([updateOf(1)]);
  await server.feedLog.begin(() => true);
  await server.publisher.publish([updateOf(1), updateOf(2)]);
  const { epoch } = server.feedLog.head();
  await expect
    .poll(() => frames(client).filter((frame) => frame.epoch === epoch))
    .toMatchObject([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ]);
  expect(z.object({ reason: z.string() }).parse(client.of('resync')[0]).reason).toBe('epoch');
});
