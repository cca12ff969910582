import { afterEach, expect, test, vi } from 'vitest';
import { testFolder } from '../../api/testing/folder.ts';
import { startRedis } from './redis.mjs';

afterEach(() => vi.unstubAllEnvs());

test('a machine without redis-server is one line with the way out', async () => {
  vi.stubEnv('PATH', '/nowhere');
  const config = { dataDir: await testFolder('redis'), redisUrl: null };
  await expect(startRedis(config, { report() {}, add() {} })).rejects.toMatchObject({
    name: 'StartError',
    message: 'redis-server was not found. Install it (Debian: apt install redis-server), or set REDIS_URL.',
  });
});

test('the server of REDIS_URL is used where there is one', async () => {
  const lines: string[] = [];
  const config = { dataDir: '/nowhere', redisUrl: 'redis://redis:6379' };
  const report = (line: string) => void lines.push(line);
  expect(await startRedis(config, { report, add: () => expect.unreachable() })).toBe('redis://redis:6379');
  expect(lines).toEqual(['the server of REDIS_URL']);
});
