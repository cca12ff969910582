import mongoose from 'mongoose';
import { afterAll, expect, test, vi } from 'vitest';
import { type AlertMessage, alertModel } from '../../api/alerts/model.ts';
import { failures } from '../../api/alerts/store.ts';
import { linkedChat, storedUser } from '../../api/alerts/testing/alerts.ts';
import { settingsModel } from '../../api/settings/model.ts';
import { alertsPerHour } from '../../common/settings/model.ts';
import { startTelegramEmulator } from '../telegram-emulator/emulator.ts';
import { productScene } from './product.ts';

const ROUNDS = 2;
const USERS = 40;
/** Messages in flight at a kill: the number that delivery sends at a time, each round. */
const IN_FLIGHT = 30;
/** Alerts for every token. */
const ALL_ALERTS = {
  minLiquidity: 0,
  maxRisk: 100,
  newTokenAlerts: true,
  priceChangeAlerts: true,
  alertsPerHour: alertsPerHour.max,
};
const LONG = { timeout: 30_000, interval: 100 };

const emulator = await startTelegramEmulator();
const { mongo, start } = await productScene({
  MARKET_RATE: '600',
  MARKET_SEED: '5',
  TELEGRAM_BOT_TOKEN: emulator.token,
  TELEGRAM_API_ROOT: emulator.apiRoot,
});
const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
afterAll(async () => {
  await connection.close();
  await emulator.stop();
});

async function createSubscriber(): Promise<number> {
  const id = await storedUser(connection, Date.now() - 60_000);
  await settingsModel(connection).create({ _id: id, alerts: ALL_ALERTS });
  return Number(await linkedChat(connection, id));
}

test('kill -9 during delivery duplicates no alert and loses at most the messages in flight', {
  timeout: 120_000,
}, async () => {
  emulator.open(...(await Promise.all(Array.from({ length: USERS }, createSubscriber))));
  // Slow, so that some messages are always in flight.
  emulator.injectFault('sendMessage', { kind: 'slow', ms: 300 }, Number.POSITIVE_INFINITY);
  const alerts = alertModel(connection);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const product = await start();
    const before = emulator.sent().length;
    await vi.waitFor(() => expect(emulator.sent().length).toBeGreaterThan(before + USERS / 2), LONG);
    await product.kill();
  }
  const messages = emulator.sent().map(({ chatId, text }) => `${chatId} ${text}`);
  expect(new Set(messages).size).toBe(messages.length);
  const stored = await alerts.find().lean();
  expect(new Set(stored.map(({ userId, address, type }) => `${userId} ${address} ${type}`)).size).toBe(stored.length);
  const sentCount = stored.filter(({ telegram }) => telegram?.state === 'sent').length;
  // Those of the last kill are still being sent; the start after it ended those of a kill before as unknown.
  const isUnknown = (message: AlertMessage | null) =>
    message?.state === 'sending' || message?.reason === failures.unknown;
  const openCount = stored.filter(({ telegram }) => isUnknown(telegram)).length;
  // Alerts marked as sent were sent; those in flight may have been sent.
  expect(sentCount).toBeLessThanOrEqual(messages.length);
  expect(messages.length).toBeLessThanOrEqual(sentCount + openCount);
  expect(openCount).toBeLessThanOrEqual(ROUNDS * IN_FLIGHT);
});
