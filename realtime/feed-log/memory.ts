import { randomUUID } from 'node:crypto';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { FeedEntry, FeedEvent, FeedLog, FeedTail } from './feed-log.ts';

/** Bounds of a log; the first one reached applies (F1). */
export const LOG_LIMITS = {
  /** Age of the oldest entry, ms. */
  ageMs: 10 * 60_000,
  events: 100_000,
  /** Bytes of all entries as JSON, for days with large events. */
  bytes: 64 * 1024 * 1024,
};
export type LogLimits = typeof LOG_LIMITS;

/** Number of evicted places at the front of the array before it is cut, so that appending stays O(1) on average. */
const COMPACT_AT = 4_096;

interface StoredEntry {
  at: number;
  /** The entry as JSON outside the JavaScript heap: 100,000 live objects would slow every garbage collection. */
  json: Buffer;
}

/** Creates the feed log of one process: numbered from 1 in an epoch of its own, lost when the process ends. */
export function createMemoryLog(options: { clock: Clock; epoch?: string; limits?: Partial<LogLimits> }): FeedLog {
  const { clock, epoch = randomUUID() } = options;
  const stored = createRing({ ...LOG_LIMITS, ...options.limits });
  const tails = new Set<FeedTail>();
  let seq = 0;
  let closed = false;

  return {
    head: () => ({ epoch, seq }),

    async append(events) {
      if (closed) throw new Error('The feed log is closed.');
      const entries = events.map((event) => numbered(event, ++seq));
      const at = clock.now();
      for (const entry of entries) stored.push({ at, json: Buffer.from(JSON.stringify(entry)) });
      stored.evictBefore(at);
      if (entries.length > 0) for (const tail of tails) tail.entries(entries);
      return { epoch, seq };
    },

    async since(cursor: FeedCursor, limit = Number.POSITIVE_INFINITY) {
      if (cursor.epoch !== epoch) return { resync: 'epoch' };
      if (cursor.seq > seq) return { resync: 'ahead' };
      stored.evictBefore(clock.now());
      const missed = seq - cursor.seq;
      if (missed > stored.size()) return { resync: 'too-old' };
      return { entries: stored.newest(missed, limit).map(entryOf) };
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

function createRing(limits: LogLimits) {
  /** Evicted places are null until the array is cut, so that their memory is free at once. */
  let ring: (StoredEntry | null)[] = [];
  let start = 0;
  let bytes = 0;

  const dropOldest = () => {
    bytes -= ring[start]?.json.length ?? 0;
    ring[start] = null;
    start += 1;
  };

  return {
    size: () => ring.length - start,
    push(entry: StoredEntry) {
      ring.push(entry);
      bytes += entry.json.length;
      while (ring.length - start > limits.events || bytes > limits.bytes) dropOldest();
    },
    evictBefore(now: number) {
      while ((ring[start]?.at ?? now) < now - limits.ageMs) dropOldest();
      if (start < COMPACT_AT || start * 2 < ring.length) return;
      ring = ring.slice(start);
      start = 0;
    },
    /** Returns the oldest `limit` of the newest `count` entries. */
    newest(count: number, limit: number): StoredEntry[] {
      const from = ring.length - count;
      return ring.slice(from, Math.min(ring.length, from + limit)).filter((entry) => entry !== null);
    },
  };
}

function entryOf({ json }: StoredEntry): FeedEntry {
  const entry: FeedEntry = JSON.parse(json.toString());
  return entry;
}

/** Returns the event with its number. `seq` comes first in the payload, so that a reader of raw frames finds it without parsing the rest. */
function numbered({ event, payload }: FeedEvent, seq: number): FeedEntry {
  // TypeScript cannot see that `event` and `payload` stay a pair.
  return { seq, event, payload: { seq, ...payload } } as FeedEntry;
}
