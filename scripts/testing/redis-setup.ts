import type { TestProject } from 'vitest/node';
import { startRedis } from '../../realtime/testing/redis.ts';
import { effortOf } from './effort.mjs';

/** Starts one Redis for all integration tests of a run. Without the program a landing skips the tests that need it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const redis = await startRedis();
  project.provide('redisUrl', redis?.url ?? null);
  if (redis === null) {
    const missing = 'redis-server is not installed (Debian: apt-get install redis-server)';
    if (effortOf(process.env.TEST_EFFORT) !== 'landing') throw new Error(`${missing}, and a full run needs it.`);
    console.warn(`${missing}: the tests of several processes are skipped.`);
  }
  return async () => redis?.remove();
}
