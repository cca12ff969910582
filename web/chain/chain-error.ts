/** Failures between this page and the chain. */
export type ChainErrorKind =
  | 'rate-limited'
  | 'unreachable'
  | 'expired'
  | 'fee'
  | 'funds'
  | 'rent'
  | 'simulation'
  | 'processed'
  | 'refused';

const texts: Record<ChainErrorKind, string> = {
  'rate-limited': 'The Solana node gets too many requests right now. Wait a minute, then try again.',
  unreachable: 'The Solana node cannot be reached. Try again when the connection is back.',
  expired: 'It was not sent in time: its blockhash has expired. Nothing has left the wallet; try again.',
  fee: 'The wallet does not hold enough SOL for the network fee.',
  funds: 'The wallet does not hold enough SOL for this amount and the fee.',
  rent: 'It would leave an account with less SOL than the network requires. Change the amount.',
  simulation: 'The network refused it when it tried it out.',
  processed: 'The network has this transaction already.',
  refused: 'The Solana node refused the request.',
};

/** Advice added to the texts above, left out where the user cannot retry. */
const ADVICE = / (Wait a minute, then try again|Try again when the connection is back)\.$/;

/** A failure of the chain, its node or the connection. `message` is text for the user. */
export class ChainError extends Error {
  readonly kind: ChainErrorKind;

  constructor(kind: ChainErrorKind, { detail, cause }: { detail?: string; cause?: unknown } = {}) {
    super(detail === undefined ? texts[kind] : `${texts[kind]} (${detail})`, { cause });
    this.name = 'ChainError';
    this.kind = kind;
  }

  /**
   * True for a rejection that proves the transaction is not on its way: the node simulated it and did not forward it.
   */
  get definite(): boolean {
    return refusals.has(this.kind);
  }
}

const refusals: ReadonlySet<ChainErrorKind> = new Set(['expired', 'fee', 'funds', 'rent', 'simulation']);

/** Patterns of validators' messages, which all nodes share, and of the names in a transaction's `err`. */
const signs: readonly [RegExp, ChainErrorKind][] = [
  [/already been processed|AlreadyProcessed/i, 'processed'],
  [/blockhash not found|BlockhashNotFound|block height exceeded/i, 'expired'],
  [/insufficient funds for fee|InsufficientFundsForFee|no record of a prior credit|AccountNotFound/i, 'fee'],
  [/insufficient funds for rent|InsufficientFundsForRent/i, 'rent'],
  // Error 1 of the system program: more lamports than the account holds.
  [/custom program error: 0x1\b|"Custom":1\b|insufficient (funds|lamports)/i, 'funds'],
  [/too many requests|rate limit|\b429\b/i, 'rate-limited'],
  [/simulation failed|signature verification|failed to sanitize/i, 'simulation'],
];

/** Returns the error for a node's message, in our words; the node's words follow where they add something. */
export function chainErrorOfText(text: string, cause?: unknown): ChainError {
  const kind = signs.find(([sign]) => sign.test(text))?.[1] ?? 'refused';
  const adds = kind === 'simulation' || kind === 'refused';
  return new ChainError(kind, { ...(adds ? { detail: text } : {}), cause });
}

/** Returns why a transaction failed on the chain. `err` is the chain's error, e.g. `{"InstructionError":[0,…]}`. */
export function failureReason(err: unknown): string {
  const text = typeof err === 'string' ? err : JSON.stringify(err);
  const { kind, message } = chainErrorOfText(text);
  return kind === 'refused' || kind === 'simulation' ? `The network refused it. (${text})` : message;
}

/** Returns the sentence for any failure. */
export function chainErrorText(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/**
 * Returns the sentence without advice, for a transfer that may be on its way: the page retries by itself, and the user
 * must not.
 */
export function chainErrorReason(reason: unknown): string {
  if (!(reason instanceof ChainError)) return chainErrorText(reason);
  return texts[reason.kind].replace(ADVICE, '');
}
