/** Accounts in JSON-RPC's form. */
import bs58 from 'bs58';
import type { AccountState } from '../ledger/engine.ts';
import { parsedTokenData } from '../ledger/token-accounts.ts';
import { invalidParams } from './errors.ts';

/** The encodings of an account's data that clients can request. */
export const ENCODINGS = ['base64', 'jsonParsed', 'base58', 'binary'] as const;

/** Base58 takes time by the square of the length. */
const LONGEST_BASE58 = 128;
/** "Never": accounts are rent-exempt, or they would not exist. JavaScript rounds it as every client does. */
const RENT_EPOCH = 2 ** 64;
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** The form of an account that no longer exists, for its subscribers. */
export const NO_ACCOUNT = {
  data: ['', 'base64'],
  executable: false,
  lamports: 0,
  owner: SYSTEM_PROGRAM,
  rentEpoch: 0,
  space: 0,
};

/** The form of an account that a client requests. */
export interface AccountFormat {
  encoding: (typeof ENCODINGS)[number];
  dataSlice?: { offset: number; length: number };
}

/** Returns the JSON form of an account. `accountAt` looks up a token's mint. */
export function presentAccount(
  state: AccountState,
  { encoding, dataSlice }: AccountFormat,
  accountAt: (address: string) => AccountState | null,
) {
  const parsed = encoding === 'jsonParsed' ? parsedTokenData(state, accountAt) : null;
  const data = dataSlice ? state.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : state.data;
  return {
    data: parsed ?? encodedData(data, encoding),
    executable: state.executable,
    lamports: Number(state.lamports),
    owner: state.owner,
    rentEpoch: RENT_EPOCH,
    space: state.data.length,
  };
}

/** `jsonParsed` falls back to base64 for accounts without a parsed form. */
function encodedData(data: Buffer, encoding: AccountFormat['encoding']): string | [string, string] {
  if (encoding === 'base64' || encoding === 'jsonParsed') return [data.toString('base64'), 'base64'];
  if (data.length > LONGEST_BASE58) {
    throw invalidParams('Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.');
  }
  return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), 'base58'];
}
