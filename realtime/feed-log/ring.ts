import type { FeedCursor } from '../../common/live/protocol.ts';
import { parseEntry } from './entry-text.ts';
import type { FeedRead } from './feed-log.ts';

/** Bounds of the entries in memory; the first one reached applies. */
export interface RingLimits {
  /** Age of the oldest entry, ms. */
  ageMs: number;
  events: number;
  /** Bytes of all entries as JSON, for days with large events. */
  bytes: number;
}

/** Number of evicted places at the front of the array before it is cut, so that appending stays O(1) on average. */
const COMPACT_AT = 4_096;

interface StoredEntry {
  at: number;
  /** The entry as JSON outside the JavaScript heap: 100,000 live objects would slow every garbage collection. */
  json: Buffer;
}

/** Creates the memory of the newest entries of one epoch, from which a client's missed ones are read (F2). */
export function createRing(limits: RingLimits) {
  /** Evicted places are null until the array is cut, so that their memory is free at once. */
  let ring: (StoredEntry | null)[] = [];
  let start = 0;
  let bytes = 0;
  const size = () => ring.length - start;

  const dropOldest = () => {
    bytes -= ring[start]?.json.length ?? 0;
    ring[start] = null;
    start += 1;
  };

  function evictBefore(now: number): void {
    while ((ring[start]?.at ?? now) < now - limits.ageMs) dropOldest();
    if (start < COMPACT_AT || start * 2 < ring.length) return;
    ring = ring.slice(start);
    start = 0;
  }

  return {
    /** Adds the newest entry as the JSON of its event and payload. `at`: epoch ms. */
    push(at: number, json: string): void {
      const entry = { at, json: Buffer.from(json) };
      ring.push(entry);
      bytes += entry.json.length;
      while (size() > limits.events || bytes > limits.bytes) dropOldest();
    },
    evictBefore,
    /** Returns the position before the oldest entry. `head`: the position of the newest one. */
    oldest({ epoch, seq }: FeedCursor, now: number): FeedCursor {
      evictBefore(now);
      return { epoch, seq: seq - size() };
    },
    clear(): void {
      ring = [];
      start = 0;
      bytes = 0;
    },
    /** Returns the entries after `cursor`, at most `limit`, or the reason for a resync. `head`: the position of the newest entry. */
    since(cursor: FeedCursor, head: FeedCursor, limit: number, now: number): FeedRead {
      if (cursor.epoch !== head.epoch) return { resync: 'epoch' };
      if (cursor.seq > head.seq) return { resync: 'ahead' };
      evictBefore(now);
      const missed = head.seq - cursor.seq;
      if (missed > size()) return { resync: 'too-old' };
      const from = ring.length - missed;
      const found = ring.slice(from, Math.min(ring.length, from + limit)).filter((entry) => entry !== null);
      return { entries: found.map(({ json }) => parseEntry(json.toString())) };
    },
  };
}
