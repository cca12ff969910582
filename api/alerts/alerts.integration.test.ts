// long because every test here needs the same life of the server, with its database.
import { type Connection, Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { alertSchema } from '../../common/alerts/model.ts';
import { defaultAlerts } from '../../common/settings/model.ts';
import type { Token } from '../../common/tokens/model.ts';
import { createMemoryLog } from '../../realtime/feed-log/memory.ts';
import { createPublisher } from '../../realtime/publisher.ts';
import { fakeClock, silentLog } from '../market/testing/market.ts';
import { ensureIndexes } from '../platform/database.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { userModel } from '../users/model.ts';
import { type AlertRecord, alertModel } from './model.ts';
import { createAlerts } from './service.ts';
import { createAlertStore } from './store.ts';
import { type AlertsProcess, linkedChat, openTestDatabase, startAlerts, storedUser } from './testing/alerts.ts';
import { feedToken } from './testing/tokens.ts';

// Now, since MongoDB removes by its own clock what is too old.
const clock = fakeClock(Date.now());
let connection: Connection;
let life: AlertsProcess;
/** Each test has tokens of its own. */
let number = 0;
let version = 1;

beforeAll(async () => {
  connection = await openTestDatabase();
  await ensureIndexes(alertModel(connection));
});
afterAll(() => connection.close());
beforeEach(async () => {
  number += 1;
  clock.pass(60_000);
  life = await startAlerts(connection, { clock });
  clock.pass(1);
});
afterEach(() => life.stop());

const address = () => addressNumber(number);
const detect = (fields: Partial<Token> = {}) =>
  life.publish({ event: 'new-token', payload: { token: feedToken(number, clock.now(), fields) } });
const patch = (fields: object) => {
  version += 1;
  const patches = [{ address: address(), version, ...fields }];
  return life.publish({ event: 'token-updates', payload: { at: clock.now(), solUsd: null, patches } });
};
const stored = (type: AlertRecord['type'] = 'new_token') =>
  alertModel(connection).find({ address: address(), type }).lean<AlertRecord[]>();
const idsOf = (alerts: AlertRecord[]) => new Set(alerts.map(({ userId }) => userId.toHexString()));
/** Only these users want alerts. */
async function only(...userIds: string[]) {
  const users = userModel(connection);
  await users.updateMany({}, { $set: { isActive: false } });
  await users.updateMany({ _id: { $in: userIds.map((id) => new Types.ObjectId(id)) } }, { $set: { isActive: true } });
}
const restart = async () => {
  await life.stop();
  life = await startAlerts(connection, { clock });
};

test('a fitting new token is stored, told to the user’s tabs and listed; who does not want it gets nothing [S9-17]', async () => {
  const [fits, careful] = [await storedUser(connection, clock.now()), await storedUser(connection, clock.now())];
  await only(fits, careful);
  await life.change(careful, { maxRisk: 10 });
  clock.pass(1);
  await detect({ scamProbability: 10 });
  await life.alerts.settled();
  const [listed] = await life.alerts.list(fits, 20);
  const expected = { type: 'new_token', address: address(), symbol: `C${number}`, text: `new_token C${number}` };
  expect(alertSchema.parse(listed)).toMatchObject(expected);
  expect(life.heard).toEqual([{ userId: fits, alert: listed }]);
  expect(await life.alerts.list(careful, 20)).toEqual([]);
  await patch({ currentLiquidity: 9, scamProbability: 1 });
  await life.alerts.settled();
  expect(life.told()).toHaveLength(2);
});

test('neither the inactive nor those who have the token on their blacklist are alerted', async () => {
  const [refusing, inactive, other] = [
    await storedUser(connection, clock.now()),
    await storedUser(connection, clock.now()),
    await storedUser(connection, clock.now()),
  ];
  await only(refusing, inactive, other);
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now() }));
  await life.alerts.settled();
  await life.watchlists.add(refusing, 'black', address());
  await only(refusing, other);
  clock.pass(1);
  await detect();
  await life.alerts.settled();
  expect(idsOf(await stored())).toEqual(new Set([other]));
});

test('who has a chat gets a message too, and who has none only the alert', async () => {
  const [linked, gone, without] = [
    await storedUser(connection, clock.now()),
    await storedUser(connection, clock.now()),
    await storedUser(connection, clock.now()),
  ];
  await only(linked, gone, without);
  await linkedChat(connection, linked);
  await linkedChat(connection, gone, new Date());
  clock.pass(1);
  await life.alerts.settled();
  await detect();
  await life.alerts.settled();
  await vi.waitFor(async () => {
    const alerts = await stored();
    const states = alerts.map(({ userId, telegram }) => [userId.toHexString(), telegram?.state ?? null] as const);
    expect(new Map(states)).toEqual(
      new Map([
        [linked, 'sent'],
        [gone, null],
        [without, null],
      ]),
    );
  });
});

test('what was found and not stored is found again after the next start, and nothing twice', async () => {
  const [first, second] = [await storedUser(connection, clock.now()), await storedUser(connection, clock.now())];
  await only(first, second);
  clock.pass(1);
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now(), riskScore: 10 }));
  // As if the process had died after the first of them.
  await life.alerts.settled();
  await only(first);
  await detect();
  await life.alerts.settled();
  await only(first, second);
  clock.pass(1_000);
  await restart();
  await life.alerts.settled();
  expect(life.told()).toEqual([`new_token ${address()} ${second}`]);
  await restart();
  await life.alerts.settled();
  expect(life.told()).toEqual([]);
  expect(await stored()).toHaveLength(2);
});

test('a watched token that has moved by half is told once, even when the server starts in between', async () => {
  const user = await storedUser(connection, clock.now());
  await only(user);
  await life.change(user, { newTokenAlerts: false });
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now(), price: 2 }));
  await life.watchlists.add(user, 'watch', address());
  await life.alerts.settled();
  await patch({ price: 2.9 });
  clock.pass(1_000);
  await restart();
  await life.alerts.settled();
  await patch({ price: 3 });
  await life.alerts.settled();
  expect(life.heard).toMatchObject([{ userId: user, alert: { type: 'price_alert', address: address() } }]);
  expect(await stored('price_alert')).toMatchObject([{ price: 3 }]);
  clock.pass(1_000);
  await restart();
  await life.alerts.settled();
  await patch({ price: 9 });
  await life.watchlists.remove(user, 'watch', address());
  await life.watchlists.add(user, 'watch', address());
  await life.alerts.settled();
  await patch({ price: 90 });
  await life.alerts.settled();
  expect(life.told()).toEqual([]);
});

test('who was alerted of a token hears of its move after a restart, and who unwatches it does not', async () => {
  const [alerted, unwatching] = [await storedUser(connection, clock.now()), await storedUser(connection, clock.now())];
  await only(alerted, unwatching);
  await life.change(unwatching, { newTokenAlerts: false });
  clock.pass(1);
  await detect({ price: 4 });
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now(), price: 4 }));
  await life.watchlists.add(unwatching, 'watch', address());
  await life.alerts.settled();
  clock.pass(1_000);
  await restart();
  await life.alerts.settled();
  await life.watchlists.remove(unwatching, 'watch', address());
  await life.alerts.settled();
  await patch({ price: 2 });
  await life.alerts.settled();
  expect(life.told()).toEqual([`price_alert ${address()} ${alerted}`]);
});

test('price alerts that are switched on count from then, for what was watched before', async () => {
  const user = await storedUser(connection, clock.now());
  await only(user);
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now(), price: 1 }));
  await life.change(user, { newTokenAlerts: false, priceChangeAlerts: false });
  await life.watchlists.add(user, 'watch', address());
  await life.alerts.settled();
  await patch({ price: 10 });
  await tokenModels(connection).tokens.updateOne({ _id: address() }, { $set: { price: 10 } });
  clock.pass(1_000);
  await life.change(user, { newTokenAlerts: false });
  await life.alerts.settled();
  await patch({ price: 14 });
  clock.pass(1_000);
  await restart();
  await life.alerts.settled();
  await patch({ price: 14.9 });
  await life.alerts.settled();
  expect(life.told()).toEqual([]);
  await patch({ price: 15 });
  await life.alerts.settled();
  expect(life.told()).toEqual([`price_alert ${address()} ${user}`]);
});

test('what was stored and not acknowledged counts as stored when it is stored again', async () => {
  const store = createAlertStore(connection);
  const [one, two] = [await storedUser(connection, clock.now()), await storedUser(connection, clock.now())];
  await only(one, two);
  clock.pass(1);
  await life.alerts.settled();
  await detect();
  await life.alerts.settled();
  const records = await stored();
  expect(await store.insert(records)).toEqual(records);
  const others = records.map((record) => ({ ...record, _id: new Types.ObjectId() }));
  expect(await store.insert(others)).toEqual([]);
});

test('who was inactive when the server started hears of what comes after they are active again', async () => {
  const user = await storedUser(connection, clock.now() - 600_000);
  await only();
  clock.pass(1_000);
  await restart();
  await only(user);
  clock.pass(1);
  await detect();
  await life.alerts.settled();
  expect(life.told()).toEqual([`new_token ${address()} ${user}`]);
});

test('settings that change while the server starts count, even if they were read before', async () => {
  const user = await storedUser(connection, clock.now());
  await only(user);
  await life.change(user, { maxRisk: 0 });
  await life.stop();
  const wallet = { walletAddress: null, hasKey: false, savedAt: null };
  const item = { wallet, telegramUsername: null, alerts: defaultAlerts };
  life = await startAlerts(connection, {
    clock,
    whileStarting: (tell) => tell.data(user, { subject: 'settings', op: 'saved', item }),
  });
  clock.pass(1);
  await detect();
  await life.alerts.settled();
  expect(life.told()).toEqual([`new_token ${address()} ${user}`]);
});

test('a price alert that a blacklist holds back is not used up beside those that go out', async () => {
  const [refusing, other] = [await storedUser(connection, clock.now()), await storedUser(connection, clock.now())];
  await only(refusing, other);
  await tokenModels(connection).tokens.create(tokenRecord(number, { createdAt: clock.now(), price: 1 }));
  await life.alerts.settled();
  for (const user of [refusing, other]) {
    await life.change(user, { newTokenAlerts: false });
    await life.watchlists.add(user, 'watch', address());
  }
  await life.watchlists.add(refusing, 'black', address());
  await life.alerts.settled();
  await patch({ price: 2 });
  await life.alerts.settled();
  expect(life.told()).toEqual([`price_alert ${address()} ${other}`]);
  await life.watchlists.remove(refusing, 'black', address());
  clock.pass(1_000);
  await restart();
  await life.alerts.settled();
  await patch({ price: 3 });
  await life.alerts.settled();
  expect(life.told()).toEqual([`price_alert ${address()} ${refusing}`]);
});

test('who is stopped while starting keeps nothing running', async () => {
  const user = await storedUser(connection, clock.now());
  await only(user);
  clock.pass(1);
  const looks = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => looks.mockRestore());
  const feedLog = createMemoryLog({ clock });
  const alerts = createAlerts({
    connection,
    feedLog,
    publisher: createPublisher(feedLog),
    textOf: async () => ({ text: 'x', template: 'x' }),
    outgoing: { deliveries: async () => new Map(), wake: () => {} },
    clock,
    random: () => 0.5,
    log: silentLog,
    newcomersEvery: 7_654_321,
  });
  const starting = alerts.start();
  await alerts.stop();
  await starting;
  await feedLog.close();
  expect(looks.mock.calls.filter(([, ms]) => ms === 7_654_321)).toEqual([]);
});
