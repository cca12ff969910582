import { randomUUID } from 'node:crypto';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import type { FeedEntry, FeedEvent, FeedLog, FeedTail } from './feed-log.ts';

/** How much a log keeps: whichever bound is reached first (F1). */
export interface LogLimits {
  /** Age of the oldest entry, ms. */
  ageMs: number;
  events: number;
  /** Bytes of all entries as JSON: a guard for days when single events are large. */
  bytes: number;
}

export const LOG_LIMITS: LogLimits = { ageMs: 10 * 60_000, events: 100_000, bytes: 64 * 1024 * 1024 };

/** The array is cut when this many evicted places lead it, so that appending stays O(1) on average. */
const COMPACT_AT = 4_096;

interface Kept {
  at: number;
  /** The entry as JSON outside the JavaScript heap: 100,000 live objects would slow every garbage collection. */
  json: Buffer;
}

/** A feed log for one process: numbered from 1 in an epoch of its own, gone when the process ends. */
export function createMemoryLog(options: { clock: Clock; epoch?: string; limits?: Partial<LogLimits> }): FeedLog {
  const { clock, epoch = randomUUID() } = options;
  const kept = createRing({ ...LOG_LIMITS, ...options.limits });
  const tails = new Set<FeedTail>();
  let seq = 0;
  let closed = false;

  return {
    head: () => ({ epoch, seq }),

    async append(events) {
      if (closed) throw new Error('The feed log is closed.');
      const entries = events.map((event) => numbered(event, ++seq));
      const at = clock.now();
      for (const entry of entries) kept.push({ at, json: Buffer.from(JSON.stringify(entry)) });
      kept.evictBefore(at);
      if (entries.length > 0) for (const tail of tails) tail.entries(entries);
      return { epoch, seq };
    },

    async since(cursor: FeedCursor, limit = Number.POSITIVE_INFINITY) {
      if (cursor.epoch !== epoch) return { resync: 'epoch' };
      if (cursor.seq > seq) return { resync: 'ahead' };
      kept.evictBefore(clock.now());
      const missed = seq - cursor.seq;
      if (missed > kept.size()) return { resync: 'too-old' };
      return { entries: kept.newest(missed, limit).map(entryOf) };
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
  /** Evicted places are null until the array is cut, so that what they held is free at once. */
  let kept: (Kept | null)[] = [];
  let start = 0;
  let bytes = 0;

  const dropOldest = () => {
    bytes -= kept[start]?.json.length ?? 0;
    kept[start] = null;
    start += 1;
  };

  return {
    size: () => kept.length - start,
    push(entry: Kept) {
      kept.push(entry);
      bytes += entry.json.length;
      while (kept.length - start > limits.events || bytes > limits.bytes) dropOldest();
    },
    evictBefore(now: number) {
      while ((kept[start]?.at ?? now) < now - limits.ageMs) dropOldest();
      if (start < COMPACT_AT || start * 2 < kept.length) return;
      kept = kept.slice(start);
      start = 0;
    },
    /** The oldest `limit` of the newest `count` entries. */
    newest(count: number, limit: number): Kept[] {
      const from = kept.length - count;
      return kept.slice(from, Math.min(kept.length, from + limit)).filter((entry) => entry !== null);
    },
  };
}

function entryOf({ json }: Kept): FeedEntry {
  const entry: FeedEntry = JSON.parse(json.toString());
  return entry;
}

/** Returns the event with its number. `seq` comes first in the payload, so that a reader of raw frames finds it without parsing the rest. */
function numbered({ event, payload }: FeedEvent, seq: number): FeedEntry {
  // TypeScript cannot see that `event` and `payload` stay a pair.
  return { seq, event, payload: { seq, ...payload } } as FeedEntry;
}
