import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { openRedis } from '../../../realtime/redis.ts';
import { startRedis } from '../../../realtime/testing/redis.ts';
import { createRedisLimits, type Limiter } from './rate-limits.ts';

const redisUrl = inject('redisUrl');
const log = pino({ level: 'silent' });
const closing: (() => unknown)[] = [];
const THREE = { tries: 3, seconds: 600 };

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Opens the limits of a process, once it is connected. */
async function openLimits(url: string, prefix: string) {
  const redis = openRedis({ url, log });
  closing.push(() => redis.close());
  await vi.waitFor(() => expect(redis.isReady()).toBe(true));
  return { limits: createRedisLimits(redis.commands, prefix), redis };
}

/** Returns how many of five tries are allowed. */
async function allowed(limiter: Limiter, key: string): Promise<number> {
  const tries = await Promise.allSettled(Array.from({ length: 5 }, () => limiter.count(key)));
  for (const outcome of tries) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 429 });
  return tries.filter(({ status }) => status === 'fulfilled').length;
}

describe.skipIf(redisUrl === null)('limits over Redis', () => {
  const url = redisUrl ?? '';

  test('count the tries of all processes together, by limit and key', async () => {
    const prefix = randomUUID();
    const [one, other] = [await openLimits(url, prefix), await openLimits(url, prefix)];
    const [here, there] = [one.limits.limiter('read', THREE), other.limits.limiter('read', THREE)];
    await here.count('alice');
    await there.count('alice');
    expect(await allowed(here, 'alice')).toBe(1);
    await expect(there.count('alice')).rejects.toMatchObject({ status: 429, retryAfter: expect.any(Number) });
    expect(await allowed(there, 'bob')).toBe(3);
    expect(await allowed(one.limits.limiter('search', THREE), 'alice')).toBe(3);
    await there.forget('alice');
    expect(await allowed(here, 'alice')).toBe(3);
  });

  test('are never open while Redis is away: each process counts alone', async () => {
    const server = await startRedis();
    if (server === null) throw new Error('redis-server is missing');
    closing.push(server.remove);
    const { limits, redis } = await openLimits(server.url, 'test');
    const limiter = limits.limiter('read', THREE);
    await limiter.count('alice');
    await server.kill();
    await vi.waitFor(() => expect(redis.isReady()).toBe(false));
    expect(await allowed(limiter, 'alice')).toBe(3);
    expect(await allowed(limiter, 'alice')).toBe(0);
  });
});
