import { createHash } from 'node:crypto';
import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { buyExactQuoteIn, type CurveTrade, closeTokenAccount, createTokenAccount, sellTokens } from './instructions.ts';
import { JUPITER_PROGRAM, pumpAddresses, pumpDiscriminators } from './interface.ts';

/** Largest transaction that the network takes, bytes. */
export const TRANSACTION_BYTES_MAX = 1_232;

/**
 * Accounts for tips of validators' block builder Jito (docs.jito.wtf, tip accounts, checked November 2026). Any one counts; several spread
 * the write locks.
 */
export const tipAccounts = [
  '96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5',
  'HFqU5x63VTqvQss8hp11i4wVV8bD44PvwucfZ2bU7gRe',
  'Cw8CFyM9FkoMi7K7Crf6HNQqf4uEMzpKw6QNghXLvLkY',
  'ADaUMid9yfUytqMBgopwjb2DTLSokTSzL1zt6iGPaS49',
  'DfXygSm4jCyNCybVYYK6DwvWqjKee8pbDmJGcLWNDXjh',
  'ADuUkR4vqLUMWXxW9gh6D6L8pMSawimctcNZ5pGwDcEt',
  'DttWaMuVvTiduZRnguLF7jNxTgiMBZ1hyAumKUiL2KRL',
  '3AVi9Tg9Uo68tJfuvoKvqKNWKkC5wPdSSdeBnizKZ6jT',
] as const;

/**
 * Jito's block engine accepts a bundle with a transaction that names a key with this beginning only when the transaction comes first in
 * it (docs.jito.wtf, sandwich mitigation, checked November 2026). No account has to exist under it.
 */
const DONT_FRONT = 'jitodontfront111111111111111111111111111111';

/** What a transaction may use. `dataBytes`: data of all its accounts; null: as much as the network allows. */
export interface ComputeBudget {
  units: number;
  dataBytes: number | null;
}

/** What a trade may use, and pays to the network. */
export interface TransactionPayment {
  budget: ComputeBudget;
  /** Most that is paid for priority, lamports. */
  priorityLamports: number;
  tipLamports: number;
  /** Whether Jito's block engine is to accept no bundle with another transaction before it; missing: no. */
  isProtected?: boolean | undefined;
  /**
   * Makes two trades with equal amounts different transactions; a signature of equal bytes would be the same one, and the network
   * would take it once.
   */
  name: string;
}

/** A trade on the curve as one transaction. */
export interface TradeTransaction extends TransactionPayment {
  side: OrderSide;
  trade: CurveTrade;
  /** Lamports spent by a purchase, base units of a sale. */
  amount: bigint;
  least: bigint;
  /** Whether the sale empties the wallet's token account, which is closed then. */
  closes: boolean;
}

/** Compute units that names are spread over. The limit grows by at most this. */
const NAME_SPREAD = 8_192;
const MICRO = 1_000_000;

/** Returns the message (version 0) of a trade on the curve, which the wallet signs and pays for. */
export function tradeMessage(transaction: TradeTransaction, blockhash: string): Uint8Array {
  const { side, trade, amount, least, closes } = transaction;
  const instructions = [
    ...(side === 'buy'
      ? [createTokenAccount(trade), buyExactQuoteIn(trade, amount, least)]
      : [sellTokens(trade, amount, least)]),
    ...(side === 'sell' && closes ? [closeTokenAccount(trade)] : []),
  ];
  return paidMessage(trade.user, instructions, transaction, { blockhash }).serialize();
}

/** Returns the message (version 0) with these instructions, its compute budget, and its tip. The wallet signs and pays. */
export function paidMessage(
  wallet: string,
  trade: readonly TransactionInstruction[],
  { budget, priorityLamports, tipLamports, isProtected = false, name }: TransactionPayment,
  { blockhash, tables = [] }: { blockhash: string; tables?: AddressLookupTableAccount[] },
) {
  const payerKey = new PublicKey(wallet);
  const number = createHash('sha256').update(name).digest().readUInt32LE(0);
  const units = budget.units + (number % NAME_SPREAD);
  const microLamports = Math.floor((priorityLamports * MICRO) / units);
  const unitLimit = ComputeBudgetProgram.setComputeUnitLimit({ units });
  const tip = () =>
    SystemProgram.transfer({
      fromPubkey: payerKey,
      toPubkey: new PublicKey(tipAccounts[number % tipAccounts.length] ?? tipAccounts[0]),
      lamports: tipLamports,
    });
  const instructions = [
    isProtected ? withDontFront(unitLimit) : unitLimit,
    ...(budget.dataBytes === null ? [] : [dataLimit(budget.dataBytes)]),
    ...(microLamports > 0 ? [ComputeBudgetProgram.setComputeUnitPrice({ microLamports })] : []),
    ...trade,
    ...(tipLamports > 0 ? [tip()] : []),
  ];
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message(tables);
}

/** Returns an instruction that also names Jito's key. The compute budget program reads no accounts, so nothing else changes. */
function withDontFront({ programId, data }: TransactionInstruction): TransactionInstruction {
  const keys = [{ pubkey: new PublicKey(DONT_FRONT), isSigner: false, isWritable: false }];
  return new TransactionInstruction({ programId, keys, data });
}

/** Number of the instruction `SetLoadedAccountsDataSizeLimit`, which web3.js lacks. */
const SET_DATA_LIMIT = 4;

/** Returns the instruction that limits the data of all accounts of its transaction, bytes. */
export function dataLimit(bytes: number): TransactionInstruction {
  const data = Buffer.alloc(5);
  data.writeUInt8(SET_DATA_LIMIT, 0);
  data.writeUInt32LE(bytes, 1);
  return new TransactionInstruction({ programId: ComputeBudgetProgram.programId, keys: [], data });
}

/** Returns the bytes of a transaction with one signature. */
export function signedBytes(signature: Uint8Array, message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(1), signature, message]);
}

/** Positions of instructions in a transaction; null without one. */
export interface TradeInstructions {
  /** The launchpad's own trade on the curve. */
  launchpad: number | null;
  /** The swap in a pool, by Jupiter or by the local chain's program. */
  swap: number | null;
}

/** Returns the positions of the trades in a message. */
export function tradesIn({ staticAccountKeys, compiledInstructions }: VersionedMessage): TradeInstructions {
  const indexOf = (isWanted: (program: string | undefined, name: string) => boolean): number | null => {
    const index = compiledInstructions.findIndex(({ programIdIndex, data }) =>
      isWanted(staticAccountKeys[programIdIndex]?.toBase58(), Buffer.from(data.subarray(0, 8)).toString('hex')),
    );
    return index < 0 ? null : index;
  };
  const isOnCurve = (name: string) => Object.values<string>(pumpDiscriminators).includes(name);
  return {
    launchpad: indexOf((program, name) => program === pumpAddresses.program && isOnCurve(name)),
    swap: indexOf(
      (program, name) => program === JUPITER_PROGRAM || (program === pumpAddresses.program && !isOnCurve(name)),
    ),
  };
}

/** Returns the same of a signed transaction (base64). Throws when it is none. */
export function tradesInBytes(bytes: string): TradeInstructions {
  return tradesIn(VersionedTransaction.deserialize(Buffer.from(bytes, 'base64')).message);
}
