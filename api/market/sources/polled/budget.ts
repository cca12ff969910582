import type { RateLimit } from './service-spec.ts';

/** Calls that a service's documented limit allows: at most so many in any span of its window, however they are spread. */
export interface Budget {
  /** Takes one call; 0 when it was taken, else ms until the next one is free. */
  take(): number;
  read(): { limit: number; left: number; resetsAt: number | null };
}

/** `limit` is asked each time, as a key may raise it. Times are those of `now`. */
export function createBudget(limit: () => RateLimit, now: () => number): Budget {
  /** Times of the calls within the window, oldest first: never more than the limit. */
  let taken: number[] = [];

  function forget({ windowMs }: RateLimit): void {
    const after = now() - windowMs;
    if (taken[0] !== undefined && taken[0] <= after) taken = taken.filter((at) => at > after);
  }

  return {
    take() {
      const present = limit();
      forget(present);
      const blocking = taken[taken.length - present.calls];
      if (blocking !== undefined) return Math.max(1, blocking + present.windowMs - now());
      taken.push(now());
      return 0;
    },
    read() {
      const present = limit();
      forget(present);
      const oldest = taken[0];
      return {
        limit: present.calls,
        left: Math.max(0, present.calls - taken.length),
        resetsAt: oldest === undefined ? null : oldest + present.windowMs,
      };
    },
  };
}
