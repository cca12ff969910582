import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Transaction } from '../../../common/transactions/model.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import { transactionModel } from '../../transactions/model.ts';
import { presentTransaction } from '../../transactions/present.ts';
import { createTransactions, type Transactions } from '../../transactions/service.ts';
import { createDesk, type Desk, purchase, sale } from '../testing/desk.ts';
import { createScriptedChain, type Fate, type ScriptedChain } from '../testing/scripted-chain.ts';
import type { OrderRequest } from './place.ts';
import { attemptRows } from './present.ts';
import { OVERDUE_MS } from './worker/next-action.ts';

const SOL = 1_000_000_000;
const FEE = 0.000005;
const connection = await testConnection();
let transactions: Transactions;
let chain: ScriptedChain;
let desk: Desk;
let userId: string;
let emitted: string[];
/** Writes that fail from now on. */
let failing = 0;

beforeAll(async () => {
  const model = transactionModel(connection);
  await ensureIndexes(model);
  transactions = createTransactions({
    model,
    limiter: { count: async () => {} },
    chain: { cluster: 'local' },
    wallets: { current: async () => ({ walletAddress: 'Own', hasKey: true }), usersOf: async () => [] },
    bus: {
      emit(name, payload) {
        if (name === 'transaction-changed' && 'transaction' in payload) emitted.push(payload.transaction.status);
      },
    },
    clock: { now: Date.now },
  });
});
beforeEach(async () => {
  emitted = [];
  failing = 0;
  chain = createScriptedChain(Date.now);
  desk = await createDesk({ connection, executor: chain.executor });
  userId = desk.newUser();
  desk.startWorker({
    transactions: {
      recordTrades(trades) {
        failing -= 1;
        return failing >= 0 ? Promise.reject(new Error('the write is lost')) : transactions.recordTrades(trades);
      },
    },
  });
});
afterEach(() => desk.stopWorkers());

async function place(request: OrderRequest, ...fates: Fate[]): Promise<string> {
  chain.fates.push(...fates);
  return (await desk.place(userId, request))._id.toHexString();
}
const closed = (id: string) => expect.poll(async () => (await desk.store.find(id))?.open).toBe(false);
/** Oldest first. */
const rows = async (): Promise<Transaction[]> =>
  (await transactions.list(userId, {})).map(presentTransaction).toReversed();
const statuses = async () => (await rows()).map(({ status }) => status);

test('a purchase is pending with its order, then confirmed with the figures of the chain [T-06, S3-48]', async () => {
  const request = purchase(SOL / 10);
  const orderId = await place(request, 'late');
  await expect.poll(statuses).toEqual(['pending']);
  const common = {
    type: 'buy',
    token: { address: request.address, name: 'Coin', symbol: 'COIN' },
    cluster: 'local',
    counterparty: null,
    signature: chain.signed[0],
    orderId,
  };
  expect(await rows()).toMatchObject([{ ...common, amount: 0.1, price: null, fee: null, failure: null }]);
  chain.mine(1);
  await closed(orderId);
  expect(await rows()).toMatchObject([{ ...common, status: 'confirmed', amount: 0.1, price: 1, fee: FEE }]);
  // The event follows the stored row, which two writers may have written at once.
  await expect.poll(() => emitted).toEqual(['pending', 'confirmed']);
});

test('each attempt is a row, with the fee that a reverted one has paid and the reason', async () => {
  await closed(await place(purchase(SOL / 10), 'refused', 'lands'));
  const [refused, landed] = await rows();
  expect(refused).toMatchObject({
    status: 'failed',
    fee: null,
    failure: 'The price moved beyond your limit of 5.0 %.',
  });
  expect(landed).toMatchObject({ status: 'confirmed', failure: null });
  await closed(await place(purchase(SOL / 10), 'reverts'));
  expect((await rows())[2]).toMatchObject({
    status: 'failed',
    fee: FEE,
    price: null,
    failure: 'The network rejected the transaction.',
  });
});

test('a sale shows the SOL that it brought, and its profit', async () => {
  const request = purchase(SOL / 10);
  await closed(await place(request));
  await closed(await place(sale({ address: request.address, sharePercent: 50 })));
  expect((await rows())[1]).toMatchObject({ type: 'sell', status: 'confirmed', amount: 0.05, fee: FEE });
  // Half of the fee of the purchase, and its own.
  expect((await rows()).map(({ profit }) => profit)).toEqual([null, -0.0000075]);
});

test('without a verdict in time it is unknown, and decided after all', async () => {
  const id = await place(purchase(SOL / 10), 'late');
  await expect.poll(statuses).toEqual(['pending']);
  chain.isAway = true;
  chain.mine(1);
  desk.time.skipped += OVERDUE_MS;
  await expect.poll(statuses).toEqual(['unknown']);
  chain.isAway = false;
  await closed(id);
  expect(await statuses()).toEqual(['confirmed']);
});

test('an order that ends before its first attempt has no row, and is closed', async () => {
  const orderId = await place(purchase(SOL / 10));
  desk.wallets.set(userId, { walletAddress: 'another', hasKey: true });
  await closed(orderId);
  expect((await desk.store.find(orderId))?.status).toBe('cancelled');
  expect(await rows()).toEqual([]);
  expect((await desk.accounts.view(userId)).budget?.reservedLamports).toBe(0);
});

test('a lost write is repeated before the order is closed', async () => {
  failing = 3;
  await closed(await place(purchase(SOL / 10)));
  expect(failing).toBeLessThan(0);
  expect(await statuses()).toEqual(['confirmed']);
});

test('an earlier state of the order changes nothing', async () => {
  const id = await place(purchase(SOL / 10), 'late');
  await expect.poll(statuses).toEqual(['pending']);
  const before = (await desk.store.find(id)) ?? expect.fail();
  chain.mine(1);
  await closed(id);
  const decided = await rows();
  await transactions.recordTrades(attemptRows(before));
  await transactions.recordTrades(attemptRows({ ...before, status: 'unknown' }));
  expect(await rows()).toEqual(decided);
});

test('the follower leaves trades to their orders', async () => {
  const id = await place(purchase(SOL / 10), 'late');
  await expect.poll(statuses).toEqual(['pending']);
  const followed: string[] = [];
  for await (const batch of transactions.pending('local', 10)) followed.push(...batch.map(({ type }) => type));
  expect(followed).not.toContain('buy');
  chain.mine(1);
  await closed(id);
});
