import type { Observation } from '../../observation.ts';

export interface ReorderBuffer {
  /** Forwards live observations, or buffers them while a backfill runs. */
  push(observations: readonly Observation[]): void;
  /** Starts buffering, for at most `longestMs`. */
  hold(): void;
  /** Forwards the buffered observations in order. */
  release(): void;
  /** Discards the buffered observations. */
  stop(): void;
}

/**
 * Buffers live observations during a backfill, so that the market receives all of them in order. Bounded in number and time:
 * being current matters more than order.
 */
export function createReorderBuffer(options: {
  observe: (observations: readonly Observation[]) => void;
  limit: number;
  longestMs: number;
}): ReorderBuffer {
  let buffer: Observation[] | null = null;
  let timer: NodeJS.Timeout | undefined;

  function release(): void {
    clearTimeout(timer);
    const observations = buffer;
    buffer = null;
    if (observations !== null && observations.length > 0) options.observe(observations);
  }

  return {
    push(observations) {
      if (observations.length === 0) return;
      if (buffer === null) return options.observe(observations);
      buffer.push(...observations);
      if (buffer.length >= options.limit) release();
    },
    hold() {
      if (buffer !== null) return;
      buffer = [];
      timer = setTimeout(release, options.longestMs);
    },
    release,
    stop() {
      clearTimeout(timer);
      buffer = null;
    },
  };
}
