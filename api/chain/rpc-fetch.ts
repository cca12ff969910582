import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import {
  backoff,
  createCircuit,
  createTimeLimit,
  parseRetryAfter,
  pause,
  withRetryAfter,
} from '../platform/resilience.ts';
import { RpcError, type RpcErrorCode } from './rpc-error.ts';

export const defaultLimits = {
  /** Public mainnet nodes allow 40 calls of one method in 10 s and 100 of all methods. */
  perSecond: 4,
  burst: 8,
  inFlight: 4,
  waiting: 5_000,
  /** Timeout of one attempt, ms. */
  timeoutMs: 10_000,
  /** Retries after the first attempt. */
  retries: 4,
  /** First and longest delay before a retry, ms; the longest also bounds `Retry-After`. */
  retryBaseMs: 500,
  retryMaxMs: 15_000,
  /** Consecutive failed calls that open the circuit, and how long it stays open, ms. */
  circuitFailures: 5,
  circuitPauseMs: 15_000,
};
export type RpcLimits = typeof defaultLimits;

interface Deps {
  /** Monotonic time, ms. */
  now: () => number;
  random: () => number;
  limits: RpcLimits;
}

/** Creates a `fetch` with limits, a timeout, bounded retries and a circuit. */
export function createRpcFetch({ now, random, limits }: Deps) {
  const limiter = createLimiter({ ...limits, now });
  const circuit = createCircuit({
    failures: limits.circuitFailures,
    pauseMs: limits.circuitPauseMs,
    now,
    openError: () => new RpcError('circuit-open'),
    // A full queue on our side is not a failure of the node.
    outcomeOf: (error) => (error instanceof RpcError && error.code === 'busy' ? 'ignored' : 'failure'),
  });
  const stopping = new AbortController();
  // One listener for each call.
  setMaxListeners(limits.inFlight + limits.waiting, stopping.signal);

  async function send(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Attempt> {
    const { signal, clear } = createTimeLimit(limits.timeoutMs, stopping.signal);
    try {
      const response = await fetch(input, { ...init, signal });
      // Read within the timeout: a body can hang like a head.
      const body = await response.arrayBuffer();
      if (response.ok) return { response: new Response(body, response) };
      return {
        error: new RpcError(errorCodeOf(response.status), response.status),
        retryAfterMs: retryAfterOf(response),
      };
    } catch {
      // The cause may quote the address with its key; the kind of failure is enough.
      if (stopping.signal.aborted) return { error: new RpcError('stopped'), retryAfterMs: null };
      return { error: new RpcError(signal.aborted ? 'timeout' : 'network'), retryAfterMs: 0 };
    } finally {
      clear();
    }
  }

  /** Resolves with the outcome of attempt `attempt` (from 0); `wait`: ms before the next one, absent for a permanent failure. */
  async function sendWithDelay(
    attempt: number,
    ...request: Parameters<typeof send>
  ): Promise<Attempt & { wait?: number }> {
    const outcome = await send(...request);
    if ('response' in outcome || outcome.retryAfterMs === null) return outcome;
    const own = backoff(attempt, { base: limits.retryBaseMs, max: limits.retryMaxMs, random });
    const wait = Math.min(limits.retryMaxMs, withRetryAfter(own, outcome.retryAfterMs));
    // A rate limit covers all calls. Held before the limiter starts the next one.
    if (outcome.error.code === 'rate-limited') limiter.hold(wait);
    return { ...outcome, wait };
  }

  async function sendWithRetries(...request: Parameters<typeof send>): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await limiter.run(() => sendWithDelay(attempt, ...request));
      if ('response' in outcome) return outcome.response;
      if (outcome.wait === undefined || attempt >= limits.retries) throw outcome.error;
      await pause(outcome.wait, stopping.signal);
    }
  }

  const limited: typeof fetch = (input, init) => circuit.run(() => sendWithRetries(input, init));

  /** Calls a JSON-RPC method at an address. Resolves with the response, or throws as `fetch` does. */
  const request = (url: string, method: string, params: readonly unknown[]): Promise<Response> =>
    limited(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  return {
    circuit,
    request,
    /** Replaces the global `fetch` in web3.js. Resolves with a 2xx response or throws an `RpcError`. */
    fetch: limited,
    /** Resolves with the body of the response. */
    call: async (...call: Parameters<typeof request>): Promise<unknown> => (await request(...call)).json(),
    stop(): void {
      stopping.abort();
      limiter.stop();
    },
  };
}

/** `retryAfterMs`: delay that the node requests (0: none), null for a permanent failure. */
type Attempt = { response: Response } | { error: RpcError; retryAfterMs: number | null };

function errorCodeOf(status: number): RpcErrorCode {
  if (status === 429) return 'rate-limited';
  return status === 401 || status === 403 ? 'forbidden' : 'http';
}

function retryAfterOf(response: Response): number | null {
  if (response.status !== 429 && response.status < 500) return null;
  return parseRetryAfter(response.headers.get('retry-after'), Date.now()) ?? 0;
}

/**
 * A token bucket with a bound on concurrent calls: a node that receives more responds 429 and blocks the address. Neither
 * rate-limiter-flexible nor the intervals of p-queue: after a burst, their windows delay the next call until the window ends, by up
 * to 2 s where a bucket of the same rate delays it by 50 ms (the node of orders).
 */
function createLimiter(options: {
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
}) {
  const { perSecond, burst, inFlight, waiting, now } = options;
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
    /** Runs `work` when the limits allow it, in order of arrival. Throws RpcError `busy` or `stopped`. */
    async run<Result>(work: () => Promise<Result>): Promise<Result> {
      if (queue.size >= waiting) throw new RpcError('busy');
      return queue.add(async () => {
        await turn();
        return work();
      });
    },
    /** Starts no call for `ms`. */
    hold(ms: number): void {
      heldUntil = Math.max(heldUntil, now() + ms);
    },
    /** Rejects the calls that have not started, and later ones. */
    // Queued calls begin as the ones before them end, and are rejected then.
    stop: (): void => stopping.abort(),
  };
}
