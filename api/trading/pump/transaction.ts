import { createHash } from 'node:crypto';
import {
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  type VersionedMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import type { OrderSide } from '../../../common/trading/machine.ts';
import { buyExactQuoteIn, type CurveTrade, closeTokenAccount, createTokenAccount, sellTokens } from './instructions.ts';
import { pumpAddresses } from './interface.ts';

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

/** A trade on the curve as one transaction. */
export interface TradeTransaction {
  side: OrderSide;
  trade: CurveTrade;
  /** Lamports spent by a purchase, base units of a sale. */
  amount: bigint;
  least: bigint;
  /** Whether the sale empties the wallet's token account, which is closed then. */
  closes: boolean;
  computeLimit: number;
  /** Most that is paid for priority, lamports. */
  priorityLamports: number;
  tipLamports: number;
  /**
   * Makes two trades with equal amounts different transactions; a signature of equal bytes would be the same one, and the network
   * would take it once.
   */
  name: string;
}

/** Compute units that names are spread over. The limit grows by at most this. */
const NAME_SPREAD = 8_192;
const MICRO = 1_000_000;

/** Returns the message (version 0) that the wallet signs and pays for. */
export function tradeMessage(transaction: TradeTransaction, blockhash: string): Uint8Array {
  const { side, trade, amount, least, closes, tipLamports, priorityLamports, name } = transaction;
  const user = new PublicKey(trade.user);
  const number = createHash('sha256').update(name).digest().readUInt32LE(0);
  const units = transaction.computeLimit + (number % NAME_SPREAD);
  const microLamports = Math.floor((priorityLamports * MICRO) / units);
  const tip = () =>
    SystemProgram.transfer({
      fromPubkey: user,
      toPubkey: new PublicKey(tipAccounts[number % tipAccounts.length] ?? tipAccounts[0]),
      lamports: tipLamports,
    });
  const instructions = [
    ComputeBudgetProgram.setComputeUnitLimit({ units }),
    ...(microLamports > 0 ? [ComputeBudgetProgram.setComputeUnitPrice({ microLamports })] : []),
    ...(side === 'buy'
      ? [createTokenAccount(trade), buyExactQuoteIn(trade, amount, least)]
      : [sellTokens(trade, amount, least)]),
    ...(side === 'sell' && closes ? [closeTokenAccount(trade)] : []),
    ...(tipLamports > 0 ? [tip()] : []),
  ];
  return new TransactionMessage({ payerKey: user, recentBlockhash: blockhash, instructions })
    .compileToV0Message()
    .serialize();
}

/** Returns the bytes of a transaction with one signature. */
export function signedBytes(signature: Uint8Array, message: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(1), signature, message]);
}

/** Returns the position of the launchpad's own instruction in a message; null without one. */
export function launchpadIndexOf({ staticAccountKeys, compiledInstructions }: VersionedMessage): number | null {
  const program = staticAccountKeys.findIndex((key) => key.toBase58() === pumpAddresses.program);
  const index = compiledInstructions.findIndex(({ programIdIndex }) => programIdIndex === program);
  return index < 0 ? null : index;
}

/** Returns the same of a signed transaction (base64). Throws when it is none. */
export function launchpadIndexIn(bytes: string): number | null {
  return launchpadIndexOf(VersionedTransaction.deserialize(Buffer.from(bytes, 'base64')).message);
}
