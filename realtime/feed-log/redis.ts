import type { Logger } from 'pino';
import type { ResyncReason } from '../../common/live/protocol.ts';
import type { Clock } from '../../common/time.ts';
import { openChannel, type Redis } from '../redis.ts';
import type { FeedEntry, FeedLog, FeedTail, RoomMessage } from './feed-log.ts';
import { createStreamReader } from './stream-reader.ts';
import { createStreamWriter } from './stream-writer.ts';
import type { StreamLimits } from './trim.ts';

export interface RedisLogDeps {
  redis: Redis;
  /** Name of the stream; the channel of messages to rooms is `<key>:rooms`. */
  key: string;
  clock: Clock;
  log: Logger;
  limits?: Partial<StreamLimits>;
}

/**
 * Creates the feed log over a Redis stream: the process that has begun an epoch writes it, every process reads it once and replays
 * from its own memory. Messages to rooms are published beside it and are lost while Redis is away: then clients fetch again.
 */
export function createRedisLog({ redis, key, clock, log, limits = {} }: RedisLogDeps): FeedLog {
  const tails = new Set<FeedTail>();
  const interrupt = (reason: ResyncReason) => {
    for (const tail of tails) tail.interrupted(reason);
  };
  const reader = createStreamReader({
    redis,
    key,
    clock,
    log,
    onEntries(entries: readonly FeedEntry[]) {
      for (const tail of tails) tail.entries(entries);
    },
    onInterrupted: interrupt,
  });
  const writer = createStreamWriter({ redis: redis.commands, key, clock, log, limits, onWritten: reader.take });
  const rooms = openChannel(redis, `${key}:rooms`, {
    message(text) {
      const message: RoomMessage = JSON.parse(text);
      for (const tail of tails) tail.message(message);
    },
    lost: () => interrupt('too-old'),
  });

  return {
    head: reader.head,
    oldest: reader.oldest,
    async begin(isHolder, beforeEpoch) {
      await Promise.all([writer.begin(isHolder, beforeEpoch), rooms.subscribed]);
    },
    async append(events) {
      return events.length === 0 ? reader.head() : writer.append(events);
    },
    async since(cursor, limit = Number.POSITIVE_INFINITY) {
      return reader.since(cursor, limit);
    },
    relay: (message) => rooms.publish(JSON.stringify(message)),
    tail(tail) {
      tails.add(tail);
      return () => tails.delete(tail);
    },
    isFollowing: reader.isFollowing,
    async close() {
      await writer.close();
      tails.clear();
      rooms.close();
      reader.close();
    },
  };
}
