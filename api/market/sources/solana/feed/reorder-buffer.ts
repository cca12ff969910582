import type { Observation } from '../../observation.ts';

export interface ReorderBuffer {
  /** Forwards live observations, or buffers them while a backfill runs. */
  push(observations: readonly Observation[]): void;
  /** Starts buffering. */
  hold(): void;
  /** Forwards the buffered observations in order. */
  release(): void;
  /** Discards the buffered observations. */
  stop(): void;
}

/** Observations buffered at most: far more than mainnet sends in the longest time of buffering. */
const MOST_BUFFERED = 20_000;
/** Longest time of buffering, ms. */
const LONGEST = 15_000;

/**
 * Buffers live observations during a backfill, so that the market receives all of them in order. Bounded in number and time:
 * being current matters more than order.
 */
export function createReorderBuffer(observe: (observations: readonly Observation[]) => void): ReorderBuffer {
  let buffer: Observation[] | null = null;
  let timer: NodeJS.Timeout | undefined;

  function release(): void {
    clearTimeout(timer);
    const observations = buffer;
    buffer = null;
    if (observations !== null && observations.length > 0) observe(observations);
  }

  return {
    push(observations) {
      if (observations.length === 0) return;
      if (buffer === null) return observe(observations);
      buffer.push(...observations);
      if (buffer.length >= MOST_BUFFERED) release();
    },
    hold() {
      if (buffer !== null) return;
      buffer = [];
      timer = setTimeout(release, LONGEST);
    },
    release,
    stop() {
      clearTimeout(timer);
      buffer = null;
    },
  };
}
