/**
 * The closed list of failures at an edge of the product, REST or socket.
 *
 * `status` is the HTTP status; `text` is the default message for the user.
 * Callers distinguish errors by `code`, never by `text`.
 */
export const errors = {
  'invalid-input': { status: 400, text: 'Some of the input is not valid.' },
  'malformed-json': { status: 400, text: 'The request body is not valid JSON.' },
  unauthenticated: { status: 401, text: 'Please log in to continue.' },
  'wrong-credentials': { status: 401, text: 'Invalid username or password' },
  forbidden: { status: 403, text: "You don't have permission to access this resource" },
  'foreign-origin': { status: 403, text: 'Requests from another site are not accepted.' },
  'unknown-host': {
    status: 421,
    text: 'Mintwatch is not set up for this address. The operator can set PUBLIC_URL to it, and a proxy has to pass the requested host on.',
  },
  'not-found': { status: 404, text: 'There is nothing at this address.' },
  'token-not-found': { status: 404, text: 'No token with this address is known.' },
  'method-not-allowed': { status: 405, text: 'This address does not accept that method.' },
  'key-mismatch': { status: 400, text: 'This private key does not belong to this wallet address.' },
  'password-needed': { status: 403, text: 'Please enter your password to continue.' },
  'code-needed': { status: 401, text: 'Please enter the code of your authenticator app.' },
  'wrong-code': { status: 403, text: 'This code is not valid. Please enter the current one.' },
  'second-factor-on': { status: 409, text: 'Two-step login is already on.' },
  'second-factor-off': { status: 409, text: 'Two-step login is off.' },
  'wrong-password': { status: 403, text: 'This is not your password.' },
  'no-key': { status: 404, text: 'This wallet has no private key here.' },
  'wallet-has-key': {
    status: 409,
    text: 'Your current wallet has a private key here. Confirm that it may be replaced.',
  },
  'no-wallet': { status: 409, text: 'No wallet is set.' },
  'open-positions': { status: 409, text: 'This wallet has open positions. Choose to close or to abandon them.' },
  'limit-reached': { status: 409, text: 'You have reached the limit. Delete one to add another.' },
  'trading-off': { status: 409, text: 'Trading is switched off on this server.' },
  'trading-stopped': { status: 409, text: 'Trading is stopped.' },
  'over-limit': { status: 409, text: 'This exceeds your limit a trade.' },
  'day-budget': { status: 409, text: "This needs more than is left of today's budget." },
  'too-many-open': { status: 409, text: 'You have open positions in as many tokens as your limit allows.' },
  'day-loss': { status: 409, text: "Today's losses reached your limit." },
  cooldown: { status: 409, text: 'Your cooldown has not ended yet.' },
  'unknown-orders': { status: 409, text: 'Several of your orders have no verdict yet. Buying waits for the chain.' },
  'no-money': { status: 409, text: 'Your wallet has too little SOL for this with all costs.' },
  'no-tokens': { status: 409, text: 'Your wallet holds nothing of this token.' },
  'being-sold': { status: 409, text: 'This position is being sold already.' },
  blacklisted: { status: 409, text: 'This token is on your blacklist.' },
  slippage: { status: 409, text: 'The price moved beyond your limit.' },
  impact: { status: 409, text: 'This would move the price beyond your limit for price and slippage.' },
  'too-small': { status: 409, text: 'The amount is too small to buy or sell anything.' },
  'stale-market': { status: 409, text: "This token's source is not live." },
  'no-price': { status: 409, text: 'This token has no known price yet.' },
  'not-tradable': { status: 409, text: 'This token cannot be traded right now.' },
  'changed-meanwhile': { status: 409, text: 'This has changed meanwhile. Nothing was saved; please try again.' },
  'already-sent': { status: 409, text: 'It was sent already; what becomes of it shows here.' },
  'confirm-needed': { status: 409, text: 'Please confirm this first.' },
  'not-enough-magic-points': { status: 409, text: 'Not enough magic points.' },
  'level-not-next': { status: 409, text: 'A level up adds exactly 1 to the level.' },
  'already-running': { status: 409, text: 'This is already running.' },
  'last-admin': { status: 409, text: 'This is the last administrator. Make another user an administrator first.' },
  'default-needed': {
    status: 409,
    text: 'Each type needs a default. Make another template of this type the default instead.',
  },
  'bot-not-connected': { status: 409, text: 'The Telegram bot is not connected.' },
  'name-taken': { status: 409, text: 'This name is already taken.' },
  'alert-exists': { status: 409, text: 'You already have this price alert.' },
  'username-taken': { status: 409, text: 'This username is already taken.' },
  'body-too-large': { status: 413, text: 'The request body is larger than 64 kB.' },
  'unsupported-media-type': { status: 415, text: 'Send the request body as application/json.' },
  'expectation-failed': { status: 417, text: 'The server cannot do what the Expect header asks for.' },
  'too-many-requests': { status: 429, text: 'Too many attempts. Please wait a moment and try again.' },
  protocol: { status: 426, text: 'This page is out of date. Please reload it.' },
  'unknown-event': { status: 400, text: 'The server does not know this event.' },
  'unknown-topic': { status: 404, text: 'There is no such topic.' },
  'key-unreadable': {
    status: 500,
    text: 'The stored private key cannot be read: it was changed, or the master key is another one. Please tell the operator.',
  },
  internal: { status: 500, text: 'Something went wrong on our side. Please try again.' },
  'chain-unavailable': {
    status: 503,
    text: 'The Solana node is not reachable right now. Please try again in a moment.',
  },
  'sources-unavailable': { status: 503, text: 'None of the sources answered.' },
  'no-worker': {
    status: 503,
    text: 'The part of the server that does this is not reachable right now. Please try again in a moment.',
  },
  busy: { status: 503, text: 'The server is busy right now. Please try again in a moment.' },
  unavailable: { status: 503, text: 'The database is not reachable right now. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof errors;

/**
 * The body of every failed REST call and the shape of every error ack. `details` names the invalid fields; of a refused order, or
 * of `open-positions`, its figures, as text: lamports in names that end with `Lamports`, basis points in `Bps`, times (epoch ms) in `At`.
 */
export interface ErrorBody {
  error: string;
  code: ErrorCode;
  details?: FieldErrors;
}

/** Returns true when the database is unavailable. The failure is expected then, and is logged once where it is detected. */
export function isAway(error: unknown): boolean {
  return error instanceof PublicError && error.code === 'unavailable';
}

/** Error messages by field name (dotted path, or `''` for the whole input); figures by name for a refused order. */
export type FieldErrors = Record<string, string[]>;

/** A failure that may be shown to clients. Any other error becomes `internal` and is logged. */
export class PublicError extends Error {
  readonly code: ErrorCode;
  readonly details: FieldErrors | undefined;
  /** Seconds to wait, sent as `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, options: { text?: string; details?: FieldErrors; retryAfter?: number } = {}) {
    super(options.text ?? errors[code].text);
    this.name = 'PublicError';
    this.code = code;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return errors[this.code].status;
  }

  body(): ErrorBody {
    return { error: this.message, code: this.code, ...(this.details ? { details: this.details } : {}) };
  }
}
