import { ChainError } from './chain-error.ts';

/** Retries after a rate limit: their number and the first delay, which doubles each time (specification, section 9). */
export const RATE_LIMIT_RETRIES = 5;
export const RATE_LIMIT_DELAY_MS = 500;
/** A request without a response for longer counts as failed, ms. */
const REQUEST_TIMEOUT_MS = 20_000;

const TOO_MANY_REQUESTS = 429;

/**
 * Creates the `fetch` of the chain client. The Solana library's own retries stop after four and its errors lose the
 * cause;
 * this one distinguishes a rate limit from an unreachable node by `ChainError`.
 */
export function retryingFetch(sleep: (ms: number) => Promise<void>): typeof fetch {
  return async (input, init) => {
    for (let retries = 0; ; retries += 1) {
      const response = await once(input, init);
      if (response.status !== TOO_MANY_REQUESTS) return response;
      if (retries === RATE_LIMIT_RETRIES) throw new ChainError('rate-limited');
      await sleep(RATE_LIMIT_DELAY_MS * 2 ** retries);
    }
  };
}

async function once(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  } catch (cause) {
    throw new ChainError('unreachable', { cause });
  }
  if (response.status >= 500) throw new ChainError('unreachable', { detail: `it answers ${response.status}` });
  return response;
}
