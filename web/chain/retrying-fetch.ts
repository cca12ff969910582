import { ChainError } from './chain-error.ts';

/** On rate limiting the client tries again, so often and at first after so long, then twice as long each time (section 9). */
export const RATE_LIMIT_RETRIES = 5;
export const RATE_LIMIT_DELAY_MS = 500;
/** A node that took the request and is silent for longer is as good as gone. */
const REQUEST_TIMEOUT_MS = 20_000;

const TOO_MANY_REQUESTS = 429;

/**
 * The `fetch` of the chain client. The Solana library's own retries stop after four, and its errors lose what happened;
 * so it gets this one, which tells rate limiting and an unreachable node apart by `ChainError`.
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
