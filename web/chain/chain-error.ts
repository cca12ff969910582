import { type Refusal, refusals, refusalTexts } from '../../common/transactions/failure.ts';

/** Failures between this page and the chain. */
type ChainErrorKind = 'rate-limited' | 'unreachable' | Refusal | 'processed' | 'refused';

const texts: Record<ChainErrorKind, string> = {
  'rate-limited': 'The Solana node gets too many requests right now. Wait a minute, then try again.',
  unreachable: 'The Solana node cannot be reached. Try again when the connection is back.',
  ...refusalTexts,
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

  /** The refusal, when the transaction is certainly not on its way; otherwise null. */
  get refusal(): Refusal | null {
    return refusals.find((refusal) => refusal === this.kind) ?? null;
  }
}

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
