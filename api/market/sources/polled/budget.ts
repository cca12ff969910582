import type { RateLimit } from './service-spec.ts';

/** Documented rate limit of a service, as a sliding window: at most `calls` in any span of `windowMs`. */
export interface Budget {
  /** Takes one call. Returns 0 when taken, otherwise ms until the next call is free. */
  take(): number;
  read(): { limit: number; left: number; resetsAt: number | null };
}

/**
 * `limit` is read at every call because a key may raise it. Times are those of `now`. Not rate-limiter-flexible: two of its
 * fixed windows in a row allow twice the calls in one span, which the service refuses.
 */
export function createBudget(limit: () => RateLimit, now: () => number): Budget {
  /** Times of the calls in the window, oldest first; never more than the limit. */
  let taken: number[] = [];

  function dropExpired({ windowMs }: RateLimit): void {
    const after = now() - windowMs;
    if (taken[0] !== undefined && taken[0] <= after) taken = taken.filter((at) => at > after);
  }

  return {
    take() {
      const present = limit();
      dropExpired(present);
      const blocking = taken[taken.length - present.calls];
      if (blocking !== undefined) return Math.max(1, blocking + present.windowMs - now());
      taken.push(now());
      return 0;
    },
    read() {
      const present = limit();
      dropExpired(present);
      const oldest = taken[0];
      return {
        limit: present.calls,
        left: Math.max(0, present.calls - taken.length),
        resetsAt: oldest === undefined ? null : oldest + present.windowMs,
      };
    },
  };
}
