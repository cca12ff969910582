import { createPrivateKey, sign } from 'node:crypto';
import {
  type Keypair,
  MessageV1,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { encodeMessage, encodeTransaction } from '../rpc/encode-message.ts';

/** What a signed transaction of version 1 says of its budget; the network allows no account data unless it is named. */
const CONFIG = { computeUnitLimit: 20_000, loadedAccountsDataSizeLimit: 64 << 20, heapSize: null, priorityFee: 1_000 };
/** DER header of an Ed25519 secret key. */
const SECRET_KEY_HEADER = '302e020100300506032b657004220420';

/** Returns a signed transaction of version 1 with a priority fee of 1,000 lamports. */
export function signedV1(payer: Keypair, instructions: TransactionInstruction[], recentBlockhash: string): Buffer {
  const legacy = new TransactionMessage({ payerKey: payer.publicKey, instructions, recentBlockhash });
  const { header, staticAccountKeys, compiledInstructions } = legacy.compileToV0Message();
  const parts = { header, staticAccountKeys, recentBlockhash, compiledInstructions, transactionConfig: CONFIG };
  const message = new MessageV1(parts);
  const key = Buffer.concat([Buffer.from(SECRET_KEY_HEADER, 'hex'), payer.secretKey.subarray(0, 32)]);
  const secret = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return encodeTransaction(new VersionedTransaction(message, [sign(null, encodeMessage(message), secret)]));
}
