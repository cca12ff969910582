import {
  ComputeBudgetProgram,
  Keypair,
  SystemProgram,
  TransactionMessage,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { readTransaction } from './chainReader.ts';

const payer = Keypair.fromSeed(new Uint8Array(32).fill(1)).publicKey;
const other = Keypair.fromSeed(new Uint8Array(32).fill(2)).publicKey;
const meta: VersionedTransactionResponse['meta'] = { fee: 5_000, preBalances: [], postBalances: [], err: null };
const LARGEST = 2n ** 64n - 1n;

const message = new TransactionMessage({
  payerKey: payer,
  recentBlockhash: payer.toBase58(),
  instructions: [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 1_000 }),
    SystemProgram.transfer({ fromPubkey: payer, toPubkey: other, lamports: LARGEST }),
    SystemProgram.allocate({ accountPubkey: payer, space: 10 }),
  ],
});

test.each([
  ['legacy', message.compileToLegacyMessage()],
  ['version 0', message.compileToV0Message()],
])('the transfers of a transaction are read, and nothing else of it: %s', (_name, compiled) => {
  const found = readTransaction({ slot: 1, transaction: { message: compiled, signatures: [] }, meta });
  expect(found).toEqual({
    feePayer: payer.toBase58(),
    feeLamports: 5_000,
    error: null,
    transfers: [{ from: payer.toBase58(), to: other.toBase58(), lamports: LARGEST }],
  });
});

test('without what came of it nothing is known', () => {
  const transaction = { message: message.compileToV0Message(), signatures: [] };
  expect(readTransaction({ slot: 1, transaction, meta: null })).toBeNull();
});
