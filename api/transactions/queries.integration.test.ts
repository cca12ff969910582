import { Types } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import { type Explained, expectIndexed, explainer } from '../testing/explain.ts';
import { type TransactionRecord, transactionModel } from './model.ts';
import { createTransactions, type Transactions } from './service.ts';

const USER = '64b0000000000000000000a1';
const NOW = Date.parse('2026-11-21T04:00:00Z');

const connection = await testConnection({ monitorCommands: true });
let transactions: Transactions;
let explained: Explained;

beforeAll(async () => {
  const model = transactionModel(connection);
  await ensureIndexes(model);
  await model.insertMany(Array.from({ length: 200 }, (_, number) => row(number)));
  explained = explainer(connection);
  transactions = createTransactions({
    model,
    limiter: { count: async () => {} },
    chain: { cluster: 'local' },
    wallets: { current: async () => ({ walletAddress: 'Own', hasKey: true }), usersOf: async () => [] },
    bus: { emit() {} },
    clock: { now: () => NOW },
  });
});

function row(number: number): TransactionRecord {
  const at = new Date(NOW - number * 1_000);
  return {
    _id: new Types.ObjectId(),
    userId: number % 4 === 0 ? new Types.ObjectId(USER) : new Types.ObjectId(),
    type: number % 8 === 0 ? 'airdrop' : 'transfer_out',
    status: number % 12 === 0 ? 'pending' : 'confirmed',
    signature: `signature ${number}`,
    cluster: 'local',
    wallet: 'Own',
    token: null,
    lamports: 1,
    price: null,
    feeLamports: null,
    counterparty: null,
    failure: null,
    lastValidBlockHeight: null,
    refusal: null,
    createdAt: at,
    updatedAt: at,
  };
}

async function all(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}

test.each<[string, () => Promise<unknown>]>([
  ['list', () => transactions.list(USER, {})],
  ['next page', () => transactions.list(USER, { before: `${NOW - 50_000}_${'5'.repeat(24)}`, limit: 5 })],
  ['list of a type', () => transactions.list(USER, { type: 'airdrop' })],
  ['list of a status', () => transactions.list(USER, { status: 'pending' })],
  ['list of both', () => transactions.list(USER, { type: 'airdrop', status: 'pending' })],
  ['what is followed', () => all(transactions.pending('local', 256))],
  [
    'recording',
    () =>
      transactions.record(USER, {
        type: 'transfer_out',
        signature: 'new',
        lamports: 1,
        recipient: 'Other',
        lastValidBlockHeight: 1,
      }),
  ],
])('%s reads by an index, without sorting', async (_name, run) => {
  expectIndexed(await explained.plans(run));
});

test.each<[string, () => Promise<unknown>]>([
  ['all', () => transactions.count(USER, {})],
  ['a type and a status', () => transactions.count(USER, { type: 'airdrop', status: 'pending' })],
])('the count of %s reads no document', async (_name, run) => {
  const [plan] = await explained.plans(run);
  expect(plan).toEqual(expect.arrayContaining([expect.stringMatching(/IXSCAN|COUNT_SCAN/)]));
  expect(plan).not.toContain('FETCH');
});
