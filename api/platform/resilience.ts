import type { CircuitState } from '../../common/sources/model.ts';
import type { Random } from '../../common/time.ts';

/**
 * The one policy for calls that may fail for a while: timeout, retry with exponential backoff and jitter, circuit breaker.
 * Not a library: cockatiel measures an open circuit by the time of day, takes neither clock nor randomness, and its pause
 * between two attempts ignores the abort signal, so a stop would wait for it.
 */
export interface RetryPolicy extends Backoff {
  /** Retries after the first attempt; `Infinity` retries until `signal` aborts. */
  retries: number;
  /**
   * Decides the delay before the next attempt, ms; null gives up. `attempt` counts failures from 1. Default: `backoffMs`
   * for every error.
   */
  delay?(error: unknown, backoffMs: number, attempt: number): number | null;
  /** Waits; injected by tests. Default: `pause`. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Growth of the delay between attempts. */
export interface Backoff {
  /** Delay before the first retry, ms. */
  base: number;
  /** Longest delay, ms. */
  max: number;
  random: Random;
}

/**
 * Runs `work` until it succeeds and resolves with its result. Rejects with the last error when the policy gives up or
 * `signal` aborts.
 */
export async function retry<Result>(
  policy: RetryPolicy,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { retries, delay, wait = pause } = policy;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted || attempt > retries) throw error;
      const own = backoff(attempt - 1, policy);
      const ms = delay ? delay(error, own, attempt) : own;
      if (ms === null) throw error;
      await wait(ms, signal);
      if (signal?.aborted) throw error;
    }
  }
}

/**
 * Returns a signal that aborts after `ms`, or when `parent` aborts, and the function that ends its timer when the call is over.
 * With a timer of our own: Node.js 20 can collect the signal of `AbortSignal.any([…, AbortSignal.timeout(ms)])` as garbage
 * before it fires, and the call would never end.
 */
export function createTimeLimit(ms: number, parent?: AbortSignal) {
  const controller = new AbortController();
  const abort = () => controller.abort(parent?.reason);
  const timer = setTimeout(
    () => controller.abort(new DOMException('The time limit was exceeded.', 'TimeoutError')),
    ms,
  );
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    clear(): void {
      clearTimeout(timer);
      parent?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Returns the delay before retry `attempt` (the first is 0), ms: doubled each time up to `max`. Half of it is random,
 * so that clients that were cut off together do not return together.
 */
export function backoff(attempt: number, { base, max, random }: Backoff): number {
  const full = Math.min(max, base * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Returns the longer of our backoff and the delay that a service requested with `Retry-After` (ms; null or 0: none), the
 * latter with a part of our jitter on top.
 */
export function withRetryAfter(backoffMs: number, requestedMs: number | null): number {
  return requestedMs === null || requestedMs === 0 ? backoffMs : Math.max(backoffMs, requestedMs + backoffMs / 4);
}

/** Parses a `Retry-After` header (seconds or an HTTP date) to ms from `now` (epoch ms); null without a readable one. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Resolves after `ms`, or without an error as soon as `signal` aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/**
 * Resolves with the value of `promise`, or with null when it rejects or takes longer than `ms`. The caller goes on without
 * the value either way; a rejection is reported by the creator of the promise.
 */
export async function withTimeout<Value>(promise: Promise<Value>, ms: number): Promise<{ value: Value } | null> {
  const settled = new AbortController();
  const result = promise.then(
    (value) => ({ value }),
    () => null,
  );
  try {
    return await Promise.race([result, pause(ms, settled.signal).then(() => null)]);
  } finally {
    settled.abort();
  }
}

/** Effect of an error on the circuit; `ignored`: the call never reached the service, so its state is still unknown. */
export type CircuitOutcome = 'success' | 'failure' | 'ignored';

/** A circuit breaker: spares a service in trouble, and the callers the wait. */
export type Circuit = ReturnType<typeof createCircuit>;

export function createCircuit(options: {
  /** Failures in a row that open the circuit. */
  failures: number;
  /** Time that it stays open, ms. After it one trial call decides between closed and open. */
  pauseMs: number;
  /** Monotonic time, ms: the time of day may be set back. */
  now: () => number;
  openError: () => Error;
  /** Default: every error is a failure. */
  outcomeOf?: (error: unknown) => CircuitOutcome;
}) {
  const { now, pauseMs, outcomeOf = () => 'failure' } = options;
  let failures = 0;
  let openedAt: number | null = null;
  let isTrial = false;

  function settle(outcome: CircuitOutcome): void {
    if (outcome === 'success') {
      failures = 0;
      openedAt = null;
    } else if (outcome === 'failure') {
      failures += 1;
      if (isTrial || failures >= options.failures) openedAt = now();
    }
    isTrial = false;
  }

  return {
    /** Runs `work`. Throws `openError()` without running it while the circuit is open, or half-open with a trial call running. */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (openedAt !== null) {
        if (isTrial || now() - openedAt < pauseMs) throw options.openError();
        isTrial = true;
      }
      try {
        const result = await work();
        settle('success');
        return result;
      } catch (error) {
        settle(outcomeOf(error));
        throw error;
      }
    },
    state: (): CircuitState => (openedAt === null ? 'closed' : isTrial ? 'half-open' : 'open'),
    /** Returns when an open circuit admits the next call, in the time of `now`; null while it is not open. */
    retryAt: (): number | null => (openedAt === null || isTrial ? null : openedAt + pauseMs),
  };
}
