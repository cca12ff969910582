import { pino } from 'pino';
import { describe, expect, inject, test } from 'vitest';
import type { ServerToClientEvents } from '../../common/live/events.ts';
import { createRedisLog } from '../../realtime/feed-log/redis.ts';
import { openRedis } from '../../realtime/redis.ts';
// Declares the type of the provided 'redisUrl'.
import type {} from '../../realtime/testing/redis.ts';
import { startTestServer } from '../test-server.ts';
import { serverDatabase } from '../testing/database.ts';
import { person, socketOf } from '../testing/people.ts';

const silentLog = pino({ level: 'silent' });
const redisUrl = inject('redisUrl');

describe.skipIf(redisUrl === null)('with REDIS_URL', () => {
  const url = redisUrl ?? '';

  test('the market reaches clients over Redis, and a second process follows the same feed [F7]', {
    timeout: 120_000,
  }, async () => {
    const { uri: mongoUri, release } = serverDatabase();
    const server = await startTestServer({
      env: { REDIS_URL: url, MARKET: 'simulator', MARKET_RATE: '60' },
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
});
