import {
  ComputeBudgetProgram,
  Connection,
  Keypair,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  type VersionedTransactionResponse,
} from '@solana/web3.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createChainReader, readTransaction } from './chain-reader.ts';

const payer = Keypair.fromSeed(new Uint8Array(32).fill(1)).publicKey;
const other = Keypair.fromSeed(new Uint8Array(32).fill(2)).publicKey;
const meta: VersionedTransactionResponse['meta'] = { fee: 5_000, preBalances: [], postBalances: [], err: null };
const requestSchema = z.object({ id: z.string(), method: z.string(), params: z.unknown() });
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
])('reads the transfers of a transaction and nothing else: %s', (_name, compiled) => {
  const found = readTransaction({ slot: 1, transaction: { message: compiled, signatures: [] }, meta });
  expect(found).toEqual({
    feePayer: payer.toBase58(),
    feeLamports: 5_000,
    error: null,
    transfers: [{ from: payer.toBase58(), to: other.toBase58(), lamports: LARGEST }],
  });
});

test('ignores bytes after a transfer, as the network does; too few are no transfer', () => {
  const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey: other, lamports: 7 });
  const data = [Buffer.concat([transfer.data, Buffer.alloc(3)]), transfer.data.subarray(0, -1)];
  const compiled = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: payer.toBase58(),
    instructions: data.map((bytes) => new TransactionInstruction({ ...transfer, data: bytes })),
  }).compileToV0Message();
  const found = readTransaction({ slot: 1, transaction: { message: compiled, signatures: [] }, meta });
  expect(found?.transfers).toEqual([{ from: payer.toBase58(), to: other.toBase58(), lamports: 7n }]);
});

test('distinguishes a block that may be dropped from a settled one', async () => {
  const status = (confirmationStatus: string, err: unknown = null) => ({
    slot: 1,
    confirmations: 1,
    err,
    confirmationStatus,
  });
  const value = [status('processed'), status('confirmed', 'X'), status('finalized'), null];
  const node: typeof fetch = async (_url, init) => {
    const { id } = requestSchema.parse(JSON.parse(String(init?.body)));
    return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } });
  };
  const connection = new Connection('http://127.0.0.1', { fetch: node });
  const reader = createChainReader({ request: (question) => question(connection) });
  const { seen, slot } = await reader.sightings(['a', 'b', 'c', 'd'], { history: true, minSlot: 1 });
  expect(slot).toBe(1);
  expect([...seen]).toEqual([
    ['a', { isSettled: false, error: null }],
    ['b', { isSettled: true, error: 'X' }],
    ['c', { isSettled: true, error: null }],
  ]);
});

test('height and slot are those of one finalized block: a transaction given up by it cannot land', async () => {
  const asked: unknown[] = [];
  const node: typeof fetch = async (_url, init) => {
    const { id, method, params } = requestSchema.parse(JSON.parse(String(init?.body)));
    asked.push([method, params]);
    const epoch = { epoch: 0, slotIndex: 9, slotsInEpoch: 432_000 };
    return Response.json({ jsonrpc: '2.0', id, result: { ...epoch, absoluteSlot: 9, blockHeight: 7 } });
  };
  const connection = new Connection('http://127.0.0.1', { commitment: 'confirmed', fetch: node });
  expect(await createChainReader({ request: (question) => question(connection) }).finalized()).toEqual({
    height: 7,
    slot: 9,
  });
  expect(asked).toEqual([['getEpochInfo', [{ commitment: 'finalized' }]]]);
});

test('returns null without the outcome', () => {
  const transaction = { message: message.compileToV0Message(), signatures: [] };
  expect(readTransaction({ slot: 1, transaction, meta: null })).toBeNull();
});
