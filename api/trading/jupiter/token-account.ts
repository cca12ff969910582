import bs58 from 'bs58';
import { type Account, tokenProgramIds } from '../pump/curve-state.ts';

/** Places in a token account, the same in both token programs. Each optional key begins with four bytes that are 0 without one. */
const MINT = 0;
const OWNER = 32;
const AMOUNT = 64;
const DELEGATE = 72;
const STATE = 108;
const CLOSE_AUTHORITY = 129;
const BYTES = 165;
const KEY_BYTES = 32;
const OPTION_BYTES = 4;

/** A token account with everyone who may dispose of it. Addresses in base58; null: no such authority. */
export interface TokenAccountState {
  mint: string;
  owner: string;
  amount: bigint;
  delegate: string | null;
  closeAuthority: string | null;
  /** 1: usable, 2: frozen. */
  state: number;
}

/** Returns the state of a token account; null for any other account. */
export function readTokenAccount(account: Account): TokenAccountState | null {
  if (account === null || !tokenProgramIds.some((id) => id === account.owner.toBase58())) return null;
  const { data } = account;
  if (data.length < BYTES || data.readUInt8(STATE) === 0) return null;
  const keyAt = (at: number): string => bs58.encode(data.subarray(at, at + KEY_BYTES));
  const optionAt = (at: number): string | null => (data.readUInt32LE(at) === 0 ? null : keyAt(at + OPTION_BYTES));
  return {
    mint: keyAt(MINT),
    owner: keyAt(OWNER),
    amount: data.readBigUInt64LE(AMOUNT),
    delegate: optionAt(DELEGATE),
    closeAuthority: optionAt(CLOSE_AUTHORITY),
    state: data.readUInt8(STATE),
  };
}
