import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import type { FeedCursor, ResyncReason } from '../../common/live/protocol.ts';
import { openRedis } from '../redis.ts';
import { addressOf, largeUpdate, oneOfEach, updateOf } from '../testing/events.ts';
import { startRedis } from '../testing/redis.ts';
import { testLogContract } from './feed-log.contract.ts';
import type { FeedEntry, RoomMessage } from './feed-log.ts';
import { createRedisLog } from './redis.ts';

const redisUrl = inject('redisUrl');
const log = pino({ level: 'silent' });
const clock = { now: Date.now };
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens a log as a process of its own does, with connections of its own. */
function openLog(url: string, key = `feed-${randomUUID()}`, limits = {}) {
  const redis = openRedis({ url, log });
  const feed = createRedisLog({ redis, key, clock, log, limits });
  const close = async () => {
    await feed.close();
    redis.close();
  };
  return { feed, key, redis, close };
}

async function openWriter(url: string, key?: string) {
  const opened = openLog(url, key);
  closing.push(opened.close);
  await opened.feed.begin(() => true);
  return opened;
}

/** Opens a reader and records what its tail gets. */
async function openReader(url: string, key: string) {
  const opened = openLog(url, key);
  closing.push(opened.close);
  const seqs: number[] = [];
  const rooms: string[] = [];
  const interruptions: ResyncReason[] = [];
  opened.feed.tail({
    entries: (entries) => void seqs.push(...entries.map(({ seq }) => seq)),
    message: ({ room }) => void rooms.push(room),
    interrupted: (reason) => void interruptions.push(reason),
  });
  // It hears the rooms, and follows the stream.
  await vi.waitFor(() => expect(interruptions).toContain('too-old'));
  await vi.waitFor(() => expect(opened.feed.isFollowing()).toBe(true));
  interruptions.length = 0;
  return { ...opened, seqs, rooms, interruptions };
}

async function privateRedis() {
  const redis = await startRedis();
  if (redis === null) throw new Error('redis-server is missing');
  closing.push(redis.remove);
  return redis;
}

const message = (number: number): RoomMessage => ({
  room: `token:${addressOf(number)}`,
  event: 'token-trades',
  payload: { address: addressOf(number), trades: [] },
});

describe.skipIf(redisUrl === null)('with Redis', () => {
  const url = redisUrl ?? '';

  testLogContract('the log over Redis', async () => {
    const { feed, close } = openLog(url);
    await feed.begin(() => true);
    return { ...feed, close };
  });

  test('a reader in another process gets every event unchanged, once and in order [F7]', async () => {
    const writer = await openWriter(url);
    const entries: FeedEntry[] = [];
    const reader = await openReader(url, writer.key);
    reader.feed.tail({ entries: (some) => void entries.push(...some), message: vi.fn(), interrupted: vi.fn() });
    await Promise.all(Array.from({ length: 20 }, () => writer.feed.append(oneOfEach())));
    await vi.waitFor(() => expect(reader.seqs).toHaveLength(120));
    expect(reader.seqs).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    const found = await writer.feed.since({ epoch: writer.feed.head().epoch, seq: 0 });
    expect(found).toEqual({ entries });
    expect(reader.feed.head()).toEqual(writer.feed.head());
  });

  test('a reader that starts later replays the window, from its own memory [F2]', async () => {
    const writer = await openWriter(url);
    const { epoch } = await writer.feed.append([1, 2, 3].map(updateOf));
    await writer.feed.append([updateOf(4)]);
    const reader = await openReader(url, writer.key);
    const found = await reader.feed.since({ epoch, seq: 1 });
    expect(found).toMatchObject({ entries: [{ seq: 2 }, { seq: 3 }, { seq: 4 }] });
    expect(reader.seqs).toEqual([]);
  });

  test('a hole in the stream is an interruption, and nothing before it is replayed [F4]', async () => {
    const writer = await openWriter(url);
    const reader = await openReader(url, writer.key);
    const { epoch } = await writer.feed.append([updateOf(1)]);
    await vi.waitFor(() => expect(reader.seqs).toEqual([1]));
    // The same as an entry that Redis dropped while this reader was away.
    const events = JSON.stringify(['token-updates', { seq: 5, ...updateOf(5).payload }]);
    await reader.redis.commands.xAdd(writer.key, `${epoch}-5`, { first: '5', at: String(Date.now()), events });
    await vi.waitFor(() => expect(reader.seqs).toEqual([1, 5]));
    expect(reader.interruptions).toEqual(['too-old']);
    expect(await reader.feed.since({ epoch, seq: 1 })).toEqual({ resync: 'too-old' });
    expect(await reader.feed.since({ epoch, seq: 4 })).toMatchObject({ entries: [{ seq: 5 }] });
  });

  test('a former holder can write nothing after another has begun [F1]', async () => {
    const former = await openWriter(url);
    let holds = true;
    await former.feed.begin(() => holds);
    await former.feed.append([updateOf(1)]);
    const holder = await openWriter(url, former.key);
    // It still believes that it holds the lease, when it writes.
    const late = former.feed.append([updateOf(2)]);
    holds = false;
    await expect(late).rejects.toThrow('Another process writes the feed.');
    await expect(former.feed.append([updateOf(3)])).rejects.toThrow('Another process writes the feed.');
    const { epoch, seq } = await holder.feed.append([updateOf(4)]);
    expect(seq).toBe(1);
    expect(await holder.feed.since({ epoch, seq: 0 })).toMatchObject({
      entries: [{ payload: { at: 1_700_000_000_004 } }],
    });
    await vi.waitFor(() => expect(former.feed.head()).toEqual({ epoch, seq: 1 }));
  });

  test('a holder whose lease lapsed over a batch that Redis has begins an epoch, and goes on [F1]', async () => {
    const writer = await openWriter(url);
    let holds = true;
    await writer.feed.begin(() => holds);
    const { epoch } = await writer.feed.append([updateOf(1)]);
    // The same as a batch that Redis stored without a response.
    const { payload } = updateOf(2);
    const events = JSON.stringify(['token-updates', { seq: 2, ...payload }]);
    await writer.redis.commands.xAdd(writer.key, `${epoch}-2`, { first: '2', at: String(Date.now()), events });
    const late = writer.feed.append([updateOf(2)]);
    holds = false;
    await expect(late).rejects.toThrow('Another process writes the feed.');
    holds = true;
    expect((await writer.feed.append([updateOf(3)])).seq).toBe(0);
    await vi.waitFor(() => expect(writer.feed.head().epoch).not.toBe(epoch));
    const next = await writer.feed.append([updateOf(4)]);
    expect(next).toEqual({ epoch: writer.feed.head().epoch, seq: 1 });
  });

  test('an entry of its own epoch that a writer does not know makes it begin another', async () => {
    const writer = await openWriter(url);
    const { epoch } = await writer.feed.append([updateOf(1)]);
    const events = JSON.stringify(['token-updates', { seq: 5, ...updateOf(5).payload }]);
    await writer.redis.commands.xAdd(writer.key, `${epoch}-5`, { first: '5', at: String(Date.now()), events });
    expect((await writer.feed.append([updateOf(2)])).seq).toBe(0);
    await vi.waitFor(() => expect(writer.feed.head().epoch).not.toBe(epoch));
    expect((await writer.feed.append([updateOf(3)])).seq).toBe(1);
  });

  test('events that a process may not write are replaced by an epoch once it may', async () => {
    const writer = await openWriter(url);
    let holds = true;
    await writer.feed.begin(() => holds);
    const { epoch } = await writer.feed.append([updateOf(1)]);
    holds = false;
    await expect(writer.feed.append([updateOf(2)])).rejects.toThrow('Another process writes the feed.');
    holds = true;
    expect((await writer.feed.append([updateOf(3)])).seq).toBe(0);
    await vi.waitFor(() => expect(writer.feed.head().epoch).not.toBe(epoch));
  });

  test('the stream is trimmed by bytes', async () => {
    const writer = openLog(url, undefined, { characters: 1_000_000 });
    closing.push(writer.close);
    await writer.feed.begin(() => true);
    for (let number = 0; number < 40; number += 1) await writer.feed.append([largeUpdate(number, 100_000)]);
    const size = Number(await writer.redis.commands.memoryUsage(writer.key, { SAMPLES: 0 }));
    expect(size).toBeLessThan(1_500_000);
    expect(size).toBeGreaterThan(900_000);
  });

  test('messages to rooms reach the other processes, and are not stored [L3]', async () => {
    const writer = await openWriter(url);
    const reader = await openReader(url, writer.key);
    writer.feed.relay(message(1));
    await vi.waitFor(() => expect(reader.rooms).toEqual([message(1).room]));
    expect(reader.feed.head().seq).toBe(0);
  });

  describe('that goes away', () => {
    test('appends wait while it is away, and arrive once and in order', async () => {
      const server = await privateRedis();
      const writer = await openWriter(server.url);
      const reader = await openReader(server.url, writer.key);
      await writer.feed.append([updateOf(1)]);
      // On disk before the kill: Redis may lose the last second.
      await writer.redis.commands.configSet('appendfsync', 'always');
      const before = await writer.feed.append([updateOf(2)]);
      await server.kill();
      const waiting = [3, 4, 5].map((number) => writer.feed.append([updateOf(number)]));
      await server.start();
      expect((await Promise.all(waiting)).at(-1)).toEqual({ epoch: before.epoch, seq: 5 });
      await vi.waitFor(() => expect(reader.seqs).toEqual([1, 2, 3, 4, 5]));
    });

    test('a Redis that has lost acknowledged entries is a new epoch, of which every reader learns [F1]', async () => {
      const server = await privateRedis();
      const writer = await openWriter(server.url);
      const reader = await openReader(server.url, writer.key);
      const before = await writer.feed.append([updateOf(1), updateOf(2)]);
      await vi.waitFor(() => expect(reader.seqs).toEqual([1, 2]));
      await server.kill({ withoutFiles: true });
      await server.start();
      // Without any append: a reader that had not read the lost entries would not know of them.
      await vi.waitFor(() => expect(reader.interruptions).toContain('epoch'));
      expect(await reader.feed.since(before)).toEqual({ resync: 'epoch' });
      expect(await writer.feed.append([updateOf(3)])).toEqual({ epoch: reader.feed.head().epoch, seq: 1 });
      await vi.waitFor(() => expect(reader.seqs).toEqual([1, 2, 1]));
    });

    test('a reader that is ahead of the stream tells its clients without a writer [F1]', async () => {
      const server = await privateRedis();
      const writer = openLog(server.url);
      await writer.feed.begin(() => true);
      const reader = await openReader(server.url, writer.key);
      const before = await writer.feed.append([updateOf(1)]);
      await vi.waitFor(() => expect(reader.seqs).toEqual([1]));
      await writer.close();
      await server.kill({ withoutFiles: true });
      await server.start();
      await vi.waitFor(() => expect(reader.interruptions).toContain('ahead'));
      expect(await reader.feed.since(before)).toEqual({ resync: 'epoch' });
    });

    test('more than the bound waits: it is dropped for a new epoch, and no append rejects', async () => {
      const server = await privateRedis();
      const writer = await openWriter(server.url);
      const before = await writer.feed.append([updateOf(1)]);
      await server.kill();
      const waiting = Array.from({ length: 20 }, (_, number) => writer.feed.append([largeUpdate(number, 1_000_000)]));
      // Before Redis is back: an outage of hours keeps no promises.
      for (const { seq } of await Promise.all(waiting)) expect(seq).toBe(0);
      await server.start();
      await vi.waitFor(() => expect(writer.feed.head().epoch).not.toBe(before.epoch));
      const { epoch } = writer.feed.head();
      expect(await writer.feed.append([updateOf(2)])).toEqual({ epoch, seq: 1 });
    });

    test('a later epoch begins after the work before it, with the events that came meanwhile', async () => {
      const server = await privateRedis();
      const writer = openLog(server.url);
      closing.push(writer.close);
      const prepared: string[] = [];
      const during: Promise<FeedCursor>[] = [];
      await writer.feed.begin(
        () => true,
        async () => {
          prepared.push(writer.feed.head().epoch);
          if (prepared.length === 2) during.push(writer.feed.append([updateOf(2)]));
          throw new Error('not prepared');
        },
      );
      const before = await writer.feed.append([updateOf(1)]);
      await server.kill({ withoutFiles: true });
      await server.start();
      // While the stream is empty, its head is the beginning.
      await vi.waitFor(() => expect(['0', before.epoch]).not.toContain(writer.feed.head().epoch));
      expect(prepared).toHaveLength(2);
      expect(await Promise.all(during)).toEqual([{ epoch: writer.feed.head().epoch, seq: 1 }]);
    });

    test('a process that lost messages, and one whose publisher did, tell their clients [F6]', async () => {
      const server = await privateRedis();
      const writer = await openWriter(server.url);
      const reader = await openReader(server.url, writer.key);
      await server.kill();
      writer.feed.relay(message(1));
      await server.start();
      await vi.waitFor(() => expect(reader.interruptions).toContain('too-old'));
      // The writer may be connected later than the reader.
      await vi.waitFor(() => {
        writer.feed.relay(message(2));
        expect(reader.rooms).not.toEqual([]);
      });
      expect(reader.rooms).not.toContain(message(1).room);
    });
  });
});
