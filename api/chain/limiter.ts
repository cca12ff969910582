import { RpcError } from './rpc-error.ts';

export interface LimiterOptions {
  /** Average calls a second. */
  perSecond: number;
  /** Calls that may start at once after an idle time. */
  burst: number;
  /** Concurrent calls. */
  inFlight: number;
  /** Longest queue; further calls are rejected. */
  waiting: number;
  /** Monotonic time, ms. */
  now: () => number;
}

export interface Limiter {
  /** Runs `work` when the limits allow it, in order of arrival. Throws RpcError `busy` or `stopped`. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Starts no call for `ms`. */
  hold(ms: number): void;
  /** Rejects queued and later calls. */
  stop(): void;
}

/**
 * A token bucket with a bound on concurrent calls: a node that receives more responds 429 and blocks the address. Not
 * rate-limiter-flexible: after a burst, its fixed windows delay the next call until the window ends, by up to 2 s where a
 * bucket of the same rate delays it by 50 ms (the node of orders).
 */
export function createLimiter(options: LimiterOptions): Limiter {
  let tokens = options.burst;
  let refilledAt = options.now();
  let running = 0;
  let heldUntil = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const queue: { start(): void; refuse(error: RpcError): void }[] = [];

  function refill(): void {
    const now = options.now();
    const passed = now - refilledAt;
    tokens = Math.min(options.burst, tokens + (passed * options.perSecond) / 1_000);
    refilledAt = now;
  }

  /** Returns the ms until rate and hold allow the next call. */
  function untilFree(): number {
    refill();
    const untilToken = tokens >= 1 ? 0 : ((1 - tokens) / options.perSecond) * 1_000;
    return Math.max(untilToken, heldUntil - options.now());
  }

  function next(): void {
    while (queue.length > 0 && running < options.inFlight && untilFree() <= 0) {
      tokens -= 1;
      running += 1;
      queue.shift()?.start();
    }
    if (queue.length === 0 || running >= options.inFlight || timer !== undefined) return;
    // Retries when the next token is due; at least 1 ms later, to avoid spinning.
    timer = setTimeout(
      () => {
        timer = undefined;
        next();
      },
      Math.max(1, untilFree()),
    );
  }

  function acquire(): Promise<void> {
    if (stopped) return Promise.reject(new RpcError('stopped'));
    if (queue.length >= options.waiting) return Promise.reject(new RpcError('busy'));
    return new Promise((start, refuse) => {
      queue.push({ start, refuse });
      next();
    });
  }

  return {
    async run(work) {
      await acquire();
      try {
        return await work();
      } finally {
        running -= 1;
        next();
      }
    },
    hold(ms) {
      heldUntil = Math.max(heldUntil, options.now() + ms);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      for (const { refuse } of queue.splice(0)) refuse(new RpcError('stopped'));
    },
  };
}
