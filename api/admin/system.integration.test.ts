import mongoose, { Types } from 'mongoose';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { adminCalls } from '../../common/admin/http.ts';
import { type AdminStats, adminStatsSchema, type SystemStatus, systemStatusSchema } from '../../common/admin/model.ts';
import { DAY, HOUR, iso } from '../../common/time.ts';
import { alertModel } from '../alerts/model.ts';
import { fakeClock, silentLog } from '../market/testing/market.ts';
import { ruleModel } from '../rules/model.ts';
import { strategyModel } from '../strategies/model.ts';
import { startTestServer } from '../test-server.ts';
import { testDatabase } from '../testing/database.ts';
import { explainer } from '../testing/explain.ts';
import { type MongoProxy, proxyMongo } from '../testing/mongo-proxy.ts';
import { type Person, person, socketOf } from '../testing/people.ts';
import type { TestServer } from '../testing/server.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { transactionModel } from '../transactions/model.ts';
import { createServerStarts } from './server-starts.ts';
import { createAdminStats, createAutoBuyCounts } from './stats.ts';

const { stats, systemStatus } = adminCalls;

let proxy: MongoProxy;
let server: TestServer;
let admin: Person;
let user: Person;

beforeAll(async () => {
  proxy = await proxyMongo(testDatabase().uri);
  server = await startTestServer({ mongoUri: proxy.uri });
  admin = await person(server, 'Root', { isAdmin: true });
  user = await person(server, 'User');
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
});

/** Subscribes to the administrators' room as an open page does. */
async function openPage(user: Person) {
  const socket = await socketOf(server, user);
  const received: { stats: AdminStats[]; status: SystemStatus[] } = { stats: [], status: [] };
  socket.on('admin-stats', (event: AdminStats) => received.stats.push(event));
  socket.on('system-status', (event: SystemStatus) => received.status.push(event));
  return { received, ack: await socket.emitWithAck('subscribe', { topic: 'admin' }) };
}

test('counts users and tokens, for administrators only [S7.3-12, S3-53]', async () => {
  const { tokens } = tokenModels(server.connection);
  await tokens.insertMany([tokenRecord(1), tokenRecord(2), tokenRecord(3, { createdAt: Date.now() - DAY - 60_000 })]);
  onTestFinished(async () => void (await tokens.deleteMany({})));
  await server.connection.collection('users').updateOne({ username: 'admin' }, { $set: { isActive: false } });
  const { status, body } = await admin.call(stats.path);
  expect([status, adminStatsSchema.parse(body)]).toEqual([
    200,
    {
      users: { total: 3, active: 2 },
      tokens: { total: 3, last24h: 2 },
      scanners: { lastTokenScan: null, lastXPostScan: null },
    },
  ]);
  for (const path of [stats.path, systemStatus.path]) {
    expect(await server.fetchJson(path)).toMatchObject({ status: 401 });
    expect(await user.call(path)).toMatchObject({
      status: 403,
      body: { error: "You don't have permission to access this resource" },
    });
  }
});

test('returns the real system status [S2.13-12, S2.13-14]', async () => {
  const [rules, strategies, transactions] = ['rules', 'strategies', 'transactions'].map((name) =>
    server.connection.collection(name),
  );
  const userId = new Types.ObjectId(user.id);
  const owned = [true, true, false].map((isActive, place) => ({ userId, place, isActive }));
  await rules?.insertMany(owned);
  await strategies?.insertMany(owned.slice(1));
  const today = { userId, type: 'airdrop', createdAt: new Date() };
  await transactions?.insertMany([
    { ...today, signature: 'a' },
    { ...today, signature: 'b', createdAt: new Date(Date.now() - 2 * DAY) },
  ]);
  const { status, body } = await admin.call(systemStatus.path);
  expect(status).toBe(200);
  const found = systemStatus.output.parse(body);
  expect(found.history).toEqual([]);
  expect(found.starts).toHaveLength(1);
  expect(found.status).toMatchObject({
    autoBuy: { activeRules: 2, activeStrategies: 1, transactionsToday: 1 },
    chainScanner: { state: 'off', intervalMs: 300_000 },
    social: { state: 'off', accounts: { length: 5 } },
    bot: { configured: false, connected: false },
    mongo: { up: true, pingMs: expect.any(Number) },
    feed: { closedSlow: 0 },
  });
  expect(found.status.sources.map(({ state }) => state)).toContain('off');
  expect(found.status.process.rssBytes).toBeGreaterThan(10_000_000);
});

test('the starts of the last day are known, oldest first', async () => {
  await server.connection.collection('serverStarts').deleteMany({});
  const clock = fakeClock(Date.now());
  const start = async () => {
    const starts = createServerStarts({ connection: server.connection, clock, log: silentLog });
    await starts.record();
    return starts.ofDay();
  };
  const [first] = await start();
  clock.pass(HOUR);
  const second = iso(clock.now());
  expect(await start()).toEqual([first, second]);
  clock.pass(DAY);
  expect(await start()).toEqual([second, iso(clock.now())]);
});

test('emits changes to administrators only, also while MongoDB is away [S3-53]', async () => {
  const [page, others] = [await openPage(admin), await openPage(user)];
  expect([page.ack, others.ack]).toMatchObject([{ ok: true }, { code: 'forbidden' }]);
  await expect.poll(() => page.received.stats.length).toBeGreaterThan(0);
  const before = adminStatsSchema.parse(page.received.stats.at(-1)).users.total;
  await server.register('Newcomer');
  await expect.poll(() => page.received.stats.at(-1)?.users.total).toBe(before + 1);

  await proxy.cut();
  const away = () => page.received.status.find(({ mongo }) => !mongo.up);
  await expect.poll(away, { timeout: 15_000 }).toBeDefined();
  expect(systemStatusSchema.parse(away())).toMatchObject({
    mongo: { up: false, pingMs: null },
    autoBuy: { activeRules: 2 },
    feed: { clients: 2 },
  });
  await proxy.restore();
  await expect.poll(() => page.received.status.at(-1)?.mongo.up, { timeout: 15_000 }).toBe(true);
  expect(others.received).toEqual({ stats: [], status: [] });
}, 60_000);

test('counts by indexes only', async () => {
  const connection = await mongoose
    .createConnection(server.mongoUri, { monitorCommands: true, autoIndex: false })
    .asPromise();
  onTestFinished(() => connection.close());
  const clock = { now: Date.now };
  const explained = explainer(connection);
  const { read } = createAdminStats({
    connection,
    scanners: () => ({ lastTokenScan: null, lastXPostScan: null }),
    clock,
  });
  const count = createAutoBuyCounts(connection, clock);
  const queued = () =>
    alertModel(connection).countDocuments({ 'telegram.state': 'queued' }).hint({ 'telegram.at': 1 }).exec();
  expect([ruleModel(connection), strategyModel(connection), transactionModel(connection)]).toHaveLength(3);
  const plans = await explained.plans(() => Promise.all([read(), count(), queued()]));
  expect(plans).toHaveLength(8);
  for (const stages of plans) {
    expect(stages).not.toContain('COLLSCAN');
    expect(stages.some((stage) => stage === 'IXSCAN' || stage === 'COUNT_SCAN')).toBe(true);
  }
});
