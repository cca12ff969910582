import { ChainError } from './chain-error.ts';

/** Delay of a failed call on the WebSocket, ms: by then the library knows whether the socket is closed. */
const FAILED_CALL_PAUSE_MS = 1_000;

/** Retries after a rate limit: their number and the first delay, which doubles each time (specification, section 9). */
const RATE_LIMIT_RETRIES = 5;
const RATE_LIMIT_DELAY_MS = 500;
/** A request without a response for longer counts as failed, ms. */
const REQUEST_TIMEOUT_MS = 20_000;

const TOO_MANY_REQUESTS = 429;

/**
 * Creates the `fetch` of the chain client. The Solana library's own retries stop after four and its errors lose the
 * cause; this one distinguishes a rate limit from an unreachable node by `ChainError`.
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

/**
 * Delays failures on the library's WebSocket. The Solana library retries a failed call at once and synchronously, and
 * learns of a closed socket a moment late: a subscription started or ended in that moment is retried forever, the close
 * event is never processed, and the tab hangs. The library has no option for this, so its socket is wrapped.
 */
export function delayFailures(connection: object, sleep: (ms: number) => Promise<void>): void {
  const socket: unknown = Reflect.get(connection, '_rpcWebSocket');
  if (!isCaller(socket)) return;
  const call = socket.call.bind(socket);
  socket.call = async (...args) => {
    try {
      return await call(...args);
    } catch (reason) {
      await sleep(FAILED_CALL_PAUSE_MS);
      throw reason;
    }
  };
}

interface Caller {
  call: (...args: unknown[]) => Promise<unknown>;
}

function isCaller(value: unknown): value is Caller {
  return typeof value === 'object' && value !== null && 'call' in value && typeof value.call === 'function';
}
