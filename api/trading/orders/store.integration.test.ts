import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { noExtraCosts } from '../../../common/trading/fills.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { testConnection } from '../../testing/database.ts';
import { explainer } from '../../testing/explain.ts';
import { attemptRecord, orderRecord } from '../testing/order-record.ts';
import { type OrderRecord, orderModel } from './model.ts';
import { createOrderStore } from './store.ts';

const connection = await testConnection({ monitorCommands: true });
await ensureIndexes(orderModel(connection));

const now = Date.UTC(2026, 10, 23);
const WALLET = 'wallet';
const costs = { ...noExtraCosts, launchpadFeeLamports: 1 };
const fill = { tokens: '7', lamports: 100, costs, price: 1, slot: null, at: now };

function order(fields: Partial<OrderRecord> = {}): OrderRecord {
  const _id = new Types.ObjectId();
  return orderRecord({
    ...{ _id, key: `page:${_id.toHexString()}`, mode: 'paper', cluster: null, wallet: WALLET },
    ...{ status: 'confirmed', open: false, fill, nextAt: null },
    attempts: [attemptRecord({ signature: `paper:${_id.toHexString()}:1`, outcome: 'landed' })],
    times: { created: now, held: now, signed: now, sent: now, decided: now + 500 },
    ...fields,
  });
}

test('returns the open orders of a wallet, its purchases, and the times of orders on a chain', async () => {
  const model = orderModel(connection);
  const store = createOrderStore(model);
  const userId = new Types.ObjectId();
  await model.insertMany([
    order({ userId, open: true }),
    order({ userId, open: true, side: 'sell' }),
    order({ userId, open: true, wallet: 'another', status: 'sent', fill: null }),
    order({ userId, open: true, mode: 'local', cluster: 'local', status: 'sent', fill: null }),
    order({ userId }),
    order({ mode: 'local', cluster: 'local' }),
    order({ mode: 'local', cluster: 'local', status: 'failed', fill: null }),
  ]);
  const [user, since] = [userId.toHexString(), Date.now() - 60_000];
  const { plans } = explainer(connection);
  const stages = await plans(async () => {
    const found = await store.openOf(user, { mode: 'paper', wallet: WALLET, address: 'coin' });
    expect(found.map(({ side }) => side)).toEqual(['buy', 'sell']);
    expect(await store.hasBought(user, { mode: 'paper', wallet: WALLET, since })).toBe(true);
    expect(await store.realTimes()).toEqual([500]);
  });
  expect(stages).toHaveLength(3);
  for (const plan of stages) expect(plan).toContain('IXSCAN');
  expect(stages.flat()).not.toContain('SORT');
  for (const other of [
    { mode: 'local' as const, wallet: WALLET, since },
    { mode: 'paper' as const, wallet: 'another', since },
    { mode: 'paper' as const, wallet: WALLET, since: Date.now() + 60_000 },
  ]) {
    expect(await store.hasBought(user, other)).toBe(false);
  }
  expect(await store.openOf(user, { mode: 'paper', wallet: WALLET, address: 'other' })).toEqual([]);
});
