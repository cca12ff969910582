import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { detectionStatsSchema } from '../../common/diagnostics/model.ts';
import { createMemoryLog } from '../../realtime/feed-log/memory.ts';
import { tokenOf } from '../../realtime/testing/events.ts';
import { person, socketOf } from '../testing/people.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { loadTally } from './load.ts';
import { createDiagnostics } from './service.ts';

let server: TestServer;
afterEach(() => server.stop());
const PATH = '/api/debug/token-detection-stats';

test('administrators alone get the statistics, and hear them when they change [S7.3-22, S2.15-01]', async () => {
  server = await startTestServer({ env: { MARKET: 'simulator', MARKET_RATE: '60', MARKET_SEED: '3' } });
  const admin = await person(server, 'Root', { isAdmin: true });
  const user = await person(server, 'Someone');
  expect(await user.call(PATH)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  const anonymous = await server.fetchJson(PATH);
  expect(anonymous.status).toBe(401);

  const socket = await socketOf(server, admin);
  const said: unknown[] = [];
  socket.on('detection-stats', (stats) => said.push(stats));
  await socket.emitWithAck('subscribe', { topic: 'diagnostics' });
  await expect.poll(() => said.length, { timeout: 20_000 }).toBeGreaterThan(2);
  const stats = detectionStatsSchema.parse(said.at(-1));
  expect(stats.coverage.sources).toEqual(['simulator']);
  await expect
    .poll(async () => detectionStatsSchema.parse((await admin.call(PATH)).body).coverage.bySource[0]?.seen, {
      timeout: 20_000,
    })
    .toBeGreaterThan(0);
  const { tokens } = tokenModels(server.connection);
  await expect
    .poll(async () => {
      const { body } = await admin.call(PATH);
      return Math.abs(detectionStatsSchema.parse(body).tokenStats.totalTokens - (await tokens.countDocuments()));
    })
    .toBeLessThan(20);
});

test('what is read from storage counts the same one by one and in sum', async () => {
  server = await startTestServer();
  const { tokens } = tokenModels(server.connection);
  const now = Date.now();
  const records = Array.from({ length: 40 }, (_, number) => ({
    // Some are listed in the same moment.
    ...tokenRecord(number, { listedAt: now - Math.floor(number / 4) }),
    volumeUsd: number % 3 === 0 ? 5 : null,
    marketCapUsd: number % 2 === 0 ? 5 : null,
    createdAt: number % 5 === 0 ? null : now,
    runner: number % 7 === 0,
  }));
  await tokens.insertMany(records);
  const whole = (await loadTally(tokens)).counts(now);
  const summed = (await loadTally(tokens, 15)).counts(now);
  expect(whole.tokenStats).toEqual({ totalTokens: 40, withCreationDate: 32 });
  expect(summed.tokenStats).toEqual(whole.tokenStats);
  expect(summed.flagged).toEqual(whole.flagged);
  expect({ ...summed.metrics, withPriceChange: 0 }).toEqual({ ...whole.metrics, withPriceChange: 0 });
});

test('what was told before MongoDB had it counts, and what MongoDB dropped without a word does not', async () => {
  server = await startTestServer();
  const { tokens } = tokenModels(server.connection);
  await tokens.insertMany([tokenRecord(1), tokenRecord(2)]);
  const clock = { now: () => Date.now() };
  const feedLog = createMemoryLog({ clock });
  let stored = feedLog.head();
  await feedLog.append([{ event: 'new-token', payload: { token: tokenOf(3) } }]);
  const diagnostics = createDiagnostics({
    connection: server.connection,
    feedLog,
    publisher: { send: () => undefined, listens: () => false },
    sightings: { tick: () => undefined, coverage: () => ({ sources: [], minutes: [], bySource: [], missed: [] }) },
    stored: () => stored,
    clock,
    log: pino({ level: 'silent' }),
  });
  const total = async () => (await diagnostics.stats()).tokenStats.totalTokens;
  diagnostics.start();
  expect(await total()).toBe(3);
  await feedLog.append([{ event: 'new-token', payload: { token: tokenOf(4) } }]);
  expect(await total()).toBe(4);

  await tokens.deleteMany({ _id: tokenRecord(1)._id });
  await tokens.insertMany([tokenRecord(3), tokenRecord(4)]);
  stored = feedLog.head();
  for (let second = 0; second < 3_600; second += 1) diagnostics.tick();
  await expect.poll(total).toBe(3);

  // Said, but not deleted here: nothing is read again for it.
  await feedLog.append([
    { event: 'tokens-removed', payload: { all: true } },
    { event: 'new-token', payload: { token: tokenOf(5) } },
  ]);
  expect(await total()).toBe(1);
  diagnostics.stop();
});
