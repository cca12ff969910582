import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCall } from '../common/calls.ts';
import { main } from './main.ts';
import { needOf } from './processes/needs.ts';
import { startTestServer } from './test-server.ts';
import { testFolder } from './testing/folder.ts';
import { MASTER_KEY, PROCESSES, type TestServer } from './testing/server.ts';
import { testWallet, userIdOf } from './testing/wallets.ts';

const SECRET = PROCESSES.CHANNEL_SECRET;
const shared = { ...PROCESSES, METRICS_TOKEN: 'the-token-of-prometheus-here' };

let worker: TestServer;
let front: TestServer;

const start = (ROLES: string, options = {}) => startTestServer({ ...options, env: { ...shared, ROLES } });

beforeAll(async () => {
  worker = await start('worker');
  front = await start('http,realtime', { mongoUri: worker.mongoUri });
});
afterAll(async () => {
  await front.stop();
  await worker.stop();
});

describe('a process without the worker', () => {
  test('signs users in, and has the worker respond to what it does not know itself', async () => {
    const cookie = await front.register('Alice');
    expect(await front.fetchJson('/api/settings', { cookie })).toMatchObject({ status: 200 });
    expect(await front.fetchJson('/api/tokens', { cookie })).toMatchObject({ status: 200, body: [] });
    const account = await front.fetchJson('/api/trading/account', { cookie });
    expect(account).toMatchObject({ status: 200, body: { mode: expect.any(String) } });
    expect(await front.fetchJson('/api/trading/account')).toMatchObject({ status: 401 });
    const changed = { method: 'PATCH', cookie, json: { maxTradeLamports: 'none' } };
    expect(await front.fetchJson('/api/trading/account', changed)).toMatchObject({
      status: 400,
      body: { code: 'invalid-input' },
    });
    const headers = { authorization: `Bearer ${shared.METRICS_TOKEN}` };
    const metrics = await fetch(`${front.url}/metrics`, { headers });
    expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining('mintwatch_mongo_up 1')]);
  });

  test('passes the address of the client on, which the worker records', async () => {
    const cookie = await front.register('Bob');
    const id = await userIdOf(front, cookie);
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const path = `/api/users/${id}/wallet`;
    const saved = await front.fetchJson(path, { method: 'POST', cookie, json: testWallet(1), headers });
    expect(saved.status).toBe(200);
    const { body } = await front.fetchJson(`/api/users/${id}/audit`, { cookie });
    expect(body).toMatchObject({ entries: [{ address: '203.0.113.9' }, { action: 'registered' }] });
  });
});

describe('the channel of the worker', () => {
  const get = (headers: Record<string, string>) => fetch(`${worker.url}/api/health/live`, { headers });

  test('responds to requests with the secret alone', async () => {
    expect((await get({ 'x-mintwatch-channel': SECRET })).status).toBe(200);
    for (const headers of [{}, { 'x-mintwatch-channel': `${SECRET}x` }, { 'x-mintwatch-channel': '' }]) {
      const refused = await get(headers);
      expect([refused.status, await refused.json()]).toEqual([403, expect.objectContaining({ code: 'forbidden' })]);
    }
  });
});

test('each call is served where its need is: without worker and feed those that read MongoDB', async () => {
  await worker.stopServer();
  const unlike: string[] = [];
  for (const { name, call } of everyCall()) {
    const path = call.path.replaceAll(/\{\w+\}/g, 'a'.repeat(24));
    const { status, headers, body } = await front.fetchJson(path, { method: call.method });
    const isRefused = status === 503 && JSON.stringify(body).includes('"no-worker"');
    if (isRefused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    if (isRefused !== ['feed', 'worker'].includes(needOf(name))) unlike.push(`${name} ${status}`);
  }
  expect(unlike).toEqual([]);
  const page = await fetch(`${front.url}/metrics`);
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
});

test('a worker that stands by opens no source, node or bot, and does so once the holder has stopped', async () => {
  const connections = { node: 0, bot: 0 };
  const node = await countingServer(() => (connections.node += 1));
  const bot = await countingServer(() => (connections.bot += 1));
  const first = await start('worker');
  const announced: string[] = [];
  let standsBy: () => void = () => {};
  const isStandby = new Promise<void>((resolve) => {
    standsBy = resolve;
  });
  const turn = main({
    env: {
      ...shared,
      ...{ ROLES: 'worker', MONGODB_URI: first.mongoUri, DATA_DIR: await testFolder('standby'), LOG_LEVEL: 'silent' },
      ...{ WALLET_MASTER_KEY: MASTER_KEY, MARKET: 'solana', SOLANA_RPC_URL: node },
      ...{ TELEGRAM_BOT_TOKEN: '42:AAbb', TELEGRAM_API_ROOT: bot },
    },
    mongoUri: first.mongoUri,
    webRoot: '/nowhere',
    announce(line) {
      announced.push(line);
      if (line.startsWith('standing by')) standsBy();
    },
  });
  await isStandby;
  expect([announced, connections]).toEqual([
    ['database connected', expect.stringContaining(`standing by: process ${process.pid} on `)],
    { node: 0, bot: 0 },
  ]);
  await first.stopServer();
  const successor = await turn;
  await expect.poll(() => Math.min(connections.node, connections.bot)).toBeGreaterThan(0);
  await successor.stop();
  await first.stop();
});

/** Listens for this file, calls `onConnection` for each connection, and refuses it. Resolves with the address. */
async function countingServer(onConnection: () => void): Promise<string> {
  const server = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`;
}
