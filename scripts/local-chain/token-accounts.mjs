/** The two SPL token programs' accounts, read from their bytes. */
import bs58 from 'bs58';

/** Token programs, by what the parsed form calls them. */
export const TOKEN_PROGRAMS = new Map([
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'spl-token'],
  ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 'spl-token-2022'],
]);

const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
/** Token-2022 puts the kind of an account with extensions behind the part that all accounts have. */
const KIND_OFFSET = 165;
const KIND_MINT = 1;
const KIND_ACCOUNT = 2;
const FROZEN = 2;

const keyAt = (data, offset) => bs58.encode(data.subarray(offset, offset + 32));
/** A value behind a four-byte flag. */
const optionalKeyAt = (data, offset) => (data.readUInt32LE(offset) === 0 ? null : keyAt(data, offset + 4));

const isKind = (data, plainBytes, kind) =>
  data.length === plainBytes || (data.length > KIND_OFFSET && data[KIND_OFFSET] === kind);

/** @typedef {import('./engine.mjs').AccountState} AccountState */

/**
 * @param {AccountState | null} state
 * @returns null when it is no token account
 */
export function tokenAccountOf(state) {
  if (!state || !TOKEN_PROGRAMS.has(state.owner) || !isKind(state.data, ACCOUNT_BYTES, KIND_ACCOUNT)) return null;
  const { data } = state;
  if (data[108] === 0) return null; // not initialised
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

/**
 * @param {AccountState | null} state
 * @returns null when it is no mint
 */
export function mintOf(state) {
  if (!state || !TOKEN_PROGRAMS.has(state.owner) || !isKind(state.data, MINT_BYTES, KIND_MINT)) return null;
  const { data } = state;
  return {
    program: state.owner,
    mintAuthority: optionalKeyAt(data, 0),
    supply: data.readBigUInt64LE(36),
    decimals: data[44],
    isInitialized: data[45] === 1,
    freezeAuthority: optionalKeyAt(data, 46),
  };
}

/** @param {bigint} amount base units @param {number} decimals */
export function tokenAmount(amount, decimals) {
  const digits = amount.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const text = fraction === '' ? whole : `${whole}.${fraction}`;
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text };
}

/** What `jsonParsed` shows; null for what is neither mint nor token account. */
export function parsedTokenData(state, accountAt) {
  const program = TOKEN_PROGRAMS.get(state.owner);
  const space = state.data.length;
  const mint = mintOf(state);
  if (mint) {
    const { program: _, supply, ...info } = mint;
    return { program, parsed: { type: 'mint', info: { ...info, supply: supply.toString() } }, space };
  }
  const account = tokenAccountOf(state);
  const decimals = account && mintOf(accountAt(account.mint))?.decimals;
  if (!account || decimals === undefined) return null;
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
