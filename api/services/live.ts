import type { Logger } from 'pino';
import type { Clock } from '../../common/time.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import { createMemoryLog } from '../../realtime/feed-log/memory.ts';
import { createRedisLog } from '../../realtime/feed-log/redis.ts';
import { openRedis } from '../../realtime/redis.ts';

/**
 * Opens the feed log: in memory, or over Redis for several processes. `installation`: names what belongs to this database on a
 * Redis. `close` ends the connections after the log.
 */
export function openFeedLog(deps: {
  redisUrl: string | null;
  installation: string;
  clock: Clock;
  log: Logger;
}): FeedLog {
  const { redisUrl, installation, clock, log } = deps;
  if (redisUrl === null) return createMemoryLog({ clock });
  const redis = openRedis({ url: redisUrl, log });
  const feedLog = createRedisLog({ redis, key: `mintwatch:${installation}:feed`, clock, log });
  // Not awaited: the server also starts while Redis is away.
  feedLog.begin(() => true).catch((error: unknown) => log.debug({ error }, 'no epoch of the feed was begun'));
  return {
    ...feedLog,
    async close() {
      await feedLog.close();
      redis.close();
    },
  };
}
