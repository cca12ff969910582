import { randomUUID } from 'node:crypto';
import type { Clock } from '../../common/time.ts';
import { entryJson, payloadJson } from './entry-text.ts';
import type { FeedEntry, FeedEvent, FeedLog, FeedTail } from './feed-log.ts';
import { createRing, type RingLimits } from './ring.ts';

/** Bounds of a log; the first one reached applies (F1). */
export const LOG_LIMITS = { ageMs: 10 * 60_000, events: 100_000, bytes: 64 * 1024 * 1024 } satisfies RingLimits;
export type LogLimits = typeof LOG_LIMITS;

/** Creates the feed log of one process: numbered from 1 in an epoch of its own, lost when the process ends. */
export function createMemoryLog(options: { clock: Clock; epoch?: string; limits?: Partial<LogLimits> }): FeedLog {
  const { clock } = options;
  const ring = createRing({ ...LOG_LIMITS, ...options.limits });
  const tails = new Set<FeedTail>();
  let epoch = options.epoch ?? randomUUID();
  let seq = 0;
  let closed = false;

  return {
    head: () => ({ epoch, seq }),
    oldest: () => ring.oldest({ epoch, seq }, clock.now()),
    isFollowing: () => true,

    async begin(_isHolder, beforeEpoch) {
      await beforeEpoch?.();
      epoch = randomUUID();
      seq = 0;
      ring.clear();
      for (const tail of tails) tail.interrupted('epoch');
    },

    async append(events) {
      if (closed) throw new Error('The feed log is closed.');
      const entries = events.map((event, index) => numbered(event, seq + index + 1));
      const at = clock.now();
      for (const event of events) ring.push(at, entryJson(event.event, payloadJson(event), ++seq));
      ring.evictBefore(at);
      if (entries.length > 0) for (const tail of tails) tail.entries(entries);
      return { epoch, seq };
    },

    async since(cursor, limit = Number.POSITIVE_INFINITY) {
      return ring.since(cursor, { epoch, seq }, limit, clock.now());
    },

    relay(message) {
      for (const tail of tails) tail.message(message);
    },

    tail(tail) {
      tails.add(tail);
      return () => tails.delete(tail);
    },

    async close() {
      closed = true;
      tails.clear();
    },
  };
}

/** Returns the event with its number. `seq` comes first in the payload, so that a reader of raw frames finds it without parsing the rest. */
function numbered({ event, payload }: FeedEvent, seq: number): FeedEntry {
  // TypeScript cannot see that `event` and `payload` stay a pair.
  return { seq, event, payload: { seq, ...payload } } as FeedEntry;
}
