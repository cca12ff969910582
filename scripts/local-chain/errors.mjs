/** What can go wrong: with the start, with a call, with a transaction. */

const INSTEAD = 'Set SOLANA_RPC_URL to use another cluster.';

/** Why the local chain cannot serve, in one line that also tells the way out. */
export class LocalChainError extends Error {
  /**
   * @param {string} why completes the sentence "The local chain …"
   * @param {ErrorOptions} [options]
   */
  constructor(why, options) {
    super(`The local chain ${why.replace(/\.$/, '')}. ${INSTEAD}`, options);
    // `npm start` prints the message of a StartError as it is, without a stack.
    this.name = 'StartError';
  }
}

/** JSON-RPC and Solana error codes. */
export const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  preflightFailure: -32002,
  signatureFailure: -32003,
  unhealthy: -32005,
  unsupportedVersion: -32015,
  contextSlotNotReached: -32016,
  tooManyRequests: 429,
};

/** An answer that says no. `status`: of the HTTP answer, where it is not 200; `retryAfter`: seconds. */
export class RpcError extends Error {
  /**
   * @param {number} code
   * @param {string} message
   * @param {{ data?: unknown, status?: number, retryAfter?: number }} [more]
   */
  constructor(code, message, { data, status, retryAfter } = {}) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** @param {string} message */
export const invalidParams = (message) => new RpcError(CODES.invalidParams, message);

/** A transaction's error as JSON-RPC shows it: `"BlockhashNotFound"`, `{ InstructionError: [0, { Custom: 1 }] }`, … @typedef {string | Record<string, unknown>} TransactionError */

/**
 * The engine's errors are numbers at run time; only its text has the names that clients know.
 * @param {{ toString(): string }} failed the engine's FailedTransactionMetadata
 * @returns {TransactionError}
 */
export function transactionErrorOf(failed) {
  const text = failed.toString();
  const instruction = /err: InstructionError\((\d+), (\w+)(?:\((\d+|"[^"]*")\))?\)/.exec(text);
  if (instruction) {
    const [, index, name, value] = instruction;
    return { InstructionError: [Number(index), value === undefined ? name : { [name]: JSON.parse(value) }] };
  }
  const account = /err: (\w+) \{ account_index: (\d+) \}/.exec(text);
  if (account) return { [account[1]]: { account_index: Number(account[2]) } };
  const duplicate = /err: DuplicateInstruction\((\d+)\)/.exec(text);
  if (duplicate) return { DuplicateInstruction: Number(duplicate[1]) };
  return /err: (\w+)/.exec(text)?.[1] ?? 'SanitizeFailure';
}

/** The words that validators have for errors; clients show them, or look for them. */
const WORDS = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  SignatureFailure: 'Transaction did not pass signature verification',
  WouldExceedAccountDataTotalLimit: 'Transaction would exceed total account data limit',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  InsufficientFunds: 'insufficient funds for instruction',
  InvalidAccountData: 'invalid account data for instruction',
  InvalidInstructionData: 'invalid instruction data',
  MissingRequiredSignature: 'missing required signature for instruction',
  InvalidArgument: 'invalid program argument',
  IncorrectProgramId: 'incorrect program id for instruction',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  InvalidAccountOwner: 'Invalid account owner',
  AccountAlreadyInitialized: 'instruction requires an uninitialized account',
};

/** @param {TransactionError} error */
export function wordsOf(error) {
  if (typeof error === 'string') return WORDS[error] ?? error;
  if (Array.isArray(error.InstructionError)) {
    const [index, why] = error.InstructionError;
    const words =
      why?.Custom === undefined
        ? (WORDS[why] ?? JSON.stringify(why))
        : `custom program error: 0x${why.Custom.toString(16)}`;
    return `Error processing Instruction ${index}: ${words}`;
  }
  if (error.InsufficientFundsForRent) {
    return `Transaction results in an account (${error.InsufficientFundsForRent.account_index}) with insufficient funds for rent`;
  }
  return JSON.stringify(error);
}
