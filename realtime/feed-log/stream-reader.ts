import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FeedCursor, ResyncReason } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { Redis, RedisClient } from '../redis.ts';
import {
  type Batch,
  batchOf,
  compare,
  cursorOf,
  entriesOf,
  idOf,
  NOWHERE,
  newestOf,
  type StreamPosition,
} from './batch.ts';
import type { FeedEntry } from './feed-log.ts';
import { createRing } from './ring.ts';

/** The recovery window: what a gateway holds of the stream, for all clients that come back. */
const WINDOW = { ageMs: 2 * 60_000, events: 100_000, bytes: 64 * 1024 * 1024 };
/** Time that a read waits for new entries, ms. */
const BLOCK_MS = 1_000;
/** Stream entries of one read. */
const PAGE = 50;
const RETRY_MS = 100;

interface ReaderDeps {
  redis: Redis;
  key: string;
  clock: Clock;
  log: Logger;
  onEntries(entries: readonly FeedEntry[]): void;
  onInterrupted(reason: ResyncReason): void;
}

/**
 * Follows the stream from this process's own position and keeps its newest entries. A hole, another epoch, and a Redis that lost
 * its end each become an interruption.
 */
export function createStreamReader({ redis, key, clock, log, onEntries, onInterrupted }: ReaderDeps) {
  const ring = createRing(WINDOW);
  const connection = redis.connect();
  let position = NOWHERE;
  let isClosed = false;
  /** False when the stream may have lost its end since the last read. */
  let isSure = false;

  const head = () => cursorOf(position);

  /** Continues at another position. `window`: the batches before it. */
  function jump(to: StreamPosition, reason: ResyncReason, window: readonly Batch[] = []): void {
    position = to;
    ring.clear();
    const now = clock.now();
    for (const { at, lines } of window) for (const line of lines) ring.push(Math.min(at, now), line);
    onInterrupted(reason);
  }

  /** Takes the next batch; one that is known already, from the writer of this process, is ignored. */
  function take(batch: Batch): void {
    if (compare(batch.id, position) <= 0) return;
    const { epoch } = batch.id;
    const before = { epoch, seq: batch.first - 1 };
    if (compare(before, position) !== 0) jump(before, epoch === position.epoch ? 'too-old' : 'epoch');
    if (batch.lines.length === 0) return;
    const now = clock.now();
    for (const line of batch.lines) ring.push(now, line);
    ring.evictBefore(now);
    position = batch.id;
    onEntries(entriesOf(batch));
  }

  /** Compares the stream's end with what this process has read, after each interruption of the connection. */
  async function check(): Promise<void> {
    // Before the request: the writer of this process may move on meanwhile.
    const read = position;
    const end = (await newestOf(connection, key))?.id ?? NOWHERE;
    if (read === NOWHERE) {
      const window = await readWindow(connection, { key, end, now: clock.now() });
      if (position === NOWHERE) jump(end, 'epoch', window);
    } else if (compare(end, read) < 0) {
      log.warn({ read: idOf(read), end: idOf(end) }, 'Redis has lost the end of the feed, clients fetch again');
      jump(end, 'ahead');
    }
    isSure = true;
  }

  async function follow(): Promise<void> {
    while (!isClosed) {
      try {
        if (!isSure) await check();
        const found = await connection.xRead({ key, id: idOf(position) }, { BLOCK: BLOCK_MS, COUNT: PAGE });
        for (const entry of found?.[0]?.messages ?? []) take(batchOf(entry));
      } catch (error) {
        if (isClosed) return;
        // The client connects again by itself; missed entries are read from the own position.
        log.debug({ error }, 'feed not read, retrying');
        isSure = false;
        await sleep(RETRY_MS);
      }
    }
  }
  void follow();

  return {
    head,
    oldest: (): FeedCursor => ring.oldest(head(), clock.now()),
    take,
    since: (cursor: FeedCursor, limit: number) => ring.since(cursor, head(), limit, clock.now()),
    /** Returns whether this process follows the stream at the moment. */
    isFollowing: (): boolean => isSure && connection.isReady,
    close(): void {
      isClosed = true;
      connection.destroy();
    },
  };
}

/** Reads the end of the stream, oldest first: back to the window's age, a hole, or the begin of the epoch. */
async function readWindow(
  connection: RedisClient,
  { key, end, now }: { key: string; end: StreamPosition; now: number },
): Promise<Batch[]> {
  const window: Batch[] = [];
  let next = end;
  let bytes = 0;
  while (next.seq > 0) {
    const page = (await connection.xRevRange(key, idOf(next), `${end.epoch}-1`, { COUNT: PAGE })) ?? [];
    for (const batch of page.map(batchOf)) {
      const isNext = compare(batch.id, next) === 0;
      if (!isNext || batch.at < now - WINDOW.ageMs || bytes > WINDOW.bytes) return window.reverse();
      window.push(batch);
      for (const line of batch.lines) bytes += line.length;
      next = { epoch: end.epoch, seq: batch.first - 1 };
    }
    if (page.length < PAGE) break;
  }
  return window.reverse();
}
