import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthCalls, readinessSchema } from '../../common/health/http.ts';
import { startTestServer } from '../test-server.ts';
import { testDatabase } from '../testing/database.ts';
import { type MongoProxy, proxyMongo } from '../testing/mongo-proxy.ts';
import type { TestServer } from '../testing/server.ts';

const TOKEN = 'a-token-for-the-metrics-page';

let proxy: MongoProxy;
let server: TestServer;

beforeAll(async () => {
  proxy = await proxyMongo(testDatabase().uri);
  server = await startTestServer({ mongoUri: proxy.uri, env: { METRICS_TOKEN: TOKEN } });
});
afterAll(async () => {
  await server.stop();
  await proxy.close();
});

async function scrape(authorization = `Bearer ${TOKEN}`) {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}

/** Returns the value of a sample line, such as `mintwatch_mongo_up`; null without one. */
function sample(text: string, name: string): number | null {
  const line = text.split('\n').find((line) => line.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length));
}

test('a reader with the token gets the figures of System Status and the times of requests', async () => {
  await server.fetchJson('/api/health');
  const { status, type, text } = await scrape();
  expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(sample(text, 'mintwatch_feed_clients')).toBe(0);
  expect(sample(text, 'mintwatch_mongo_up')).toBe(1);
  expect(sample(text, 'mintwatch_orders_open{status="held"}')).toBe(0);
  expect(sample(text, 'mintwatch_http_request_seconds_count{method="GET",route="/api/health",status="2xx"}')).toBe(1);
  // Unknown: the market is off, so nothing was published.
  expect(sample(text, 'mintwatch_publish_seconds{quantile="0.99"}')).toBeNull();
  expect(sample(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
});

test.each(['', 'Bearer another-token-of-someone-else', TOKEN])('"%s" gets 404, as any unknown page', async (header) => {
  const { status, text } = await scrape(header);
  expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ code: 'not-found' })]);
});

test('without MongoDB the server is live and not ready, and the figures say why', async () => {
  const { live, ready } = healthCalls;
  const states = async () => [
    (await server.fetchJson(live.path)).status,
    readinessSchema.parse((await server.fetchJson(ready.path)).body).status,
  ];
  expect(await states()).toEqual([200, 'ready']);
  await proxy.cut();
  await expect.poll(states).toEqual([200, 'no-database']);
  expect((await server.fetchJson(ready.path)).status).toBe(503);
  expect(sample((await scrape()).text, 'mintwatch_mongo_up')).toBe(0);
  await proxy.restore();
  await expect.poll(states).toEqual([200, 'ready']);
});

test('a list that is sent from memory counts by its route', async () => {
  const cookie = await server.register('Reader');
  for (let read = 0; read < 3; read += 1) await server.fetchJson('/api/tokens?limit=7', { cookie });
  const count = 'mintwatch_http_request_seconds_count{method="GET",route="/api/tokens",status="2xx"}';
  expect(sample((await scrape()).text, count)).toBe(3);
});

test('each response has an id of its own', async () => {
  const ids = await Promise.all(
    [1, 2, 3].map(async () => (await server.fetchJson('/api/health')).headers.get('x-request-id')),
  );
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain(null);
});
