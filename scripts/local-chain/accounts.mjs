/** Accounts as JSON-RPC shows them. */
import bs58 from 'bs58';
import { invalidParams } from './errors.mjs';
import { parsedTokenData } from './token-accounts.mjs';

/** How the data of an account can be asked for. */
export const ENCODINGS = ['base64', 'jsonParsed', 'base58', 'binary'];

/** Base58 takes time by the square of the length. */
const LONGEST_BASE58 = 128;
/** "Never": accounts are rent-exempt, or they would not be there. JavaScript rounds it as every client does. */
const RENT_EPOCH = 2 ** 64;
const SYSTEM_PROGRAM = '11111111111111111111111111111111';

/** What subscribers get of an account that is gone. */
export const NO_ACCOUNT = {
  data: ['', 'base64'],
  executable: false,
  lamports: 0,
  owner: SYSTEM_PROGRAM,
  rentEpoch: 0,
  space: 0,
};

function encodedData(data, encoding) {
  switch (encoding) {
    case 'base64':
    case 'jsonParsed': // what can't be parsed
      return [data.toString('base64'), 'base64'];
    case 'base58':
    case 'binary':
      if (data.length > LONGEST_BASE58) {
        throw invalidParams('Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.');
      }
      return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), 'base58'];
    default:
      throw invalidParams('unsupported encoding');
  }
}

/**
 * @param {import('./engine.mjs').AccountState} state
 * @param {{ encoding?: string, dataSlice?: { offset: number, length: number } }} how
 * @param {(address: string) => import('./engine.mjs').AccountState | null} accountAt to look up a token's mint
 */
export function presentAccount(state, { encoding = 'base58', dataSlice }, accountAt) {
  const parsed = encoding === 'jsonParsed' ? parsedTokenData(state, accountAt) : null;
  const shown = dataSlice ? state.data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length) : state.data;
  return {
    data: parsed ?? encodedData(shown, encoding),
    executable: state.executable,
    lamports: Number(state.lamports),
    owner: state.owner,
    rentEpoch: RENT_EPOCH,
    space: state.data.length,
  };
}
