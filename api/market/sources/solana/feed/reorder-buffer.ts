import type { Observation } from '../../observation.ts';

export interface Hold {
  /** Hands on, or keeps back while holding. */
  pass(observations: readonly Observation[]): void;
  /** Keeps what passes back, for at most the time given at the start. */
  begin(): void;
  /** Hands on what was kept, in order. */
  release(): void;
  /** As `release`, but what was kept is forgotten. */
  stop(): void;
}

/**
 * Keeps live observations back while missed ones are fetched, so that the market hears all in the order they happened.
 * Being current matters more than order in the end: what is kept is bounded in number and in time.
 */
export function createHold(options: {
  observe: (observations: readonly Observation[]) => void;
  limit: number;
  longestMs: number;
}): Hold {
  let kept: Observation[] | null = null;
  let timer: NodeJS.Timeout | undefined;

  function release(): void {
    clearTimeout(timer);
    const observations = kept;
    kept = null;
    if (observations !== null && observations.length > 0) options.observe(observations);
  }

  return {
    pass(observations) {
      if (observations.length === 0) return;
      if (kept === null) return options.observe(observations);
      kept.push(...observations);
      if (kept.length >= options.limit) release();
    },
    begin() {
      if (kept !== null) return;
      kept = [];
      timer = setTimeout(release, options.longestMs);
    },
    release,
    stop() {
      clearTimeout(timer);
      kept = null;
    },
  };
}
