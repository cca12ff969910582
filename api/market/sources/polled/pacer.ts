import { pause } from '../../../platform/resilience.ts';
import type { Allowance } from './allowance.ts';
import { createBudget } from './budget.ts';
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

/** Decides when a request may be sent. */
export interface Pacer {
  /**
   * Waits until the limit allows one more request, and takes its credits. Throws RequestError `budget-spent`,
   * `allowance-paced`, `allowance-spent` or `stopped`.
   */
  acquire(cost: RequestCost): Promise<void>;
  /** Pauses the service for `ms`. */
  hold(ms: number): void;
  release(): void;
  /** End of the pause in monotonic ms; null when there is none. */
  heldUntil(): number | null;
  budget: ReturnType<typeof createBudget>['read'];
}

interface PacerDeps {
  /** Monotonic time, ms. */
  monotonic: () => number;
  wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  signal: AbortSignal;
  allowance: Allowance | undefined;
}

/** Creates the pacer of a service. `limit` is read at every request because a key may raise it. */
export function createPacer(limit: () => RateLimit, { monotonic, wait = pause, signal, allowance }: PacerDeps): Pacer {
  const budget = createBudget(limit, monotonic);
  let heldUntil = Number.NEGATIVE_INFINITY;
  return {
    async acquire({ credits = 1 }) {
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
    hold(ms) {
      heldUntil = monotonic() + Math.min(ms, LONGEST_HOLD);
    },
    release() {
      heldUntil = Number.NEGATIVE_INFINITY;
    },
    heldUntil: () => (heldUntil > monotonic() ? heldUntil : null),
    budget: () => budget.read(),
  };
}

/** Throws RequestError while the monthly allowance does not hold this many credits. */
function requireCredits(allowance: Allowance, credits: number): void {
  if (allowance.readyIn(credits) === 0) return;
  throw new RequestError(allowance.includes(credits) ? 'allowance-paced' : 'allowance-spent');
}
