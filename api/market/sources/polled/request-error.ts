/** Why a call to a data service failed. Its text never holds an address, a key or what the service answered. */
export type AskErrorCode =
  | 'timeout'
  | 'network'
  | 'rate-limited'
  | 'forbidden'
  | 'refused'
  | 'not-found'
  | 'server'
  | 'not-json'
  | 'too-large'
  | 'circuit-open'
  | 'budget-spent'
  | 'no-key'
  | 'stopped';

const texts: Record<AskErrorCode, string> = {
  timeout: 'The service did not answer in time.',
  network: 'The service could not be reached.',
  'rate-limited': 'The service says that it was asked too often.',
  forbidden: 'The service refuses the key, or the plan does not allow this.',
  refused: 'The service refuses the request.',
  'not-found': 'The service knows nothing of it.',
  server: 'The service failed.',
  'not-json': 'The service answered something that is not JSON.',
  'too-large': 'The answer is larger than allowed.',
  'circuit-open': 'The service failed repeatedly and is left alone for a while.',
  'budget-spent': 'The calls that its rate limit allows are used up for now.',
  'no-key': 'The service needs a key, and none is set.',
  stopped: 'Asking was stopped.',
};

export class AskError extends Error {
  readonly code: AskErrorCode;
  /** HTTP status, when there was an answer. */
  readonly status: number | null;

  constructor(code: AskErrorCode, status: number | null = null) {
    super(status === null ? texts[code] : `${texts[code].slice(0, -1)} (${status}).`);
    this.name = 'AskError';
    this.code = code;
    this.status = status;
  }
}
