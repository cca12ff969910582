/** What can go wrong between this page and the chain. */
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

/** What the texts above advise. It is left out where trying again is not up to the user. */
const ADVICE = / (Wait a minute, then try again|Try again when the connection is back)\.$/;

/** A failure of the chain, its node or the way there. `message` is fit for the user. */
export class ChainError extends Error {
  readonly kind: ChainErrorKind;

  constructor(kind: ChainErrorKind, { detail, cause }: { detail?: string; cause?: unknown } = {}) {
    super(detail === undefined ? texts[kind] : `${texts[kind]} (${detail})`, { cause });
    this.name = 'ChainError';
    this.kind = kind;
  }

  /** A transaction that was sent and answered with this is certainly not on its way: the node tried it out and kept it. */
  get definite(): boolean {
    return refusals.has(this.kind);
  }
}

const refusals: ReadonlySet<ChainErrorKind> = new Set(['expired', 'fee', 'funds', 'rent', 'simulation']);

/** By the words of validators, which all nodes share, and by the names in a transaction's `err`. */
const signs: readonly [RegExp, ChainErrorKind][] = [
  [/already been processed|AlreadyProcessed/i, 'processed'],
  [/blockhash not found|BlockhashNotFound|block height exceeded/i, 'expired'],
  [/insufficient funds for fee|InsufficientFundsForFee|no record of a prior credit|AccountNotFound/i, 'fee'],
  [/insufficient funds for rent|InsufficientFundsForRent/i, 'rent'],
  // The system program's error 1: more lamports than the account has.
  [/custom program error: 0x1\b|"Custom":1\b|insufficient (funds|lamports)/i, 'funds'],
  [/too many requests|rate limit|\b429\b/i, 'rate-limited'],
  [/simulation failed|signature verification|failed to sanitize/i, 'simulation'],
];

/** The error behind what a node says. What it means is told in our words; its own stand behind where they add something. */
export function chainErrorOfText(said: string, cause?: unknown): ChainError {
  const kind = signs.find(([sign]) => sign.test(said))?.[1] ?? 'refused';
  const adds = kind === 'simulation' || kind === 'refused';
  return new ChainError(kind, { ...(adds ? { detail: said } : {}), cause });
}

/** Why a transaction that is on the chain failed there. `err` is what the chain says, e.g. `{"InstructionError":[0,…]}`. */
export function whyItFailed(err: unknown): string {
  const said = typeof err === 'string' ? err : JSON.stringify(err);
  const { kind, message } = chainErrorOfText(said);
  return kind === 'refused' || kind === 'simulation' ? `The network refused it. (${said})` : message;
}

/** The sentence for any failure. */
export function chainErrorText(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}

/** The same without advice, for a transfer that may be on its way: the page tries again by itself, and the user must not. */
export function chainErrorReason(reason: unknown): string {
  if (!(reason instanceof ChainError)) return chainErrorText(reason);
  return texts[reason.kind].replace(ADVICE, '');
}
