import { pino } from 'pino';
import { describe, expect, inject, test } from 'vitest';
import type { ServerToClientEvents } from '../../common/live/events.ts';
import { createRedisLog } from '../../realtime/feed-log/redis.ts';
import { openRedis } from '../../realtime/redis.ts';
// Declares the type of the provided 'redisUrl'.
import type {} from '../../realtime/testing/redis.ts';
import { startTestServer } from '../test-server.ts';
import { serverDatabase } from '../testing/database.ts';
import { person, socketOf, tabOf } from '../testing/people.ts';
import { PROCESSES } from '../testing/server.ts';
import { addressNumber, tokenRecord } from '../testing/tokens.ts';
import { tokenModels } from '../tokens/model.ts';
import { presentToken } from '../tokens/present.ts';
import type { TokenRecord } from '../tokens/record.ts';

const silentLog = pino({ level: 'silent' });
const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('with REDIS_URL', () => {
  const url = redisUrl ?? '';

  test('the market reaches clients over Redis, and a second process follows the same feed [F7]', {
    timeout: 120_000,
  }, async () => {
    const { uri: mongoUri, release } = serverDatabase();
    const server = await startTestServer({
      env: { REDIS_URL: url, MARKET: 'simulator', MARKET_RATE: '6' },
      mongoUri,
    });
    const redis = openRedis({ url, log: silentLog });
    const key = `mintwatch:${server.connection.name}:feed`;
    const follower = createRedisLog({ redis, key, clock: { now: Date.now }, log: silentLog });
    const followed: number[] = [];
    follower.tail({
      entries: (entries) => void followed.push(...entries.map(({ seq }) => seq)),
      message: () => {},
      interrupted: () => {},
    });
    try {
      const socket = await socketOf(server, await person(server, 'Alice'));
      const received: Parameters<ServerToClientEvents['token-updates']>[0][] = [];
      socket.on('token-updates', (event) => received.push(event));
      await expect.poll(() => received.length).toBeGreaterThan(3);
      const last = received.at(-1)?.seq ?? 0;
      await expect.poll(() => followed.at(-1)).toBeGreaterThanOrEqual(last);
      expect(followed).toEqual(followed.map((_, index) => (followed[0] ?? 0) + index));
    } finally {
      await follower.close();
      redis.close();
      await server.stop();
      release();
    }
  });

  test('a process for clients lists all tokens while no worker has the lease, and a new holder begins a new epoch', {
    timeout: 120_000,
  }, async () => {
    const { uri: mongoUri, release } = serverDatabase();
    const shared = { ...PROCESSES, REDIS_URL: url };
    const stored = [0, 1, 2].map((number) => tokenRecord(number, { liquidityLamports: number * 1_000_000_000 }));
    const rate = { SOL_USD: '150' };
    const worker = await startTestServer({ env: { ...shared, ...rate, ROLES: 'worker' }, mongoUri, stored });
    const front = await startTestServer({ env: { ...shared, ROLES: 'http,realtime' }, mongoUri });
    try {
      const cookie = await front.register('Alice');
      const list = () => front.fetchJson('/api/tokens?sort=liquidity', { cookie });
      await worker.stopServer();
      const { tokens } = tokenModels(worker.connection);
      // The worker has scored them.
      const records = await tokens.find().sort({ liquidityLamports: -1 }).lean<TokenRecord[]>();
      // Until it has read them, it asks the worker.
      await expect.poll(async () => (await list()).status).toBe(200);
      const { status, headers, body } = await list();
      expect([status, body]).toEqual([200, records.map(presentToken)]);
      expect(await front.fetchJson('/api/tokens/stats', { cookie })).toMatchObject({
        body: { total: 3, simulated: false, solUsd: { rate: 150 } },
      });
      const detail = `/api/tokens/address/${addressNumber(0)}`;
      expect(await front.fetchJson(detail, { cookie })).toMatchObject({ status: 200, body: { name: 'Coin 0' } });
      await worker.restart();
      const epoch = headers.get('x-feed-epoch');
      await expect.poll(async () => (await list()).headers.get('x-feed-epoch')).not.toBe(epoch);
    } finally {
      await front.stop();
      await worker.stop();
      release();
    }
  });

  test('a process for live updates alone serves sockets, with events of another process, and no page or call', {
    timeout: 120_000,
  }, async () => {
    const { uri: mongoUri, release } = serverDatabase();
    const shared = { ...PROCESSES, REDIS_URL: url };
    const calls = await startTestServer({
      env: { ...shared, ROLES: 'http,worker' },
      mongoUri,
      stored: [tokenRecord(1)],
    });
    const sockets = await startTestServer({ env: { ...shared, ROLES: 'realtime' }, mongoUri });
    try {
      const alice = await person(calls, 'Alice');
      const { received, ack } = await tabOf(sockets, alice);
      expect(ack).toEqual({ ok: true });
      await alice.call(`/api/watchlists/watch/${addressNumber(1)}`, { method: 'PUT' });
      await expect.poll(() => received).toMatchObject([{ subject: 'watchlists', op: 'saved' }]);
      const statusOf = async (path: string) => (await sockets.fetchJson(path, alice)).status;
      expect(await statusOf('/api/health/ready')).toBe(200);
      for (const path of ['/api/tokens', '/api/settings', '/api/docs', '/']) expect(await statusOf(path)).toBe(404);
    } finally {
      await sockets.stop();
      await calls.stop();
      release();
    }
  });
});
