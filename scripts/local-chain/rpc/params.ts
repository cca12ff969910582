/** Checks the parameters of calls. Every function throws an `RpcError` for an invalid value. */
import { PublicKey } from '@solana/web3.js';
import { LEVELS, type Level } from '../ledger/confirmations.ts';
import { type AccountFormat, ENCODINGS } from './account-json.ts';
import { invalidParams } from './errors.ts';

/** 64 bytes in base58, at most. */
const LONGEST_SIGNATURE = 88;
const LONGEST_ADDRESS = 44;

export function addressParam(value: unknown): string {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) throw invalidParams('Invalid param: WrongSize');
  try {
    return new PublicKey(value).toBase58();
  } catch {
    throw invalidParams('Invalid param: Invalid');
  }
}

export function signatureParam(value: unknown): string {
  const isValid =
    typeof value === 'string' && value.length <= LONGEST_SIGNATURE && /^[1-9A-HJ-NP-Za-km-z]{64,}$/.test(value);
  if (!isValid) throw invalidParams('Invalid param: Invalid');
  return value;
}

/** Returns a list of at most `max` items. */
export function listParam(value: unknown, max: number): unknown[] {
  if (!Array.isArray(value)) throw invalidParams('invalid type: expected a sequence');
  if (value.length > max) throw invalidParams(`Too many inputs provided; max ${max}`);
  return value;
}

/** Returns a whole number from 0 to `max`. */
export function countParam(value: unknown, max: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max) {
    throw invalidParams(`invalid value: expected a whole number of at most ${max}`);
  }
  return value;
}

/** Returns an object of options; an empty one for a missing value. */
export function optionsParam(value: unknown): Record<string, unknown> {
  if (value == null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('invalid type: expected an object');
  return { ...value };
}

/** Returns a commitment level; `finalized` for a missing value. */
export function levelParam(value: unknown): Level {
  if (value == null) return 'finalized';
  const level = LEVELS.find((one) => one === value);
  if (!level) {
    throw invalidParams(`unknown variant \`${JSON.stringify(value)}\`, expected processed, confirmed or finalized`);
  }
  return level;
}

/** Returns the encoding of an account, and the part of its data to show. */
export function accountFormat(value: unknown, defaultEncoding: AccountFormat['encoding']): AccountFormat {
  const { encoding = defaultEncoding, dataSlice } = optionsParam(value);
  const known = ENCODINGS.find((one) => one === encoding);
  if (!known) throw invalidParams('unsupported encoding');
  if (dataSlice == null) return { encoding: known };
  const { offset, length } = optionsParam(dataSlice);
  return {
    encoding: known,
    dataSlice: {
      offset: countParam(offset, Number.MAX_SAFE_INTEGER),
      length: countParam(length, Number.MAX_SAFE_INTEGER),
    },
  };
}
