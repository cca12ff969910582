import type { Logger } from 'pino';
import type { Clock } from '../../common/time.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import { createMemoryLog } from '../../realtime/feed-log/memory.ts';
import { createRedisLog } from '../../realtime/feed-log/redis.ts';
import { openRedis } from '../../realtime/redis.ts';
import { createEventBus, type EventBus, type EventSource, type OnEventError } from '../events/bus.ts';
import { createRedisBus } from '../events/redis-bus.ts';
import { createRedisLimits, memoryLimits, type QuickLimits } from '../http/limits/rate-limits.ts';

/** The ways from one part of the product to others, and to clients. */
interface Live {
  feedLog: FeedLog;
  bus: EventBus;
  /** Events that this process has emitted itself. */
  own: EventSource;
  quickLimits: QuickLimits;
  /** Makes this process the one writer of the feed, in a new epoch, while `isHolder` returns true. Does not wait for Redis. `beforeEpoch`: as in FeedLog. */
  begin(isHolder: () => boolean, beforeEpoch: () => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * Opens the feed log and the event bus: in memory, or over Redis for several processes. `installation`: names what belongs to this
 * database on a Redis.
 */
export function openLive(deps: { redisUrl: string | null; installation: string; clock: Clock; log: Logger }): Live {
  const { redisUrl, installation, clock, log } = deps;
  const onError: OnEventError = (error, event) => log.error({ error, event }, 'event handler failed');
  if (redisUrl === null) {
    const feedLog = createMemoryLog({ clock });
    const bus = createEventBus(onError);
    return { feedLog, bus, own: bus, quickLimits: memoryLimits, begin() {}, close: feedLog.close };
  }
  const redis = openRedis({ url: redisUrl, log });
  const feedLog = createRedisLog({ redis, key: `mintwatch:${installation}:feed`, clock, log });
  const { bus, own, close } = createRedisBus({ redis, name: `mintwatch:${installation}:events`, onError });
  return {
    feedLog,
    bus,
    own,
    quickLimits: createRedisLimits(redis.commands, `mintwatch:${installation}:limit`),
    begin(isHolder, beforeEpoch) {
      feedLog
        .begin(isHolder, beforeEpoch)
        .catch((error: unknown) => log.debug({ error }, 'no epoch of the feed was begun'));
    },
    async close() {
      await feedLog.close();
      close();
      redis.close();
    },
  };
}
