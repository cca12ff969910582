/** A process of the feed over Redis, for a test that kills it: `writer`, or `gateway <port>`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { createRedisLog } from '../../../realtime/feed-log/redis.ts';
import { createGateway } from '../../../realtime/gateway/gateway.ts';
import { openRedis } from '../../../realtime/redis.ts';
import { addressOf } from '../../../realtime/testing/events.ts';
import { type Command, type Row, TOKENS, USERS } from './contract.ts';

/** Time between two changes, ms. */
const CHANGE_MS = 40;

const [role = '', port = '0'] = process.argv.slice(2);
const { MONGODB_URI = '', REDIS_URL = '', FEED_KEY = '' } = process.env;
const clock = { now: Date.now };
const log = pino({ level: 'silent' });
const mongo = await mongoose.createConnection(MONGODB_URI, { autoIndex: false }).asPromise();
const rows = mongo.collection<Row>('feedRows');
const feedLog = createRedisLog({ redis: openRedis({ url: REDIS_URL, log }), key: FEED_KEY, clock, log });

/** Changes tokens one after the other: MongoDB first, then the feed, as the market does. */
async function write(): Promise<void> {
  let isQuiet = false;
  let mustDie = false;
  const appends = new Set<Promise<unknown>>();
  process.on('message', (command: Command) => {
    if (command === 'die between') mustDie = true;
    if (command === 'be quiet') isQuiet = true;
  });
  void feedLog.begin(() => true);
  process.send?.('ready');
  for (let count = 0; !isQuiet; count += 1) {
    const number = (count * 7) % TOKENS;
    const row = await rows.findOneAndUpdate(
      { _id: addressOf(number) },
      { $inc: { version: 1 } },
      { upsert: true, returnDocument: 'after', writeConcern: { w: 1, j: true } },
    );
    if (mustDie) process.kill(process.pid, 'SIGKILL');
    const version = row?.version ?? 1;
    const patches = [{ address: addressOf(number), number: number + 1, version, price: version }];
    const append = feedLog
      .append([{ event: 'token-updates', payload: { at: clock.now(), solUsd: null, patches } }])
      .finally(() => appends.delete(append));
    appends.add(append);
    await pause(CHANGE_MS);
  }
  await Promise.all(appends);
  process.send?.('quiet');
}

/** Serves live clients, and the list as a snapshot: its position is read before its rows (F3). */
async function serve(): Promise<void> {
  const http = createServer((_request, response) => {
    const position = feedLog.head();
    void rows
      .find()
      .toArray()
      .then((found) => response.end(JSON.stringify({ position, rows: found })));
  });
  createGateway(http, {
    feedLog,
    clock,
    log,
    authenticate: async ({ headers }) => {
      const id = /user=(\d+)/.exec(headers.cookie ?? '')?.[1] ?? '0';
      return { user: { id, username: `user${id}`, isAdmin: false, hasSecondFactor: false }, sessionId: id };
    },
    aliveSessions: async (ids) => new Set(ids),
    recordWatch: () => Promise.resolve(),
    limits: { connectionsPerUser: USERS },
  });
  http.listen(Number(port), '127.0.0.1');
  await once(http, 'listening');
  process.send?.('ready');
}

await (role === 'writer' ? write() : serve());
