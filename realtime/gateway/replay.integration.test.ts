import { afterEach, expect, test, vi } from 'vitest';
import { rooms } from '../../common/live/rooms.ts';
import type { FeedEntry, FeedLog } from '../feed-log/feed-log.ts';
import { createMemoryLog } from '../feed-log/memory.ts';
import { addressOf, largeUpdate, oneOfEach, updateOf } from '../testing/events.ts';
import { numbers, startGateway, type TestGateway } from '../testing/gateway.ts';

let server: TestGateway;
afterEach(() => server.stop());

const memoryLog = (limits = {}) => createMemoryLog({ clock: { now: Date.now }, limits });

/** Returns a log whose reads wait until `letThrough`, like reads over a network. */
function slowToRead(log: FeedLog) {
  const waiting: (() => void)[] = [];
  const since: FeedLog['since'] = async (...args) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return log.since(...args);
  };
  const letThrough = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { log: { ...log, since }, letThrough };
}

async function publish(from: number, to: number) {
  for (const number of numbers(from, to)) await server.publisher.publish([updateOf(number)]);
}

test('a client that reconnects gets exactly the missed entries, in order, before newer ones [F1, F2]', async () => {
  server = await startGateway();
  const [first, other] = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  await publish(1, 5);
  await expect.poll(() => first.seqs()).toEqual(numbers(1, 5));
  first.socket.disconnect();
  await publish(6, 20);
  const { epoch } = server.publisher.cursor();
  const returning = server.connect({ cursor: { epoch, seq: 5 } });
  await publish(21, 40);
  const reconnected = await returning;
  await publish(41, 50);
  await expect.poll(() => reconnected.seqs()).toEqual(numbers(6, 50));
  await expect.poll(() => other.seqs()).toEqual(numbers(1, 50));
  expect(reconnected.of('resync')).toEqual([]);
  expect(reconnected.received[0]).toMatchObject({ event: 'hello' });
});

test('an epoch that begins while clients are connected sends them to their lists, and on from its first event [L2, F2]', async () => {
  server = await startGateway();
  const client = await server.connect();
  await publish(1, 3);
  await expect.poll(() => client.seqs()).toEqual(numbers(1, 3));
  const { epoch } = server.publisher.cursor();
  await server.feedLog.begin(() => true);
  await publish(4, 5);
  await expect.poll(() => client.seqs()).toEqual([1, 2, 3, 1, 2]);
  const begun = server.publisher.cursor().epoch;
  expect(begun).not.toBe(epoch);
  expect(client.received.slice(4, 6)).toMatchObject([
    { event: 'hello', payload: { epoch: begun, seq: 0 } },
    { event: 'resync', payload: { reason: 'epoch' } },
  ]);
});

test('a replay carries every kind of event unchanged [F2]', async () => {
  server = await startGateway();
  const live = await server.connect();
  const { epoch } = await server.publisher.publish(oneOfEach());
  const replayed = await server.connect({ cursor: { epoch, seq: 0 } });
  await expect.poll(() => replayed.seqs()).toEqual(numbers(1, oneOfEach().length));
  expect(replayed.received.slice(1)).toEqual(live.received.slice(1));
});

test('a client that missed nothing gets nothing twice [F2]', async () => {
  server = await startGateway();
  await publish(1, 3);
  const client = await server.connect({ cursor: server.publisher.cursor() });
  await publish(4, 5);
  await expect.poll(() => client.seqs()).toEqual([4, 5]);
  expect(client.of('resync')).toEqual([]);
});

test.each([
  ['in another epoch', { epoch: 'another', seq: 1 }, 'epoch'],
  ['in the future', { seq: 1_000 }, 'ahead'],
  ['that is too old', { seq: 1 }, 'too-old'],
])('a position %s gives a resync, and the client is live [F2]', async (_case, place, reason) => {
  server = await startGateway({ feedLog: memoryLog({ events: 5 }) });
  await publish(1, 10);
  const { epoch } = server.publisher.cursor();
  const client = await server.connect({ cursor: { epoch, ...place } });
  await expect.poll(() => client.of('resync')).toEqual([{ reason }]);
  await publish(11, 12);
  await expect.poll(() => client.seqs()).toEqual([11, 12]);
});

test('loses and doubles nothing while a slow log is read and the feed continues [F2]', async () => {
  const slow = slowToRead(memoryLog());
  server = await startGateway({ feedLog: slow.log });
  await publish(1, 10);
  const { epoch } = server.publisher.cursor();
  const [client, other] = await Promise.all([
    server.connect({ cursor: { epoch, seq: 3 } }),
    server.connect({ session: 'bob' }),
  ]);
  await publish(11, 20);
  await expect.poll(() => other.seqs()).toEqual(numbers(11, 20));
  expect(client.seqs()).toEqual([]);
  slow.letThrough();
  await expect.poll(() => client.seqs()).toEqual(numbers(4, 20));
  await publish(21, 25);
  await expect.poll(() => client.seqs()).toEqual(numbers(4, 25));
});

test('a log ahead of this gateway delivers nothing twice [F2]', async () => {
  const log = memoryLog();
  const held: FeedEntry[] = [];
  let emit: (entries: readonly FeedEntry[]) => void = () => {};
  let deliver = (entries: readonly FeedEntry[]) => emit(entries);
  const tail: FeedLog['tail'] = (listener) => {
    emit = (entries) => listener.entries(entries);
    return log.tail({ ...listener, entries: (entries) => deliver(entries) });
  };
  server = await startGateway({ feedLog: { ...log, tail } });
  await publish(1, 5);
  deliver = (entries) => held.push(...entries);
  await publish(6, 8);
  const { epoch } = server.publisher.cursor();
  const client = await server.connect({ cursor: { epoch, seq: 2 } });
  await expect.poll(() => client.seqs()).toEqual([3, 4, 5]);
  deliver = emit;
  emit(held);
  await expect.poll(() => client.seqs()).toEqual(numbers(3, 8));
});

test('retries a log that cannot be read for a while [F2]', async () => {
  const log = memoryLog();
  const since = vi.fn(log.since).mockRejectedValue(new Error('away'));
  server = await startGateway({ feedLog: { ...log, since } });
  await publish(1, 3);
  const client = await server.connect({ cursor: { epoch: log.head().epoch, seq: 0 } });
  await publish(4, 4);
  since.mockImplementation(log.since);
  await expect.poll(() => client.seqs()).toEqual(numbers(1, 4));
});

test('a replay larger than the queue comes in portions, complete and in order [F2]', async () => {
  server = await startGateway({ limits: { queuedBytes: 50_000 } });
  const events = numbers(1, 300).map((number) => largeUpdate(number, 5_000));
  const { epoch } = await server.publisher.publish(events);
  const client = await server.connect({ cursor: { epoch, seq: 0 } });
  const feeding = publish(301, 320);
  await expect.poll(() => client.seqs().length, { timeout: 20_000 }).toBe(320);
  await feeding;
  expect(client.seqs()).toEqual(numbers(1, 320));
});

test('a requested replay delivers the entries again, then the live feed, without a gap [F4]', async () => {
  const slow = slowToRead(memoryLog());
  server = await startGateway({ feedLog: slow.log });
  const [client, other] = await Promise.all([server.connect(), server.connect({ session: 'bob' })]);
  await publish(1, 6);
  await expect.poll(() => client.seqs()).toEqual(numbers(1, 6));
  const { epoch } = server.publisher.cursor();
  expect(await client.send('replay', { epoch, seq: 4 })).toEqual({ ok: true });
  await publish(7, 9);
  await expect.poll(() => other.seqs()).toEqual(numbers(1, 9));
  slow.letThrough();
  await expect.poll(() => client.seqs()).toEqual([...numbers(1, 6), ...numbers(5, 9)]);
  await publish(10, 10);
  await expect.poll(() => client.seqs().at(-1)).toBe(10);
  expect(other.seqs()).toEqual(numbers(1, 10));
});

test('the last of several requested replays applies [F4]', async () => {
  const slow = slowToRead(memoryLog());
  server = await startGateway({ feedLog: slow.log });
  const client = await server.connect();
  await publish(1, 6);
  const { epoch } = server.publisher.cursor();
  await client.send('replay', { epoch, seq: 1 });
  await client.send('replay', { epoch, seq: 4 });
  slow.letThrough();
  await publish(7, 7);
  await expect
    .poll(() => {
      slow.letThrough();
      return client.seqs();
    })
    .toEqual([...numbers(1, 6), 5, 6, 7]);
});

test('a replay from an unknown position gives a resync [F4]', async () => {
  server = await startGateway();
  const client = await server.connect();
  expect(await client.send('replay', { epoch: 'another', seq: 0 })).toEqual({ ok: true });
  await expect.poll(() => client.of('resync')).toEqual([{ reason: 'epoch' }]);
  await publish(1, 2);
  await expect.poll(() => client.seqs()).toEqual([1, 2]);
});

test('a replay does not affect other topics, nor rejoin a feed that was left [F4]', async () => {
  const slow = slowToRead(memoryLog());
  server = await startGateway({ feedLog: slow.log });
  const client = await server.connect();
  const topic = rooms.token(addressOf(1));
  await client.send('subscribe', { topic });
  await client.send('unsubscribe', { topic: 'tokens' });
  await publish(1, 2);
  await client.send('replay', { epoch: server.publisher.cursor().epoch, seq: 0 });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: { address: addressOf(1), trades: [] } });
  await expect.poll(() => client.of('token-trades')).toHaveLength(1);
  slow.letThrough();
  await expect.poll(() => client.seqs()).toEqual([1, 2]);
  await publish(3, 3);
  await client.send('echo', {});
  expect(client.seqs()).toEqual([1, 2]);
});

test('a client that catches up receives the events of a room that it joins meanwhile [F2]', async () => {
  const slow = slowToRead(memoryLog());
  server = await startGateway({ feedLog: slow.log });
  await publish(1, 2);
  const client = await server.connect({ cursor: { epoch: server.publisher.cursor().epoch, seq: 0 } });
  const topic = rooms.token(addressOf(1));
  await client.send('subscribe', { topic });
  server.feedLog.relay({ room: topic, event: 'token-trades', payload: { address: addressOf(1), trades: [] } });
  await expect.poll(() => client.of('token-trades')).toHaveLength(1);
  expect(client.seqs()).toEqual([]);
  slow.letThrough();
  await expect.poll(() => client.seqs()).toEqual([1, 2]);
});

test('many clients that reconnect during the feed miss nothing [F2]', async () => {
  server = await startGateway();
  await publish(1, 50);
  const { epoch } = server.publisher.cursor();
  const returning = numbers(0, 40).map((seq) => server.connect({ cursor: { epoch, seq } }));
  await publish(51, 200);
  const clients = await Promise.all(returning);
  await publish(201, 210);
  for (const [seq, client] of clients.entries()) {
    await expect.poll(() => client.seqs().at(-1)).toBe(210);
    expect(client.seqs()).toEqual(numbers(seq + 1, 210));
  }
});
