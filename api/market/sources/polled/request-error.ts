const texts = {
  timeout: 'The service did not respond in time.',
  network: 'The service could not be reached.',
  'rate-limited': 'The service reports too many requests.',
  forbidden: 'The service rejects the key, or the plan does not include this request.',
  refused: 'The service rejected the request.',
  'not-found': 'The service has no data for this request.',
  server: 'The service failed.',
  'not-json': 'The service responded with something other than JSON.',
  'too-large': 'The response is larger than allowed.',
  'circuit-open': 'The service failed repeatedly; requests are paused.',
  'budget-spent': 'The rate limit of the service is used up for now.',
  'allowance-paced': 'The monthly allowance is spread over the month; the next request has to wait.',
  'allowance-spent': 'The monthly allowance of the plan is used up.',
  'no-key': 'The service needs a key, and none is set.',
  stopped: 'The request was cancelled.',
};

export type RequestErrorCode = keyof typeof texts;

/** A failed request to a data service. Its text never contains an address, a key or a part of the response. */
export class RequestError extends Error {
  readonly code: RequestErrorCode;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** Delay that the service requested with `Retry-After`, ms; null without one. */
  readonly retryAfterMs: number | null;

  constructor(code: RequestErrorCode, status: number | null = null, retryAfterMs: number | null = null) {
    super(status === null ? texts[code] : `${texts[code].slice(0, -1)} (${status}).`);
    this.name = 'RequestError';
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Resolves with null where the service has no data for one token (`not-found`, `refused`), so that the run goes on with the
 * next token. Rethrows other failures.
 */
export async function nullIfUnknown(response: Promise<unknown>): Promise<unknown> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof RequestError && (error.code === 'not-found' || error.code === 'refused')) return null;
    throw error;
  }
}
