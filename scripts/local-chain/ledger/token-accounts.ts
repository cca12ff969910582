/** The accounts of the two SPL token programs, read from their bytes. */
import bs58 from 'bs58';
import type { TokenAmount } from '../storage/records.ts';
import type { AccountState } from './engine.ts';

/** Names of the token programs in the parsed form, by address. */
export const TOKEN_PROGRAMS = new Map([
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'spl-token'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 'spl-token-2022'],
]);

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
/** Token-2022 stores the kind of an account with extensions after the part that all accounts have. */
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;
const FROZEN = 2;

const keyAt = (data: Buffer, offset: number): string => bs58.encode(data.subarray(offset, offset + 32));
/** Reads a key that follows a four-byte flag. */
const optionalKeyAt = (data: Buffer, offset: number): string | null =>
  data.readUInt32LE(offset) === 0 ? null : keyAt(data, offset + 4);

const isKind = (data: Buffer, plainBytes: number, kind: number): boolean =>
  data.length === plainBytes || (data.length > KIND_OFFSET && data[KIND_OFFSET] === kind);

export type TokenAccount = NonNullable<ReturnType<typeof tokenAccountOf>>;

/** Returns null when the account is not an initialized token account. Amounts in base units. */
export function tokenAccountOf(state: AccountState | null) {
  if (!state || !TOKEN_PROGRAMS.has(state.owner) || !isKind(state.data, ACCOUNT_BYTES, KIND_ACCOUNT)) return null;
  const { data } = state;
  if (data[108] === 0) return null; // not initialized
  return {
    program: state.owner,
    mint: keyAt(data, 0),
    owner: keyAt(data, 32),
    amount: data.readBigUInt64LE(64),
    delegate: optionalKeyAt(data, 72),
    frozen: data[108] === FROZEN,
    native: data.readUInt32LE(109) !== 0,
    rentExemptReserve: data.readBigUInt64LE(113),
    delegatedAmount: data.readBigUInt64LE(121),
    closeAuthority: optionalKeyAt(data, 129),
  };
}

/** Returns null when the account is not a mint. */
export function mintOf(state: AccountState | null) {
  if (!state || !TOKEN_PROGRAMS.has(state.owner) || !isKind(state.data, MINT_BYTES, KIND_MINT)) return null;
  const { data } = state;
  return {
    program: state.owner,
    mintAuthority: optionalKeyAt(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data.readUInt8(44),
    isInitialized: data[45] === 1,
    freezeAuthority: optionalKeyAt(data, 46),
  };
}

/** Returns an amount of base units in JSON-RPC's form. */
export function tokenAmount(amount: bigint, decimals: number): TokenAmount {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}

/** Returns the `jsonParsed` form of a mint or a token account; null for any other account. */
export function parsedTokenData(state: AccountState, accountAt: (address: string) => AccountState | null) {
  const program = TOKEN_PROGRAMS.get(state.owner);
  const space = state.data.length;
  const mint = mintOf(state);
  if (mint) {
    const { program: _, supply, ...info } = mint;
    return { program, parsed: { type: 'mint', info: { ...info, supply: supply.toString() } }, space };
  }
  const account = tokenAccountOf(state);
  const decimals = account && mintOf(accountAt(account.mint))?.decimals;
  if (!account || decimals == null) return null;
  const info = {
    isNative: account.native,
    mint: account.mint,
    owner: account.owner,
    state: account.frozen ? 'frozen' : 'initialized',
    tokenAmount: tokenAmount(account.amount, decimals),
    ...(account.native ? { rentExemptReserve: tokenAmount(account.rentExemptReserve, decimals) } : {}),
    ...(account.delegate
      ? { delegate: account.delegate, delegatedAmount: tokenAmount(account.delegatedAmount, decimals) }
      : {}),
    ...(account.closeAuthority ? { closeAuthority: account.closeAuthority } : {}),
  };
  return { program, parsed: { type: 'account', info }, space };
}
