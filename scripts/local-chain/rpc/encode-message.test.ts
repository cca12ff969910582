import { MessageV1, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect, test } from 'vitest';
import { encodeMessage, encodeTransaction } from './encode-message.ts';

const key = (byte: number) => new PublicKey(Buffer.alloc(32, byte));

/** A message whose bytes are written by hand from SIMD-0385. */
const message = new MessageV1({
  header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
  staticAccountKeys: [key(0xa1), key(0xa2), key(0xa3)],
  recentBlockhash: bs58.encode(Buffer.alloc(32, 0xbb)),
  compiledInstructions: [
    { programIdIndex: 2, accountKeyIndexes: [0, 1], data: Uint8Array.of(9, 8, 7) },
    { programIdIndex: 2, accountKeyIndexes: [1], data: new Uint8Array(258).fill(6) },
  ],
  transactionConfig: {
    priorityFee: 1_000,
    computeUnitLimit: 20_000,
    loadedAccountsDataSizeLimit: 0x0400_0000,
    heapSize: 32_768,
  },
});
const bytes = [
  '81', // version 1
  '01 00 01', // signers, read-only signers, other read-only accounts
  '1f 00 00 00', // all parts of the config
  'bb'.repeat(32),
  '02 03', // instructions, accounts
  'a1'.repeat(32),
  'a2'.repeat(32),
  'a3'.repeat(32),
  'e8 03 00 00 00 00 00 00', // priority fee
  '20 4e 00 00', // compute units
  '00 00 00 04', // data size
  '00 80 00 00', // heap
  '02 02 03 00', // program, number of accounts, length of data
  '02 01 02 01',
  '00 01 09 08 07',
  '01',
  '06'.repeat(258),
].join('');
const written = Buffer.from(bytes.replaceAll(' ', ''), 'hex');

test('writes a message of version 1 as specified, and web3.js reads it back', () => {
  expect(encodeMessage(message).toString('hex')).toBe(written.toString('hex'));
  expect(MessageV1.deserialize(written)).toEqual(message);
});

test('leaves out the parts of the config that are not named', () => {
  const none = { priorityFee: null, computeUnitLimit: null, loadedAccountsDataSizeLimit: null, heapSize: null };
  const plain = new MessageV1({ ...message, transactionConfig: none });
  expect(encodeMessage(plain).subarray(4, 8).toString('hex')).toBe('00000000');
  expect(encodeMessage(plain)).toHaveLength(written.length - 20);
  expect(MessageV1.deserialize(encodeMessage(plain))).toEqual(plain);
});

test('puts the signatures behind a message of version 1', () => {
  const signature = new Uint8Array(64).fill(5);
  const transaction = new VersionedTransaction(message, [signature]);
  expect(encodeTransaction(transaction)).toEqual(Buffer.concat([written, signature]));
  const read = VersionedTransaction.deserialize(new Uint8Array(encodeTransaction(transaction)));
  expect(read).toEqual(transaction);
});
