import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { RedisClient } from '../redis.ts';
import { type Batch, compare, cursorOf, fieldsOf, idOf, NOWHERE, newestOf, type StreamPosition } from './batch.ts';
import type { FeedEvent } from './feed-log.ts';
import { createTrim, type StreamLimits } from './trim.ts';
import { createWaitingAppends, type SentBatch } from './waiting-appends.ts';

/** Time between two writes, ms: the first after a pause is sent at once. */
const BATCH_MS = 25;
const RETRY_MS = 100;

interface WriterDeps {
  redis: RedisClient;
  key: string;
  clock: Clock;
  log: Logger;
  limits: Partial<StreamLimits>;
  /** Called with each batch once Redis has acknowledged it. */
  onWritten(batch: Batch): void;
}

/** The state of a writer. */
interface Writer extends WriterDeps {
  waiting: ReturnType<typeof createWaitingAppends>;
  trim: ReturnType<typeof createTrim>;
  /** Null while this process does not write the feed. */
  isHolder: (() => boolean) | null;
  /** Awaited before each epoch is announced. */
  beforeEpoch: (() => Promise<void>) | undefined;
  /** The last acknowledged one. */
  position: StreamPosition;
  /** It stays here until it is acknowledged. */
  sent: SentBatch | null;
  /** Events were dropped: whatever is appended before the next epoch begins is fetched by clients, too. */
  mustBegin: boolean;
  /** False when Redis may have lost, or another process have written, something since the last acknowledgement. */
  isSure: boolean;
  isWorking: boolean;
  isClosed: boolean;
  /** Callers that wait for the begin of the epoch. */
  begun: { resolve(): void; reject(error: Error): void }[];
}

/** Creates the writer of the stream, which writes nothing before `begin`. */
export function createStreamWriter(deps: WriterDeps) {
  const writer: Writer = {
    ...deps,
    waiting: createWaitingAppends(),
    trim: createTrim(deps.clock, deps.limits),
    isHolder: null,
    beforeEpoch: undefined,
    position: NOWHERE,
    sent: null,
    mustBegin: false,
    isSure: false,
    isWorking: false,
    isClosed: false,
    begun: [],
  };
  function onReady(): void {
    writer.isSure = false;
    void work(writer);
  }
  deps.redis.on('ready', onReady);

  return {
    /** Begins an epoch as the only writer while `isHolder` returns true. Resolves when Redis has it. `beforeEpoch`: as in FeedLog. */
    begin(isHolder: () => boolean, beforeEpoch?: () => Promise<void>): Promise<void> {
      writer.isHolder = isHolder;
      writer.beforeEpoch = beforeEpoch;
      startOver(writer);
      const done = new Promise<void>((resolve, reject) => void writer.begun.push({ resolve, reject }));
      void work(writer);
      return done;
    },

    /** Resolves with the position of the last event once Redis has it, or with number 0 once it is dropped for a new epoch. */
    async append(events: readonly FeedEvent[]): Promise<FeedCursor> {
      if (writer.isClosed) throw new Error('The feed log is closed.');
      if (!writer.isHolder?.()) {
        writer.mustBegin = true;
        throw new Error('Another process writes the feed.');
      }
      if (writer.mustBegin) {
        void work(writer);
        return droppedCursor(writer);
      }
      const position = writer.waiting.add(events);
      if (writer.waiting.isFull()) {
        deps.log.warn('Redis is away for too long, a new epoch of the feed begins');
        startOver(writer);
      }
      void work(writer);
      return position;
    },

    /** Writes all that waits, unless Redis is away, and rejects the rest. */
    async close(): Promise<void> {
      writer.isClosed = true;
      deps.redis.off('ready', onReady);
      while (writer.isWorking) await sleep(1);
      fail(writer, new Error('The feed log is closed.'));
    },
  };
}

/** Writes until nothing waits. Retries for as long as this process holds the right to write. */
async function work(writer: Writer): Promise<void> {
  if (writer.isWorking) return;
  writer.isWorking = true;
  while (hasWork(writer)) {
    if (!writer.isHolder?.()) {
      // It may be the holder again later.
      writer.isSure = false;
      fail(writer, new Error('Another process writes the feed.'));
      break;
    }
    try {
      await step(writer);
      await sleep(BATCH_MS);
    } catch (error) {
      // For any reason, a refused id included: another process has written a newer one.
      writer.isSure = false;
      if (writer.isClosed) break;
      writer.log.debug({ error }, 'feed not written, retrying');
      await sleep(RETRY_MS);
    }
  }
  writer.isWorking = false;
}

function hasWork({ isHolder, mustBegin, isSure, sent, waiting }: Writer): boolean {
  return isHolder !== null && (mustBegin || !isSure || sent !== null || !waiting.isEmpty());
}

async function step(writer: Writer): Promise<void> {
  if (!writer.mustBegin && !writer.isSure) await check(writer);
  if (writer.mustBegin) return beginEpoch(writer);
  if (writer.sent === null && writer.waiting.isEmpty()) return;
  writer.sent ??= writer.waiting.take(writer.position, writer.clock.now());
  const { sent } = writer;
  await write(writer, sent.batch, writer.trim.oldest(sent.batch));
  // It is gone when too much waited meanwhile: the next epoch replaces it.
  if (writer.sent === sent) acknowledge(writer, sent);
}

/** Finds out what happened to the stream since the last acknowledgement. */
async function check(writer: Writer): Promise<void> {
  const { redis, key, position, sent, log } = writer;
  const end = (await newestOf(redis, key))?.id ?? NOWHERE;
  if (sent !== null && compare(end, sent.batch.id) === 0) {
    if (writer.sent === sent) acknowledge(writer, sent);
  } else if (compare(end, position) > 0) {
    // In the own epoch, too: no further id would be above it.
    log.warn({ written: idOf(position), end: idOf(end) }, 'something else has written the feed, a new epoch begins');
    startOver(writer);
  } else if (compare(end, position) < 0) {
    log.warn({ written: idOf(position), end: idOf(end) }, 'Redis has lost the end of the feed, a new epoch begins');
    startOver(writer);
  }
  writer.isSure = true;
}

async function write({ redis, key }: Writer, batch: Batch, oldest: string): Promise<void> {
  await redis.sendCommand(['XADD', key, 'MINID', '~', oldest, idOf(batch.id), ...fieldsOf(batch)]);
}

async function beginEpoch(writer: Writer): Promise<void> {
  const { redis, key, clock, position } = writer;
  const end = (await newestOf(redis, key))?.id ?? NOWHERE;
  // By the time, so that an epoch that Redis has lost is not used again; with a part that two starts do not share.
  const byTime = clock.now() * 1_000 + Math.floor(Math.random() * 1_000);
  const id = { epoch: Math.max(byTime, end.epoch + 1, position.epoch + 1), seq: 0 };
  const batch: Batch = { id, first: 1, at: clock.now(), lines: [] };
  // Before the write: clients may fetch as soon as Redis has it. Later events are not in every response, so they have to wait.
  writer.mustBegin = false;
  try {
    await prepareEpoch(writer);
    await write(writer, batch, idOf(id));
  } catch (error) {
    startOver(writer);
    throw error;
  }
  writer.position = id;
  writer.trim.clear();
  writer.isSure = true;
  writer.onWritten(batch);
  for (const { resolve } of writer.begun.splice(0)) resolve();
}

/** Awaits the hook of `begin`. The id of the epoch is known by then, so that Redis refuses it when another process began one meanwhile. */
async function prepareEpoch({ beforeEpoch, log }: Writer): Promise<void> {
  try {
    await beforeEpoch?.();
  } catch (error) {
    log.warn({ error }, 'a new epoch of the feed begins without its preparation');
  }
}

function acknowledge(writer: Writer, { batch, appends }: SentBatch): void {
  writer.sent = null;
  writer.position = batch.id;
  writer.trim.add(batch);
  writer.onWritten(batch);
  for (const { resolve } of appends) resolve(cursorOf(batch.id));
}

/** Drops everything that is not acknowledged: the next epoch makes clients fetch it. */
function startOver(writer: Writer): void {
  writer.waiting.drop(writer.sent, droppedCursor(writer));
  writer.sent = null;
  writer.mustBegin = true;
}

/** Returns what a dropped append resolves with: the epoch that replaces it is not known yet. */
function droppedCursor({ position: { epoch } }: Writer): FeedCursor {
  return cursorOf({ epoch, seq: 0 });
}

/** Rejects everything that is not acknowledged. A later epoch of this process replaces it, since Redis may have some of it. */
function fail(writer: Writer, error: Error): void {
  writer.mustBegin ||= writer.sent !== null || !writer.waiting.isEmpty();
  writer.waiting.fail(writer.sent, error);
  writer.sent = null;
  for (const { reject } of writer.begun.splice(0)) reject(error);
}
