import type { Random } from '../../../common/time.ts';
import { type ReasonCode, reason } from '../../../common/trading/reasons.ts';
import { RpcError } from '../../chain/rpc-error.ts';
import { createRpcFetch, defaultLimits } from '../../chain/rpc-fetch.ts';
import type { Outcome } from '../executors/executor.ts';
import { type BuildResponse, buildResponseSchema } from './build-response.ts';

/** A swap that is asked for: all of `amount` for as much as it brings. Addresses in base58, amounts in base units or lamports. */
export interface BuildRequest {
  inputMint: string;
  outputMint: string;
  amount: bigint;
  /** The wallet that swaps, signs and pays. */
  taker: string;
  slippageBps: number;
}

/** Jupiter's swap API. */
export interface JupiterClient {
  /** Returns the instructions of a swap at this moment; the reason why there are none otherwise. Never rejects. */
  build(request: BuildRequest): Promise<Outcome<BuildResponse>>;
  stop(): void;
}

/** More accounts would not fit into a transaction beside our own instructions. */
const ACCOUNTS_MAX = 40;
/** An order waits for the response. Its worker decides whether to ask again. */
const LIMITS = {
  ...defaultLimits,
  perSecond: 10,
  burst: 10,
  inFlight: 8,
  waiting: 100,
  timeoutMs: 4_000,
  retries: 0,
  circuitFailures: Number.POSITIVE_INFINITY,
};
const BAD_REQUEST = 400;

export function createJupiterClient(deps: {
  /** Without a slash at the end. */
  url: string;
  /** Returns the API key in force; null without one. */
  apiKey: () => string | null;
  random: Random;
  /** How long a response may take, ms. */
  timeoutMs?: number;
  /** Monotonic time, ms. */
  monotonic?: () => number;
}): JupiterClient {
  const { url, apiKey, random, timeoutMs = LIMITS.timeoutMs, monotonic = () => performance.now() } = deps;
  const http = createRpcFetch({ now: monotonic, random, limits: { ...LIMITS, timeoutMs } });

  return {
    stop: http.stop,
    async build({ inputMint, outputMint, amount, taker, slippageBps }) {
      const query = new URLSearchParams({
        inputMint,
        outputMint,
        amount: amount.toString(),
        taker,
        slippageBps: String(slippageBps),
        maxAccounts: String(ACCOUNTS_MAX),
      });
      const key = apiKey();
      try {
        // Elsewhere the key is not to be shown.
        const headers = key === null ? {} : { 'x-api-key': key };
        const response = await http.fetch(`${url}/swap/v2/build?${query}`, { headers, redirect: 'error' });
        const parsed = buildResponseSchema.safeParse(await response.json());
        return parsed.success ? { ok: true, value: parsed.data } : refused('route-unreadable');
      } catch (error) {
        return refused(error instanceof RpcError ? codeOf(error) : 'route-unreadable');
      }
    },
  };
}

function refused(code: ReasonCode): { ok: false; reason: ReturnType<typeof reason> } {
  return { ok: false, reason: reason(code) };
}

function codeOf({ code, status }: RpcError): ReasonCode {
  if (code === 'forbidden') return 'route-denied';
  return status === BAD_REQUEST ? 'no-route' : 'route-away';
}
