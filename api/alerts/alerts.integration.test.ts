import { Types } from 'mongoose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { alertSchema } from '../../common/alerts/model.ts';
import { defaultAlerts } from '../../common/settings/model.ts';
import type { Token } from '../../common/tokens/model.ts';
import { createEventBus, type EventBus } from '../events/bus.ts';
import { fakeClock, silentLog } from '../market/testing/market.ts';
import { ensureIndexes } from '../platform/database.ts';
import { testConnection } from '../testing/database.ts';
import { addressNumber, nothingLive, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import { userModel } from '../users/model.ts';
import { type AlertRecord, alertModel } from './model.ts';
import { openAlerts } from './service.ts';
import { createAlertStore } from './store.ts';
import {
  type AlertsProcess,
  indexOf,
  linkedChat,
  linksOf,
  noWebhooks,
  plainTemplates,
  startAlerts,
} from './testing/alerts.ts';
import { detectedToken } from './testing/tokens.ts';

// The present time, since MongoDB removes expired documents by its own clock.
const clock = fakeClock(Date.now());
const connection = await testConnection({ monitorCommands: true });
let server: AlertsProcess;
/** Number of the test's own token. */
let number = 0;

await ensureIndexes(alertModel(connection));

beforeEach(async () => {
  number += 1;
  clock.pass(60_000);
  server = await startAlerts(connection, { clock });
  await server.alerts.settled();
  // Users of other tests receive nothing.
  await userModel(connection).updateMany({}, { $set: { isActive: false } });
});
afterEach(() => server.stop());

const address = () => addressNumber(number);
const stored = (type: AlertRecord['type'] = 'new_token') =>
  alertModel(connection).find({ address: address(), type }).lean<AlertRecord[]>();
const setActive = (userId: string, isActive: boolean) =>
  userModel(connection).updateOne({ _id: new Types.ObjectId(userId) }, { $set: { isActive } });

async function users(count: number): Promise<string[]> {
  const created: string[] = [];
  for (let user = 0; user < count; user += 1) created.push(await server.user());
  clock.pass(1);
  return created;
}

async function detect(fields: Partial<Token> = {}): Promise<void> {
  server.detect(detectedToken(number, clock.now(), fields));
  await server.alerts.settled();
}

async function storeToken(fields: Parameters<typeof tokenRecord>[1] = {}): Promise<void> {
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now(), ...fields }));
}

async function patch(fields: Partial<Token>): Promise<void> {
  server.patch(presentToken(tokenRecord(number, { createdAt: clock.now() })), fields);
  await server.alerts.settled();
}

async function watch(userId: string): Promise<void> {
  await server.watchlists.add(userId, 'watch', address());
  await server.alerts.settled();
}

async function restart(whileStarting: (bus: EventBus) => void = () => {}): Promise<void> {
  clock.pass(1_000);
  await server.stop();
  server = await startAlerts(connection, { clock, whileStarting });
  await server.alerts.settled();
}

test('stores a matching new token, emits it for open tabs and lists it; other users receive nothing [S9-17]', async () => {
  const [matching = '', careful = ''] = await users(2);
  await server.change(careful, { maxRisk: 10 });
  clock.pass(1);
  await detect({ scamProbability: 10 });
  const [listed] = await server.alerts.list(matching, 20);
  const expected = { type: 'new_token', address: address(), symbol: `C${number}`, text: `new_token C${number}` };
  expect(alertSchema.parse(listed)).toMatchObject(expected);
  expect(server.created).toEqual([{ userId: matching, alert: listed }]);
  expect(await server.alerts.list(careful, 20)).toEqual([]);
  await patch({ currentLiquidity: 9, scamProbability: 1 });
  expect(server.created).toHaveLength(2);
});

test('alerts neither inactive users nor those with the token on their blacklist', async () => {
  const [blacklisting = '', inactive = '', other] = await users(3);
  await storeToken();
  await server.watchlists.add(blacklisting, 'black', address());
  await setActive(inactive, false);
  await detect();
  expect((await stored()).map(({ userId }) => userId.toHexString())).toEqual([other]);
});

test('sends a message to users with a chat, and stores only the alert for others', async () => {
  const [linked = '', gone = '', without = ''] = await users(3);
  await linkedChat(connection, linked);
  await linkedChat(connection, gone, new Date());
  await detect();
  await vi.waitFor(async () => {
    const states = (await stored()).map(({ userId, telegram }) => [userId.toHexString(), telegram?.state ?? null]);
    expect(Object.fromEntries(states)).toEqual({ [linked]: 'sent', [gone]: null, [without]: null });
  });
});

test('finds alerts that a stop prevented after the next start, and none twice', async () => {
  const [first = '', second = ''] = await users(2);
  await storeToken({ riskScore: 10 });
  // As if the process had died after the first alert.
  await setActive(second, false);
  await detect();
  await setActive(second, true);
  await restart();
  expect(server.createdLines()).toEqual([`new_token ${address()} ${second}`]);
  await restart();
  expect(server.createdLines()).toEqual([]);
  expect(new Set((await stored()).map(({ userId }) => userId.toHexString()))).toEqual(new Set([first, second]));
  expect(await stored()).toHaveLength(2);
});

test('alerts about a watched token that moved by half once, also across restarts and a second watch', async () => {
  const [user = ''] = await users(1);
  await server.change(user, { newTokenAlerts: false });
  await storeToken({ price: 2 });
  await watch(user);
  await patch({ price: 2.9 });
  await restart();
  await patch({ price: 3 });
  expect(server.created).toMatchObject([{ userId: user, alert: { type: 'price_alert', address: address() } }]);
  expect(await stored('price_alert')).toMatchObject([{ price: 3 }]);
  await restart();
  await patch({ price: 9 });
  await server.watchlists.remove(user, 'watch', address());
  await watch(user);
  await patch({ price: 90 });
  expect(server.createdLines()).toEqual([]);
});

test('a user created by another process receives alerts from the first login on', async () => {
  const user = await server.userOfAnotherProcess();
  clock.pass(1);
  await detect();
  expect(server.createdLines()).toEqual([`new_token ${address()} ${user}`]);
});

test('after a restart a price alert follows an earlier alert, but not a token that is no longer watched', async () => {
  const [alerted, unwatching = ''] = await users(2);
  await server.change(unwatching, { newTokenAlerts: false });
  clock.pass(1);
  await detect({ price: 4 });
  await storeToken({ price: 4 });
  await watch(unwatching);
  await restart();
  await server.watchlists.remove(unwatching, 'watch', address());
  await server.alerts.settled();
  await patch({ price: 2 });
  expect(server.createdLines()).toEqual([`price_alert ${address()} ${alerted}`]);
});

test('price alerts that are switched on count from then, also for tokens watched before', async () => {
  const [user = ''] = await users(1);
  await storeToken({ price: 1 });
  await server.change(user, { newTokenAlerts: false, priceChangeAlerts: false });
  await watch(user);
  await patch({ price: 10 });
  await tokenModels(connection).tokens.updateOne({ _id: address() }, { $set: { price: 10 } });
  clock.pass(1_000);
  await server.change(user, { newTokenAlerts: false });
  await server.alerts.settled();
  await patch({ price: 14 });
  await restart();
  await patch({ price: 14.9 });
  expect(server.createdLines()).toEqual([]);
  await patch({ price: 15 });
  expect(server.createdLines()).toEqual([`price_alert ${address()} ${user}`]);
});

test('a repeated insert returns the alerts of an unacknowledged one, and refuses others of the same users', async () => {
  const store = createAlertStore(connection);
  await users(2);
  await detect();
  const records = await stored();
  expect(records).toHaveLength(2);
  expect(await store.insert(records)).toEqual(records);
  const others = records.map((record) => ({ ...record, _id: new Types.ObjectId() }));
  expect(await store.insert(others)).toEqual([]);
  const ofOtherToken = records.map((record) => ({
    ...{ ...record, _id: new Types.ObjectId() },
    address: addressNumber(9_999),
  }));
  expect(await store.insert([...others, ...ofOtherToken])).toEqual(ofOtherToken);
});

test('alerts a user who was inactive at the start and is active again', async () => {
  const [user = ''] = await users(1);
  await setActive(user, false);
  await restart();
  await setActive(user, true);
  clock.pass(1);
  await detect();
  expect(server.createdLines()).toEqual([`new_token ${address()} ${user}`]);
});

test('applies settings that change while the alerts start, whichever settings were read', async () => {
  const [user = ''] = await users(1);
  await server.change(user, { maxRisk: 0 });
  const wallet = { walletAddress: null, hasKey: false, savedAt: null };
  const settings = { wallet, telegramUsername: null, alerts: defaultAlerts };
  await connection
    .collection('settings')
    .updateOne({ _id: new Types.ObjectId(user) }, { $set: { alerts: defaultAlerts } });
  await restart((bus) => bus.emit('settings-changed', { userId: user, settings }));
  clock.pass(1);
  await detect();
  expect(server.createdLines()).toEqual([`new_token ${address()} ${user}`]);
});

test('a price alert held back by a blacklist is still due after the entry is removed', async () => {
  const [blacklisting = '', other = ''] = await users(2);
  await storeToken({ price: 1 });
  for (const user of [blacklisting, other]) {
    await server.change(user, { newTokenAlerts: false });
    await watch(user);
  }
  await server.watchlists.add(blacklisting, 'black', address());
  await patch({ price: 2 });
  expect(server.createdLines()).toEqual([`price_alert ${address()} ${other}`]);
  await server.watchlists.remove(blacklisting, 'black', address());
  await restart();
  await patch({ price: 3 });
  expect(server.createdLines()).toEqual([`price_alert ${address()} ${blacklisting}`]);
});

test('alerts stopped while they start handle no further event', async () => {
  const [user = ''] = await users(1);
  const bus = createEventBus(() => {});
  const created: unknown[] = [];
  bus.on('alert-created', (event) => void created.push(event));
  const { alerts } = await openAlerts({
    ...{ connection, market: { ...nothingLive, solUsd: () => null }, index: indexOf(bus), webhooks: noWebhooks },
    ...{ bus, clock, random: () => 0.5, log: silentLog, templates: plainTemplates },
    telegram: { links: linksOf(connection), sender: { send: async () => 'sent' }, isConnected: () => true },
  });
  const starting = alerts.start();
  await alerts.stop();
  await starting;
  bus.emit('token-changed', {
    at: clock.now(),
    changes: [{ token: detectedToken(number, clock.now()), isNew: true, isComplete: true }],
  });
  await alerts.settled();
  expect(created).toEqual([]);
  expect(await alerts.list(user, 1)).toEqual([]);
});
