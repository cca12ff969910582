import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { FeedLog } from '../../../realtime/feed-log/feed-log.ts';
import { createRedisLog } from '../../../realtime/feed-log/redis.ts';
import { openRedis } from '../../../realtime/redis.ts';
import { processFigures, serveCalls } from '../fanout/child.ts';
import { openLoadGateway, portOf } from '../fanout/targets.ts';
import { createUpdates, SOL_USD } from '../fanout/updates.ts';

/** A process of the measured server: it writes the feed, or is a gateway. */
const KEY = 'mintwatch:bench:feed';
const log = pino({ level: 'silent' });
const clock = { now: Date.now };
const updates = createUpdates();
let feed: FeedLog | null = null;
let authenticated = 0;

function opened(): FeedLog {
  if (!feed) throw new Error('this process has no feed');
  return feed;
}

const open = (url: string): FeedLog => createRedisLog({ redis: openRedis({ url, log }), key: KEY, clock, log });

const calls = {
  async startWriter(url: string) {
    feed = open(url);
    await feed.begin(() => true);
  },

  async startGateway(url: string) {
    feed = open(url);
    const http = createServer((_request, response) => response.writeHead(404).end());
    openLoadGateway(http, feed, {
      onSession() {
        authenticated += 1;
      },
    });
    return portOf(http);
  },

  /** Publishes one frame of `updatesPerFrame` updates every `everyMs`. Resolves with the number of the last one. */
  async publish({ frames, updatesPerFrame, everyMs }: { frames: number; updatesPerFrame: number; everyMs: number }) {
    for (let frame = 0; frame < frames; frame += 1) {
      const patches = updates(updatesPerFrame);
      await opened().append([{ event: 'token-updates', payload: { at: clock.now(), solUsd: SOL_USD, patches } }]);
      await wait(everyMs);
    }
    return opened().head().seq;
  },

  head: () => opened().head(),
  /** Sessions that were looked up. */
  authenticated: () => authenticated,

  ...processFigures,
};
export type MemberCalls = typeof calls;

serveCalls(calls);
