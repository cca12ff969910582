/** The parameters of calls, checked. Everything here throws an RpcError. */
import { PublicKey } from '@solana/web3.js';
import { invalidParams } from './errors.mjs';
import { LEVELS } from './ledger.mjs';

/** 64 bytes in base58, at most. */
const LONGEST_SIGNATURE = 88;
const LONGEST_ADDRESS = 44;

/** @returns {string} */
export function addressParam(value) {
  if (typeof value !== 'string' || value.length > LONGEST_ADDRESS) throw invalidParams('Invalid param: WrongSize');
  try {
    return new PublicKey(value).toBase58();
  } catch {
    throw invalidParams('Invalid param: Invalid');
  }
}

/** @returns {string} */
export function signatureParam(value) {
  const isOne =
    typeof value === 'string' && value.length <= LONGEST_SIGNATURE && /^[1-9A-HJ-NP-Za-km-z]{64,}$/.test(value);
  if (!isOne) throw invalidParams('Invalid param: Invalid');
  return value;
}

/** A list of at most `most`. @returns {unknown[]} */
export function listParam(value, most) {
  if (!Array.isArray(value)) throw invalidParams('invalid type: expected a sequence');
  if (value.length > most) throw invalidParams(`Too many inputs provided; max ${most}`);
  return value;
}

/** A whole number from 0. @returns {number} */
export function countParam(value, most) {
  if (!Number.isSafeInteger(value) || value < 0 || value > most) {
    throw invalidParams(`invalid value: expected a whole number of at most ${most}`);
  }
  return value;
}

/** Options, which may be left out. @returns {Record<string, unknown>} */
export function optionsParam(value) {
  if (value == null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('invalid type: expected an object');
  return value;
}

/** @returns {import('./ledger.mjs').Level} */
export function levelParam(value) {
  if (value === undefined || value === null) return 'finalized';
  if (!LEVELS.includes(value))
    throw invalidParams(`unknown variant \`${value}\`, expected processed, confirmed or finalized`);
  return value;
}

/** How an account is to be shown. */
export function accountOptions(value) {
  const { encoding, dataSlice } = optionsParam(value);
  if (dataSlice == null) return { encoding };
  const { offset, length } = optionsParam(dataSlice);
  return {
    encoding,
    dataSlice: {
      offset: countParam(offset, Number.MAX_SAFE_INTEGER),
      length: countParam(length, Number.MAX_SAFE_INTEGER),
    },
  };
}
