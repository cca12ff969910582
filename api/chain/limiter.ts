import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { pause } from '../platform/resilience.ts';
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
  /** Rejects the calls that have not started, and later ones. */
  stop(): void;
}

/**
 * A token bucket with a bound on concurrent calls: a node that receives more responds 429 and blocks the address. Neither
 * rate-limiter-flexible nor the intervals of p-queue: after a burst, their windows delay the next call until the window ends, by up
 * to 2 s where a bucket of the same rate delays it by 50 ms (the node of orders).
 */
export function createLimiter({ perSecond, burst, inFlight, waiting, now }: LimiterOptions): Limiter {
  const queue = new PQueue({ concurrency: inFlight });
  const stopping = new AbortController();
  // One listener for each call that waits for its token.
  setMaxListeners(inFlight, stopping.signal);
  /** Time for one token, ms. */
  const interval = 1_000 / perSecond;
  /** When the bucket will be full. */
  let fullAt = now();
  let heldUntil = 0;

  /** Takes a token once there is one and no hold is in force: taken before a hold, tokens would add up to more than a burst. */
  async function turn(): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted) throw new RpcError('stopped');
      const nextAt = fullAt - (burst - 1) * interval;
      const ms = Math.max(nextAt, heldUntil) - now();
      if (ms <= 0) break;
      await pause(ms, stopping.signal);
    }
    fullAt = Math.max(fullAt, now()) + interval;
  }

  return {
    async run(work) {
      if (queue.size >= waiting) throw new RpcError('busy');
      return queue.add(async () => {
        await turn();
        return work();
      });
    },
    hold(ms) {
      heldUntil = Math.max(heldUntil, now() + ms);
    },
    // Queued calls begin as the ones before them end, and are rejected then.
    stop: () => stopping.abort(),
  };
}
