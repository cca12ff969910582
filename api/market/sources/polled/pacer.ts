import { pause } from '../../../platform/resilience.ts';
import type { Allowance } from './allowance.ts';
import { RequestError } from './request-error.ts';
import type { RateLimit } from './service-spec.ts';

/** Longest pause of a service, ms: a wrong header must not silence a source for days. */
const LONGEST_HOLD = 15 * 60_000;
/** Longest wait for the rate limit, ms. */
const LONGEST_TURN = 90_000;

/** Cost of a request in credits of the monthly allowance. */
export interface RequestCost {
  /** Default 1. */
  credits?: number | undefined;
}

interface PacerDeps {
  /** Monotonic time, ms. */
  monotonic: () => number;
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  signal: AbortSignal;
  allowance: Allowance | undefined;
}

export type Pacer = ReturnType<typeof createPacer>;

/** Creates what decides when a service's request may be sent. `limit` is read at every request because a key may raise it. */
export function createPacer(limit: () => RateLimit, { monotonic, wait = pause, signal, allowance }: PacerDeps) {
  const budget = createBudget(limit, monotonic);
  let heldUntil = Number.NEGATIVE_INFINITY;
  return {
    /**
     * Waits until the limit allows one more request, and takes its credits. Throws RequestError `budget-spent`,
     * `allowance-paced`, `allowance-spent` or `stopped`.
     */
    async acquire({ credits = 1 }: RequestCost): Promise<void> {
      for (;;) {
        if (signal.aborted) throw new RequestError('stopped');
        // Not sent, so not a failure of the service.
        if (monotonic() < heldUntil) throw new RequestError('budget-spent');
        if (allowance !== undefined) requireCredits(allowance, credits);
        const freeIn = budget.take();
        if (freeIn === 0) {
          allowance?.take(credits);
          return;
        }
        if (freeIn > LONGEST_TURN) throw new RequestError('budget-spent');
        await wait(freeIn, signal);
      }
    },
    /** Pauses the service for `ms`. */
    hold(ms: number): void {
      heldUntil = monotonic() + Math.min(ms, LONGEST_HOLD);
    },
    release(): void {
      heldUntil = Number.NEGATIVE_INFINITY;
    },
    /** Returns the end of the pause in monotonic ms; null when there is none. */
    heldUntil: () => (heldUntil > monotonic() ? heldUntil : null),
    budget: budget.read,
  };
}

/** Throws RequestError while the monthly allowance does not hold this many credits. */
function requireCredits(allowance: Allowance, credits: number): void {
  if (allowance.readyIn(credits) === 0) return;
  throw new RequestError(allowance.includes(credits) ? 'allowance-paced' : 'allowance-spent');
}

/**
 * Creates the documented rate limit of a service, as a sliding window: at most `calls` in any span of `windowMs`. Not
 * rate-limiter-flexible as for the month: two of its fixed windows in a row allow twice the calls in one span, which the
 * service refuses.
 */
function createBudget(limit: () => RateLimit, now: () => number) {
  /** Times of the calls in the window, oldest first; never more than the limit. */
  let taken: number[] = [];

  function present(): RateLimit {
    const present = limit();
    const after = now() - present.windowMs;
    if (taken[0] !== undefined && taken[0] <= after) taken = taken.filter((at) => at > after);
    return present;
  }

  return {
    /** Takes one call. Returns 0 when taken, otherwise ms until the next call is free. */
    take(): number {
      const { calls, windowMs } = present();
      const blocking = taken[taken.length - calls];
      if (blocking !== undefined) return Math.max(1, blocking + windowMs - now());
      taken.push(now());
      return 0;
    },
    read(): { limit: number; left: number; resetsAt: number | null } {
      const { calls, windowMs } = present();
      const [oldest] = taken;
      const resetsAt = oldest === undefined ? null : oldest + windowMs;
      return { limit: calls, left: Math.max(0, calls - taken.length), resetsAt };
    },
  };
}
