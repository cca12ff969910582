/** Transaction errors: from the engine's form to JSON-RPC's, and to the text of a validator. */
import type { TransactionError } from '../storage/records.ts';

/** Parses the engine's error from its text: its error values are numbers without the names that clients know. */
export function transactionErrorOf(failed: { toString(): string }): TransactionError {
  const text = failed.toString();
  const instruction = /err: InstructionError\((\d+), (\w+)(?:\((\d+|"[^"]*")\))?\)/.exec(text);
  if (instruction) {
    const [, index, name = '', value] = instruction;
    return { InstructionError: [Number(index), value === undefined ? name : { [name]: JSON.parse(value) }] };
  }
  const [, name, account] = /err: (\w+) \{ account_index: (\d+) \}/.exec(text) ?? [];
  if (name !== undefined) return { [name]: { account_index: Number(account) } };
  const duplicate = /err: DuplicateInstruction\((\d+)\)/.exec(text)?.[1];
  if (duplicate !== undefined) return { DuplicateInstruction: Number(duplicate) };
  return /err: (\w+)/.exec(text)?.[1] ?? 'SanitizeFailure';
}

/** The texts of validators: clients show them, or search for them. */
const TEXTS: Record<string, string> = {
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

/** Returns the text of a validator for an error. */
export function describeError(error: TransactionError): string {
  if (typeof error === 'string') return TEXTS[error] ?? error;
  if (Array.isArray(error.InstructionError)) {
    const [index, reason]: unknown[] = error.InstructionError;
    return `Error processing Instruction ${String(index)}: ${describeReason(reason)}`;
  }
  const rent = error.InsufficientFundsForRent;
  if (isObject(rent)) {
    return `Transaction results in an account (${String(rent.account_index)}) with insufficient funds for rent`;
  }
  return JSON.stringify(error);
}

function describeReason(reason: unknown): string {
  if (typeof reason === 'string') return TEXTS[reason] ?? JSON.stringify(reason);
  if (isObject(reason) && typeof reason.Custom === 'number') {
    return `custom program error: 0x${reason.Custom.toString(16)}`;
  }
  return JSON.stringify(reason);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
