import { Types } from 'mongoose';
import { expect, test } from 'vitest';
import { fakeClock } from '../market/testing/market.ts';
import { testConnection } from '../testing/database.ts';
import { addressNumber } from '../testing/tokens.ts';
import { alertModel } from './model.ts';
import { createAlertStore } from './store.ts';
import { startAlerts } from './testing/alerts.ts';

const connection = await testConnection({ monitorCommands: true });

const userId = new Types.ObjectId();
const [at, address] = [new Date(), addressNumber(1)];

test('replaces the unique index of an earlier version by one with the trade, and keeps its alerts single', async () => {
  const alerts = alertModel(connection);
  const { collection } = alerts;
  await collection.createIndex({ userId: 1, address: 1, type: 1 }, { unique: true });
  const old = { _id: new Types.ObjectId(), userId, type: 'new_token' as const, address, name: null, symbol: null };
  await connection.collection('alerts').insertOne({ ...old, text: 'old', price: 1, at, place: null, telegram: null });
  const server = await startAlerts(connection, { clock: fakeClock(Date.now()) });
  await server.stop();
  const unique = (await collection.indexes()).filter((index) => index.unique).map(({ key }) => Object.keys(key));
  expect(unique).toContainEqual(['userId', 'address', 'type', 'ref']);
  expect(unique).not.toContainEqual(['userId', 'address', 'type']);

  const store = createAlertStore(connection);
  expect(await store.list(userId.toHexString(), 10)).toMatchObject([{ text: 'old', ref: null, figures: null }]);
  const again = { ...old, _id: new Types.ObjectId(), ref: null, text: 'again', figures: null, price: 1, at };
  const { stored } = await store.insert([{ ...again, place: null, telegram: null }]);
  expect(stored).toEqual([]);
  expect(await alerts.countDocuments({ userId })).toBe(1);
});
