import { Connection, SolanaJSONRPCError } from '@solana/web3.js';
import type { Random } from '../../common/time.ts';
import { backoff, type CircuitState, pause } from '../platform/resilience.ts';
import { endpointLabel } from './endpoint.ts';
import { RpcError } from './rpc-error.ts';
import { createRpcFetch, defaultLimits, type RpcLimits } from './rpc-fetch.ts';

/** The one way to a Solana node. */
export interface Rpc {
  /**
   * Asks the node; repeats, a bounded number of times, when it answers that it is overloaded (200 with a JSON-RPC
   * error). Fails with an `RpcError` or web3.js' `SolanaJSONRPCError`.
   */
  request<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Host of the node, without anything that may be a key. */
  readonly label: string;
  circuit(): CircuitState;
  /** Ends all calls under way. */
  stop(): void;
}

export interface RpcOptions {
  url: string;
  random: Random;
  limits?: Partial<RpcLimits>;
  /** Passing time in ms. Not the time of day: that may be set back, and calls would wait for it to come round again. */
  monotonic?: () => number;
}

/** JSON-RPC errors that pass: internal/overloaded, node unhealthy or behind, rate limits of providers. */
const passingErrors = new Set<unknown>([-32603, -32005, -32016, -32429, 429]);

export function createRpc(options: RpcOptions): Rpc {
  const { url, random, limits: given = {}, monotonic = () => performance.now() } = options;
  const limits = { ...defaultLimits, ...given };
  const rpcFetch = createRpcFetch({ now: monotonic, random, limits });
  const stopping = new AbortController();
  const connection = new Connection(url, {
    commitment: 'confirmed',
    fetch: rpcFetch.fetch,
    // Ours honours Retry-After and is bounded; theirs would repeat on top of it.
    disableRetryOnRateLimit: true,
    // undici pools connections itself.
    httpAgent: false,
  });

  return {
    label: endpointLabel(url),
    circuit: () => rpcFetch.circuit.state(),
    async request(work) {
      for (let tried = 0; ; tried += 1) {
        try {
          return await work(connection);
        } catch (error) {
          const passes = error instanceof SolanaJSONRPCError && passingErrors.has(error.code);
          if (!passes) throw error;
          if (tried >= limits.retries || stopping.signal.aborted) throw new RpcError('overloaded');
        }
        await pause(backoff(tried, { base: limits.retryBaseMs, max: limits.retryMaxMs, random }), stopping.signal);
      }
    },
    stop() {
      stopping.abort();
      rpcFetch.stop();
    },
  };
}
