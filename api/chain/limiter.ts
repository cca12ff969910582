import { RpcError } from './rpc-error.ts';

export interface LimiterOptions {
  /** Calls a second in the long run. */
  perSecond: number;
  /** Calls that may go out at once after a quiet time. */
  burst: number;
  /** Calls under way at the same time. */
  inFlight: number;
  /** Calls that may wait; one more is refused, so that the queue cannot grow without bound. */
  waiting: number;
  /** Passing time, ms. */
  now: () => number;
}

export interface Limiter {
  /** Runs `work` when it is its turn, first come, first served. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Lets no call start for so many ms. */
  hold(ms: number): void;
  /** Refuses what waits and what comes. */
  stop(): void;
}

/** A token bucket with a bound on the calls under way: a node that is asked faster answers 429 and blocks the address. */
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

  /** ms until the next call may start, as far as the clock decides it. */
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
    // Only time is missing: look again when there will be a token, at least 1 ms later so as not to spin.
    timer = setTimeout(
      () => {
        timer = undefined;
        next();
      },
      Math.max(1, untilFree()),
    );
  }

  function turn(): Promise<void> {
    if (stopped) return Promise.reject(new RpcError('stopped'));
    if (queue.length >= options.waiting) return Promise.reject(new RpcError('busy'));
    return new Promise((start, refuse) => {
      queue.push({ start, refuse });
      next();
    });
  }

  return {
    async run(work) {
      await turn();
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
