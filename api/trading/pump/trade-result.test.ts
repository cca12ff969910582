import {
  Keypair,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { sentAttempt } from '../testing/order-record.ts';
import { tradeResult } from './trade-result.ts';

const wallet = Keypair.generate().publicKey;
const tokenAccount = Keypair.generate().publicKey;
const address = Keypair.generate().publicKey.toBase58();
const FEE = 5_000;
const RENT = 2_039_280;

const purchase = sentAttempt({ wallet: wallet.toBase58(), address });

/** Returns a transaction that paid 1,000,000 lamports for 2,000,000 base units, and whose log a node has cut. */
function withoutEvent(): VersionedTransactionResponse {
  const keys = [wallet, tokenAccount].map((pubkey, at) => ({ pubkey, isSigner: at === 0, isWritable: true }));
  const message = new TransactionMessage({
    payerKey: wallet,
    recentBlockhash: SystemProgram.programId.toBase58(),
    instructions: [new TransactionInstruction({ programId: SystemProgram.programId, keys, data: Buffer.alloc(0) })],
  }).compileToV0Message();
  const uiTokenAmount = { amount: '2000000', decimals: 6, uiAmount: 2 };
  return {
    slot: 7,
    blockTime: 1,
    version: 0,
    transaction: { message, signatures: ['signature'] },
    meta: {
      err: null,
      fee: FEE,
      preBalances: [10_000_000, 0, 1],
      postBalances: [10_000_000 - 1_000_000 - FEE - RENT, RENT, 1],
      preTokenBalances: [],
      postTokenBalances: [{ accountIndex: 1, mint: address, owner: wallet.toBase58(), uiTokenAmount }],
      logMessages: ['Log truncated'],
    },
  };
}

test('the launchpad fee of a trade without a readable event is unknown, and a part of the amount paid [O7]', () => {
  const verdict = tradeResult(purchase, withoutEvent(), 2_000);
  if (verdict?.outcome !== 'landed') return expect.fail(verdict?.reason.code);
  expect(verdict.fill).toMatchObject({
    tokens: 2_000_000n,
    lamports: 1_000_000n,
    price: 0.0005,
    costs: { launchpadFeeLamports: null, networkFeeLamports: FEE, accountRentLamports: RENT },
  });
});
