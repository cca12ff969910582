import type { FeedEntry } from './events.ts';

/** Events that are kept to be laid over an answer that was read before them. At 10 events a second: about a minute. */
const RING_MAX = 600;

/**
 * The latest applied events in order, without a hole: everything after `base`.
 * A list that was read at some place at or after `base` can be brought up to date from here (F3).
 */
export interface EventRing {
  base(): number;
  push(entry: FeedEntry): void;
  /** Events after `seq`, oldest first. */
  after(seq: number): FeedEntry[];
  /** Forgets everything: the next event kept is the one after `base`. */
  reset(base: number): void;
}

export function createRing(max: number = RING_MAX): EventRing {
  let base = 0;
  let entries: FeedEntry[] = [];
  return {
    base: () => base,
    push(entry) {
      entries.push(entry);
      if (entries.length <= max) return;
      // Half is dropped at once, so that the cost of shifting is paid seldom.
      const dropped = entries.splice(0, Math.ceil(max / 2));
      base = dropped.at(-1)?.payload.seq ?? base;
    },
    after: (seq) => entries.filter((entry) => entry.payload.seq > seq),
    reset(next) {
      base = next;
      entries = [];
    },
  };
}
