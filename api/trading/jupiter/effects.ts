import { PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { TradingNode } from '../executors/trading-node.ts';
import { type Account, tokenProgramIds } from '../pump/curve-state.ts';

/** What a transaction may do to a wallet at most, and has to do at least. Amounts in lamports and base units. */
export interface AllowedEffects {
  side: OrderSide;
  wallet: string;
  /** The wallet's account for the traded token. */
  tokenAccount: string;
  /** Base units of a sale; 0 for a purchase. */
  sold: bigint;
  /** Least result: base units of a purchase, lamports before all costs of a sale. */
  least: bigint;
  /** Least change of the wallet's lamports with all costs; negative for a purchase. */
  leastChange: bigint;
}

/** An account before and after a simulated transaction. */
export interface SimulatedAccount {
  address: string;
  before: Account;
  after: Account;
}

/** Returns why a transaction is not signed for its effects on the wallet and the token accounts of the wallet; null when it may be. */
export function effectRefusal(accounts: readonly SimulatedAccount[], allowed: AllowedEffects): Reason | null {
  const { side, wallet, leastChange, tokenAccount, least } = allowed;
  const walletAccount = accounts.find(({ address }) => address === wallet);
  if (!walletAccount?.after) return reason('route-authority');
  const { before, after } = walletAccount;
  // A wallet that was assigned to a program could not sign for its SOL any more.
  if (!after.owner.equals(SystemProgram.programId) || after.data.length > 0) return reason('route-authority');
  for (const account of accounts) {
    const refusal = account === walletAccount ? null : tokenRefusal(account, allowed);
    if (refusal) return refusal;
  }
  const change = BigInt(after.lamports) - BigInt(before?.lamports ?? 0);
  if (change < leastChange) return lamportsRefusal(change, allowed);
  const traded = accounts.find(({ address }) => address === tokenAccount);
  const gained = amountOf(traded?.after ?? null) - amountOf(traded?.before ?? null);
  return side === 'buy' && gained < least ? shortfall(gained, least) : null;
}

function lamportsRefusal(change: bigint, { side, least, leastChange }: AllowedEffects): Reason {
  if (side === 'sell') return shortfall(least + change - leastChange, least);
  return reason('route-overspends', { spentLamports: Number(-change), limitLamports: Number(-leastChange) });
}

const amountOf = (account: Account): bigint => readTokenAccount(account)?.amount ?? 0n;

/** Returns why a transaction may not change a token account of the wallet so. */
function tokenRefusal({ address, before, after }: SimulatedAccount, allowed: AllowedEffects): Reason | null {
  const { wallet, tokenAccount, sold } = allowed;
  const [was, is] = [readTokenAccount(before), readTokenAccount(after)];
  if (was?.owner !== wallet) return is?.owner === wallet && !isFree(is) ? reason('route-authority') : null;
  const mayTake = address === tokenAccount ? sold : 0n;
  if (is === null) return address === tokenAccount && was.amount <= mayTake ? null : reason('route-tokens');
  if (!haveSameAuthorities(was, is)) return reason('route-authority');
  return was.amount - is.amount > mayTake ? reason('route-tokens') : null;
}

const isFree = ({ delegate, closeAuthority }: TokenAccountState): boolean =>
  delegate === null && closeAuthority === null;

function haveSameAuthorities(one: TokenAccountState, other: TokenAccountState): boolean {
  return (
    one.owner === other.owner &&
    one.mint === other.mint &&
    one.delegate === other.delegate &&
    one.closeAuthority === other.closeAuthority &&
    one.state === other.state
  );
}

/** The result of a simulated transaction: its error, or the compute units that it took and why it may not be signed (null: it may). */
type SimulatedTrade =
  | { isDone: false; error: unknown }
  | { isDone: true; units: number | null; refusal: Reason | null };

/**
 * Executes an unsigned transaction on the node without effect, and checks what it would do to the wallet and to all of the wallet's token
 * accounts that it may write. Rejects while the node is away.
 */
export async function simulateTrade(
  node: Pick<TradingNode, 'accounts' | 'simulate'>,
  bytes: Buffer,
  instructions: readonly TransactionInstruction[],
  allowed: AllowedEffects,
): Promise<SimulatedTrade> {
  const written = instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable));
  const addresses = [
    ...new Set([allowed.wallet, allowed.tokenAccount, ...written.map(({ pubkey }) => pubkey.toBase58())]),
  ];
  const { accounts: before } = await node.accounts(addresses.map((address) => new PublicKey(address)));
  // Accounts of others change as the market does. A new one may become the wallet's.
  const concerned = addresses
    .map((address, index) => ({ address, before: before[index] ?? null }))
    .filter(({ address, before: one }) => {
      return address === allowed.wallet || one === null || readTokenAccount(one)?.owner === allowed.wallet;
    });
  const keys = concerned.map(({ address }) => new PublicKey(address));
  const { error, units, accounts: after } = await node.simulate(bytes, keys);
  if (error !== null) return { isDone: false, error };
  if (after.length !== concerned.length) return { isDone: true, units, refusal: reason('chain-error') };
  const simulated = concerned.map((account, index) => ({ ...account, after: after[index] ?? null }));
  return { isDone: true, units, refusal: effectRefusal(simulated, allowed) };
}

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
interface TokenAccountState {
  mint: string;
  owner: string;
  amount: bigint;
  delegate: string | null;
  closeAuthority: string | null;
  /** 1: usable, 2: frozen. */
  state: number;
}

/** Returns the state of a token account; null for any other account. */
function readTokenAccount(account: Account): TokenAccountState | null {
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

const TENTHS_OF_A_PERCENT = 1_000n;
const BPS_PER_TENTH = 10;

/**
 * Returns the reason `route-shortfall` of a trade that brings less than `least` (base units of a purchase, lamports before all costs
 * of a sale), with the missing share of it, rounded up to a tenth of a percent: at most all. Without a share when `least` is 0.
 */
export function shortfall(brings: bigint, least: bigint): Reason {
  if (least === 0n) return reason('route-shortfall');
  const missing = brings > 0n ? least - brings : least;
  const tenths = (missing * TENTHS_OF_A_PERCENT + least - 1n) / least;
  return reason('route-shortfall', { shortBps: Number(tenths) * BPS_PER_TENTH });
}
