import type { AccountInfo } from '@solana/web3.js';
import bs58 from 'bs58';
import type { TradedReserves } from '../../../common/tokens/curve-trades.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { noAddress, pumpProgram, wrappedSol } from '../../market/sources/solana/programs.ts';

/** An account as web3.js returns it; null: there is none. */
export type Account = Pick<AccountInfo<Buffer>, 'data' | 'lamports' | 'owner'> | null;

/** Token program and Token-2022, whose accounts are mints and balances. */
export const tokenProgramIds = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const;
export type TokenProgram = (typeof tokenProgramIds)[number];

/** Places in the published account layouts (`idl/pump.json`), after their eight-byte discriminators. */
const CURVE = {
  discriminator: '17b7f83760d8ac60',
  complete: 48,
  creator: 49,
  mayhem: 81,
  quoteMint: 83,
  /** Curves without a quote mint are of before there were others than SOL; without a creator, v2 instructions can't be built. */
  leastBytes: 81,
} as const;
const GLOBAL = {
  discriminator: 'a7e8e8b1c86c727f',
  feeRecipient: 41,
  feeRecipients: 162,
  reservedRecipient: 483,
  reservedRecipients: 516,
  buybackRecipients: 741,
  leastBytes: 997,
} as const;
const MINT_DECIMALS = 44;
const TOKEN_AMOUNT = 64;
const TOKEN_ACCOUNT_BYTES = 165;
const KEY_BYTES = 32;

const keyAt = (data: Buffer, at: number): string => bs58.encode(data.subarray(at, at + KEY_BYTES));
const keysAt = (data: Buffer, at: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => keyAt(data, at + KEY_BYTES * index));
const isOf = (account: Account, discriminator: string, leastBytes: number): account is NonNullable<Account> =>
  account !== null &&
  account.owner.toBase58() === pumpProgram &&
  account.data.length >= leastBytes &&
  account.data.subarray(0, 8).toString('hex') === discriminator;

/** What a trade needs of a coin's bonding curve. */
export interface CurveState {
  reserves: TradedReserves;
  creator: string;
  mayhem: boolean;
}

/** Returns the state of a curve; a reason when it can't be traded, or is not the account that is expected. */
export function readCurve(account: Account): { ok: true; value: CurveState } | { ok: false; reason: Reason } {
  if (account === null) return { ok: false, reason: reason('no-depth') };
  if (!isOf(account, CURVE.discriminator, CURVE.leastBytes)) return { ok: false, reason: reason('interface-changed') };
  const { data } = account;
  const quoteMint = data.length < CURVE.quoteMint + KEY_BYTES ? noAddress : keyAt(data, CURVE.quoteMint);
  if (quoteMint !== noAddress && quoteMint !== wrappedSol) return { ok: false, reason: reason('not-sol') };
  if (data.readUInt8(CURVE.complete) !== 0) return { ok: false, reason: reason('between-venues') };
  const amounts = [8, 16, 24, 32].map((at) => Number(data.readBigUInt64LE(at)));
  const [virtualToken = 0, virtualQuote = 0, realToken = 0, realQuote = 0] = amounts;
  // Beyond 2^53 the maths of numbers is no longer exact; no coin of the launchpad has so much.
  if (virtualToken === 0 || virtualQuote === 0 || !amounts.every(Number.isSafeInteger)) {
    return { ok: false, reason: reason('no-depth') };
  }
  const mayhem = data.length > CURVE.mayhem && data.readUInt8(CURVE.mayhem) !== 0;
  const reserves = { virtualToken, virtualQuote, realToken, realQuote };
  return { ok: true, value: { reserves, creator: keyAt(data, CURVE.creator), mayhem } };
}

/** Recipients of fees, of fees of coins in mayhem mode, and of buybacks, as the program accepts them. */
export interface Recipients {
  fee: readonly string[];
  mayhemFee: readonly string[];
  buyback: readonly string[];
}

/** Returns the recipients in the account `Global`; null when it is not the account that is expected. */
export function readRecipients(account: Account): Recipients | null {
  if (!isOf(account, GLOBAL.discriminator, GLOBAL.leastBytes)) return null;
  const { data } = account;
  const set = (keys: readonly string[]): string[] => [...new Set(keys)].filter((key) => key !== noAddress);
  return {
    fee: set([keyAt(data, GLOBAL.feeRecipient), ...keysAt(data, GLOBAL.feeRecipients, 7)]),
    mayhemFee: set([keyAt(data, GLOBAL.reservedRecipient), ...keysAt(data, GLOBAL.reservedRecipients, 7)]),
    buyback: set(keysAt(data, GLOBAL.buybackRecipients, 8)),
  };
}

/** Returns the token program and the decimals of a mint; null when the account is none. */
export function readMint(account: Account): { tokenProgram: TokenProgram; decimals: number } | null {
  const tokenProgram = tokenProgramIds.find((id) => id === account?.owner.toBase58());
  if (account === null || tokenProgram === undefined || account.data.length <= MINT_DECIMALS) return null;
  return { tokenProgram, decimals: account.data.readUInt8(MINT_DECIMALS) };
}

/** Returns the base units in a token account; 0 when there is none. */
export function readTokens(account: Account): bigint {
  if (account === null || account.data.length < TOKEN_ACCOUNT_BYTES) return 0n;
  return account.data.readBigUInt64LE(TOKEN_AMOUNT);
}
