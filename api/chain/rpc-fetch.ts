import {
  backoff,
  type Circuit,
  createCircuit,
  parseRetryAfter,
  pause,
  withRetryAfter,
} from '../platform/resilience.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { RpcError, type RpcErrorCode } from './rpc-error.ts';

export interface RpcLimits {
  /** Public mainnet nodes allow 40 calls of one kind in 10 s and 100 of all kinds. */
  perSecond: number;
  burst: number;
  inFlight: number;
  waiting: number;
  /** For one attempt, ms. */
  timeoutMs: number;
  /** Repetitions after the first attempt. */
  retries: number;
  /** First pause before a repetition and the longest one, ms; the longest also bounds what `Retry-After` may ask for. */
  retryBaseMs: number;
  retryMaxMs: number;
  /** Failed calls in a row that open the circuit, and how long it stays open, ms. */
  circuitFailures: number;
  circuitPauseMs: number;
}

export const defaultLimits: RpcLimits = {
  perSecond: 4,
  burst: 8,
  inFlight: 4,
  waiting: 5_000,
  timeoutMs: 10_000,
  retries: 4,
  retryBaseMs: 500,
  retryMaxMs: 15_000,
  circuitFailures: 5,
  circuitPauseMs: 15_000,
};

export interface RpcFetch {
  /** Stands in for the global `fetch` in web3.js. Answers with a success or throws an `RpcError`. */
  fetch: typeof fetch;
  circuit: Circuit;
  stop(): void;
}

interface Deps {
  /** Passing time, ms. */
  now: () => number;
  random: () => number;
  limits: RpcLimits;
}

/** Fetches with limits, a time-out, bounded repetitions and a circuit. */
export function createRpcFetch({ now, random, limits }: Deps): RpcFetch {
  const limiter: Limiter = createLimiter({ ...limits, now });
  const circuit = createCircuit({
    failures: limits.circuitFailures,
    pauseMs: limits.circuitPauseMs,
    now,
    openError: () => new RpcError('circuit-open'),
    // A full queue of ours is no failure of the node.
    outcomeOf: (error) => (error instanceof RpcError && error.code === 'busy' ? 'ignored' : 'failure'),
  });
  const stopping = new AbortController();

  async function attempt(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Promise<Attempt> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(limits.timeoutMs)]);
    try {
      const response = await fetch(input, { ...init, signal });
      // Read here, within the time-out: a body can hang as well as a head.
      const body = await response.arrayBuffer();
      if (response.ok) return { response: new Response(body, response) };
      return { error: new RpcError(httpCode(response.status), response.status), again: againAfter(response) };
    } catch {
      // The cause may quote the address with its key; what kind of failure it was says enough.
      if (stopping.signal.aborted) return { error: new RpcError('stopped'), again: null };
      return { error: new RpcError(signal.aborted ? 'timeout' : 'network'), again: 0 };
    }
  }

  /** One attempt, and how long to wait before the next one; null when trying again is of no use. */
  async function attemptNth(
    tried: number,
    ...request: Parameters<typeof attempt>
  ): Promise<Attempt & { wait?: number }> {
    const outcome = await attempt(...request);
    if ('response' in outcome || outcome.again === null) return outcome;
    const own = backoff(tried, { base: limits.retryBaseMs, max: limits.retryMaxMs, random });
    // The node's wish counts where it is longer than ours, with our jitter on top, but not without bound.
    const wait = Math.min(limits.retryMaxMs, withRetryAfter(own, outcome.again));
    // Too many requests means all of them, not only this one.
    if (outcome.error.code === 'rate-limited') limiter.hold(wait);
    return { ...outcome, wait };
  }

  async function withRetries(...request: Parameters<typeof attempt>): Promise<Response> {
    for (let tried = 0; ; tried += 1) {
      const outcome = await limiter.run(() => attemptNth(tried, ...request));
      if ('response' in outcome) return outcome.response;
      if (outcome.wait === undefined || tried >= limits.retries) throw outcome.error;
      await pause(outcome.wait, stopping.signal);
    }
  }

  return {
    circuit,
    fetch: (input, init) => circuit.run(() => withRetries(input, init)),
    stop() {
      stopping.abort();
      limiter.stop();
    },
  };
}

/** `again`: ms the node wants us to wait (0: it did not say), null when trying again is of no use. */
type Attempt = { response: Response } | { error: RpcError; again: number | null };

function httpCode(status: number): RpcErrorCode {
  if (status === 429) return 'rate-limited';
  return status === 401 || status === 403 ? 'forbidden' : 'http';
}

function againAfter(response: Response): number | null {
  if (response.status !== 429 && response.status < 500) return null;
  return parseRetryAfter(response.headers.get('retry-after'), Date.now()) ?? 0;
}
