import { Connection, SolanaJSONRPCError } from '@solana/web3.js';
import type { CircuitState } from '../../common/sources/model.ts';
import type { Random } from '../../common/time.ts';
import { retry } from '../platform/resilience.ts';
import { endpointLabel } from './endpoint.ts';
import { RpcError } from './rpc-error.ts';
import { createRpcFetch, defaultLimits, type RpcLimits } from './rpc-fetch.ts';

/** JSON-RPC client of a Solana node. */
export type Rpc = ReturnType<typeof createRpc>;

/** Transient JSON-RPC errors: internal/overloaded, node unhealthy or behind, rate limits of providers. */
const transientErrors = new Set<unknown>([-32603, -32005, -32016, -32429, 429]);

export function createRpc(options: {
  url: string;
  random: Random;
  limits?: Partial<RpcLimits>;
  /** Monotonic time, ms: after the time of day is set back, calls would wait for it to catch up. */
  monotonic?: () => number;
}) {
  const { url, random, limits: given = {}, monotonic = () => performance.now() } = options;
  const limits = { ...defaultLimits, ...given };
  const rpcFetch = createRpcFetch({ now: monotonic, random, limits });
  const stopping = new AbortController();
  const connection = new Connection(url, {
    commitment: 'confirmed',
    fetch: rpcFetch.fetch,
    // Our fetch already retries, bounded and by Retry-After.
    disableRetryOnRateLimit: true,
    // undici pools connections itself.
    httpAgent: false,
  });

  return {
    /** Host of the node, without a key. */
    label: endpointLabel(url),
    circuit: (): CircuitState => rpcFetch.circuit.state(),
    /**
     * Resolves with the result of `work`; retries a bounded number of times while the node reports overload (200 with a
     * JSON-RPC error). Throws `RpcError` or web3.js' `SolanaJSONRPCError`.
     */
    async request<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
      try {
        const delay = (error: unknown, backoffMs: number) => (isTransient(error) ? backoffMs : null);
        const { retries, retryBaseMs: base, retryMaxMs: max } = limits;
        return await retry({ retries, base, max, random, delay }, () => work(connection), stopping.signal);
      } catch (error) {
        throw isTransient(error) ? new RpcError('overloaded') : error;
      }
    },
    /** Aborts all calls. */
    stop(): void {
      stopping.abort();
      rpcFetch.stop();
    },
  };
}

function isTransient(error: unknown): boolean {
  return error instanceof SolanaJSONRPCError && transientErrors.has(error.code);
}
