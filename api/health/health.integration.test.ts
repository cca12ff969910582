import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthSchema } from '../../common/health/http.ts';
import { testDatabase } from '../testing/database.ts';
import { type MongoProxy, proxyMongo } from '../testing/mongo-proxy.ts';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts';

/** What the product promises while MongoDB is away (ms). */
const PROMISED = 2000;
const AWAY = {
  error: 'The database is not reachable right now. Please try again in a moment.',
  code: 'unavailable',
};

let proxy: MongoProxy;
let server: TestServer;
let cookie: string;

beforeAll(async () => {
  proxy = await proxyMongo(testDatabase().uri);
  server = await startTestServer({ mongoUri: proxy.uri });
  cookie = await server.register('Patient');
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
});

async function timed(path: string, options?: Parameters<TestServer['fetchJson']>[1]) {
  const begun = performance.now();
  const reply = await server.fetchJson(path, options);
  return { ...reply, ms: performance.now() - begun };
}

const isBack = () =>
  expect.poll(async () => (await server.fetchJson('/api/auth/me', { cookie })).status, { timeout: 10_000 }).toBe(200);

const login = { method: 'POST', json: { username: 'Patient', password: PASSWORD } };

test('health answers without a session, by its contract', async () => {
  const reply = await server.fetchJson('/api/health');
  expect(reply.status).toBe(200);
  const health = healthSchema.parse(reply.body);
  expect(health).toMatchObject({
    status: 'ok',
    mongo: 'up',
    market: [],
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect(health.feed.epoch).not.toBe('');
  expect(reply.headers.get('Cache-Control')).toBe('private, no-cache');
});

test('while MongoDB is away every call says so within 2 s, at once after the first, and recovers by itself', async () => {
  await proxy.cut();
  for (const [path, options] of [
    ['/api/auth/me', { cookie }],
    ['/api/tokens', { cookie }],
    ['/api/tokens/stats', { cookie }],
    ['/api/auth/login', login],
    ['/api/auth/register', login],
  ] as const) {
    const { status, body, ms } = await timed(path, options);
    expect([path, status, body]).toEqual([path, 503, AWAY]);
    expect(ms).toBeLessThan(PROMISED);
  }
  expect((await timed('/api/tokens', { cookie })).ms).toBeLessThan(200);
  const health = await timed('/api/health');
  expect(health.status).toBe(503);
  expect(healthSchema.parse(health.body)).toMatchObject({ status: 'unavailable', mongo: 'down' });
  expect(health.ms).toBeLessThan(500);

  await proxy.restore();
  await isBack();
  expect((await server.fetchJson('/api/health')).status).toBe(200);
});

test('a MongoDB that hangs is noticed within 2 s by requests that are on their way to it', async () => {
  proxy.freeze();
  const replies = await Promise.all([
    timed('/api/auth/me', { cookie }),
    timed('/api/tokens', { cookie }),
    timed('/api/auth/login', login),
  ]);
  for (const { status, body, ms } of replies) {
    expect([status, body]).toEqual([503, AWAY]);
    expect(ms).toBeLessThan(PROMISED + 100);
  }
  const health = await timed('/api/health');
  expect([health.status, health.ms < 500]).toEqual([503, true]);

  await proxy.restore();
  await isBack();
});
