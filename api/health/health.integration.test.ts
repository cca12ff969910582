import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthSchema } from '../../common/health/http.ts';
import { startTestServer } from '../test-server.ts';
import { testDatabase } from '../testing/database.ts';
import { type MongoProxy, proxyMongo } from '../testing/mongo-proxy.ts';
import { PASSWORD, type TestServer } from '../testing/server.ts';

const AWAY = {
  status: 503,
  body: {
    error: 'The database is not reachable right now. Please try again in a moment.',
    code: 'unavailable',
  },
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

async function recover(): Promise<void> {
  await proxy.restore();
  await expect.poll(async () => (await server.fetchJson('/api/auth/me', { cookie })).status).toBe(200);
  expect((await server.fetchJson('/api/health')).status).toBe(200);
}

const login = { method: 'POST', json: { username: 'Patient', password: PASSWORD } };

test('returns the health without a session', async () => {
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
  expect(reply.headers.get('Cache-Control')).toBe('no-store');
});

test('refuses every call with 503 while MongoDB is away, and recovers by itself', async () => {
  await proxy.cut();
  for (const [path, options] of [
    ['/api/auth/me', { cookie }],
    ['/api/tokens', { cookie }],
    ['/api/tokens/stats', { cookie }],
    ['/api/auth/login', login],
    ['/api/auth/register', login],
  ] as const) {
    expect(await server.fetchJson(path, options)).toMatchObject(AWAY);
  }
  // A call may have found it away before the driver did.
  await expect
    .poll(async () => {
      const { status, body } = await server.fetchJson('/api/health');
      return { status, health: healthSchema.parse(body) };
    })
    .toMatchObject({ status: 503, health: { status: 'unavailable', mongo: 'down' } });
  await recover();
});

test('refuses pending calls with 503 when MongoDB hangs', async () => {
  proxy.freeze();
  const replies = await Promise.all([
    server.fetchJson('/api/settings', { cookie }),
    server.fetchJson('/api/alerts', { cookie }),
    server.fetchJson('/api/auth/login', login),
  ]);
  for (const reply of replies) expect(reply).toMatchObject(AWAY);
  expect((await server.fetchJson('/api/health')).status).toBe(503);
  await recover();
});
