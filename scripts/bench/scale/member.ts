import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import type { FeedLog } from '../../../realtime/feed-log/feed-log.ts';
import { createRedisLog } from '../../../realtime/feed-log/redis.ts';
import { createGateway } from '../../../realtime/gateway/gateway.ts';
import { openRedis } from '../../../realtime/redis.ts';
import { serveCalls } from '../fanout/child.ts';
import { createUpdates, SOL_USD } from '../fanout/updates.ts';

/** A process of the measured server: it writes the feed, or is a gateway. */
const KEY = 'mintwatch:bench:feed';
const UNLIMITED = 1e6;
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
    const user = { id: 'load', username: 'load', isAdmin: false, hasSecondFactor: false };
    createGateway(http, {
      feedLog: feed,
      clock,
      async authenticate() {
        authenticated += 1;
        return { user, sessionId: 'load' };
      },
      aliveSessions: async (ids) => new Set(ids),
      recordWatch: () => Promise.resolve(),
      log,
      // The load is one user at one address.
      limits: { connectionsPerUser: UNLIMITED, connectionsPerAddress: UNLIMITED, connections: UNLIMITED },
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const address = http.address();
    if (address === null || typeof address === 'string') throw new Error('the gateway has no port');
    return address.port;
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

  head: () => opened().head().seq,
  /** Sessions that were looked up. */
  authenticated: () => authenticated,

  /** Returns the user and system CPU time of this process, µs. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },

  /** Resolves with the memory after garbage collection, bytes. */
  async memory() {
    for (let round = 0; round < 2; round += 1) {
      globalThis.gc?.();
      await wait(50);
    }
    return process.memoryUsage.rss();
  },
};
export type MemberCalls = typeof calls;

serveCalls(calls);
