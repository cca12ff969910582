import { type Connection, Types } from 'mongoose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY, HOUR } from '../../../common/time.ts';
import { type FakeClock, fakeClock } from '../../market/testing/market.ts';
import { ensureIndexes } from '../../platform/database.ts';
import { openTemplates } from '../../templates/service.ts';
import { connectTestDatabase } from '../../testing/database.ts';
import { explainer } from '../../testing/explain.ts';
import { tradingAccountModel, tradingStateModel } from '../../trading/accounts/model.ts';
import { createAccountStore, createStopAll } from '../../trading/accounts/store.ts';
import { orderModel } from '../../trading/orders/model.ts';
import { positionModel } from '../../trading/positions/model.ts';
import { stopModel } from '../../trading/stop/model.ts';
import { alertModel } from '../model.ts';
import { linkedChat, startAlerts, storedUser } from '../testing/alerts.ts';

/** More than two batches of a read, and of a write. */
const USERS = 450;

let connection: Connection;
let clock: FakeClock;

beforeEach(async () => {
  connection = await connectTestDatabase({ monitorCommands: true });
  clock = fakeClock(Date.now());
  await ensureIndexes(orderModel(connection));
  await ensureIndexes(stopModel(connection));
  await ensureIndexes(positionModel(connection));
});
afterEach(() => connection.close());

const stopAll = () => createStopAll(tradingStateModel(connection));
const stop = () => stopAll().stop({ at: new Date(clock.now()), by: 'admin' });

/** Stores users with a trading account who registered an hour ago. Returns their ids. */
async function traders(count: number): Promise<string[]> {
  const accounts = createAccountStore(tradingAccountModel(connection));
  return Promise.all(
    Array.from({ length: count }, async () => {
      const userId = await storedUser(connection, clock.now() - HOUR);
      await accounts.get(userId, clock.now());
      return userId;
    }),
  );
}

/** Returns how many alerts about stops each of these users has, as count by user. */
async function alertsOf(userIds: readonly string[]): Promise<number[]> {
  const filter = { userId: { $in: userIds.map((id) => new Types.ObjectId(id)) }, type: 'trading_stopped' as const };
  const found = await alertModel(connection).find(filter, { userId: 1 }).lean();
  const counts = new Map<string, number>();
  for (const { userId } of found) counts.set(userId.toHexString(), (counts.get(userId.toHexString()) ?? 0) + 1);
  return userIds.map((id) => counts.get(id) ?? 0);
}

test('a stop for all users alerts each of them once, however many processes and starts there are [T-22]', async () => {
  const userIds = await traders(USERS);
  const chatId = await linkedChat(connection, userIds[0] ?? '');
  const messages: string[] = [];
  const send = async (chat: string, text: string) => {
    if (chat === chatId) messages.push(text);
    return 'sent' as const;
  };
  const templates = await openTemplates({ connection, adminActions: { record: async () => {} }, clock });
  const start = () => startAlerts(connection, { clock, templates, send });
  const servers = [await start(), await start()];
  for (const { trades } of servers) await trades.settled();
  clock.pass(1_000);
  expect(await stop()).toBe(true);
  for (const { bus } of servers) bus.emit('all-trading-stopped', { at: clock.now() });
  // Both end somewhere on the way, and the stop ends before the next start.
  await vi.waitFor(async () => expect(await alertModel(connection).countDocuments()).toBeGreaterThan(0));
  for (const { trades } of servers) await trades.stop();
  // Three days later, a message left in the queue is too old to be sent.
  const queued = { 'telegram.state': { $in: ['queued' as const, 'sending' as const] } };
  await vi.waitFor(async () => expect(await alertModel(connection).countDocuments(queued)).toBe(0));
  for (const server of servers) await server.stop();
  await stopAll().resume();
  clock.pass(3 * DAY);
  const later = await storedUser(connection, clock.now());
  await createAccountStore(tradingAccountModel(connection)).get(later, clock.now());
  for (let starts = 0; starts < 2; starts += 1) {
    const server = await start();
    await server.trades.settled();
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    await server.stop();
  }
  expect(await alertsOf(userIds)).toEqual(userIds.map(() => 1));
  expect(await alertsOf([later])).toEqual([0]);
  expect(messages).toEqual([
    'Trading stopped\n\nAn administrator stopped it for everybody. Nothing is bought until they resume it. Open positions stay, and can be sold.',
  ]);
});

test('each stop for all users is an alert of its own, also one that begins while another one is alerted', async () => {
  const userIds = await traders(3);
  const server = await startAlerts(connection, { clock });
  for (let round = 0; round < 3; round += 1) {
    clock.pass(1_000);
    await stop();
    // It changes nothing, so there is nothing to alert of.
    expect(await stop()).toBe(false);
    server.bus.emit('all-trading-stopped', { at: clock.now() });
    await stopAll().resume();
  }
  await server.trades.settled();
  expect(await alertsOf(userIds)).toEqual([3, 3, 3]);
  await server.stop();
});

test('finds the users of a stop for all by index, in batches', async () => {
  await traders(USERS);
  const server = await startAlerts(connection, { clock });
  await server.trades.settled();
  clock.pass(1_000);
  await stop();
  const plans = await explainer(connection).plans(async () => {
    server.bus.emit('all-trading-stopped', { at: clock.now() });
    await server.trades.settled();
  });
  await server.stop();
  for (const stages of plans) expect(stages).not.toContain('COLLSCAN');
  // Reads and writes together: far fewer than users.
  expect(plans.length).toBeLessThan(USERS / 4);
});
