import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { afterAll, expect, test, vi } from 'vitest';
import { testDatabase } from '../../api/testing/database.ts';
import { noteProof } from '../../api/testing/proof.ts';
import { sized } from '../../common/testing/effort.ts';
import { freePort } from '../../realtime/testing/free-port.ts';
import { startRedis } from '../../realtime/testing/redis.ts';
import type { Command, Row } from './feed/contract.ts';
import { createFeedClient } from './feed/feed-client.ts';

const ROUNDS = sized({ landing: 1, full: 3, soak: 50 });
const CLIENTS = 200;
/** Kills of each round, each after a time of load of at most `LOAD_MS`. */
const KILLS = 4;
const LOAD_MS = 1_500;
/** Time that Redis is away once in the first round, ms. */
const AWAY_MS = sized({ landing: 2_000, full: 20_000, soak: 20_000 });
const SOON = { timeout: 60_000, interval: 100 };

const { uri } = testDatabase();
const connection = await mongoose.createConnection(uri, { autoIndex: false }).asPromise();
const redis = (await startRedis()) ?? expect.fail('redis-server is missing');
const env = {
  ...process.env,
  MONGODB_URI: uri,
  REDIS_URL: redis.url,
  FEED_KEY: `feed-${connection.name}`,
};

/** A process that is started again after each kill. */
function createProcess(...args: string[]) {
  let child: ChildProcess | null = null;
  return {
    async start(): Promise<void> {
      const file = path.join(import.meta.dirname, 'feed/server.ts');
      child = fork(file, args, { env, execArgv: ['--import', 'tsx'] });
      const ended = once(child, 'exit').then(() => ['ended']);
      const [message] = await Promise.race([once(child, 'message'), ended]);
      expect(message).toBe('ready');
    },
    send: (command: Command) => void child?.send(command),
    reply: async (): Promise<unknown> => (child === null ? null : (await once(child, 'message'))[0]),
    /** kill -9; resolves when it is gone. */
    async kill(how: 'at once' | 'between' = 'at once'): Promise<void> {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      if (how === 'between') child.send('die between' satisfies Command);
      else child.kill('SIGKILL');
      await gone;
    },
  };
}

const ports = [await freePort(), await freePort()];
const gateways = ports.map((port) => createProcess('gateway', String(port)));
const writer = createProcess('writer');
const clients: ReturnType<typeof createFeedClient>[] = [];
afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all([...gateways, writer].map((one) => one.kill()));
  await redis.remove();
  await connection.close();
});

/** Kills something under load, and starts it again. */
const kills = {
  'a gateway': async (round: number) => {
    const gateway = gateways[round % gateways.length];
    await gateway?.kill();
    await gateway?.start();
  },
  'the writer': async () => {
    await writer.kill();
    await writer.start();
  },
  'the writer between MongoDB and the append': async () => {
    await writer.kill('between');
    await writer.start();
  },
  Redis: async (_round: number, awayMs = 0) => {
    await redis.kill();
    await pause(awayMs);
    await redis.start();
  },
};
const kinds = Object.values(kills);

test(`${CLIENTS} clients have the list of MongoDB after kill -9 of writer, gateways and Redis under load, ${ROUNDS} rounds`, {
  timeout: 120_000 + ROUNDS * 300_000,
}, async () => {
  await Promise.all([...gateways, writer].map((one) => one.start()));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  for (let user = 0; user < CLIENTS; user += 1) clients.push(createFeedClient(urls, user));
  const areLive = () => expect(clients.filter((client) => !client.isLive()).length).toBe(0);
  await vi.waitFor(areLive, SOON);
  for (let round = 0; round < ROUNDS; round += 1) {
    await kills['the writer between MongoDB and the append']();
    if (round === 0) await kills.Redis(round, AWAY_MS);
    for (let count = 0; count < KILLS; count += 1) {
      await pause(Math.random() * LOAD_MS);
      await kinds[Math.floor(Math.random() * kinds.length)]?.(round + count);
    }
    // Not the last kill: a new epoch would hide events that were lost before it.
    await pause(LOAD_MS);
    await kills['a gateway'](round);
    await expectEqual();
  }
  const wrong = clients.reduce((sum, client) => sum + client.stats().wrong, 0);
  const received = clients.reduce((sum, client) => sum + client.stats().received, 0);
  const resyncs = clients.reduce((sum, client) => sum + client.stats().resyncs, 0);
  console.log(JSON.stringify({ rounds: ROUNDS, clients: CLIENTS, received, resyncs, wrong }));
  expect(wrong).toBe(0);
  noteProof('feed over Redis', { rounds: ROUNDS, clients: CLIENTS, received }, { eventsLost: 0, eventsDoubled: wrong });
});

/** Quiets the writer, and compares each client with MongoDB. Then the writer goes on. */
async function expectEqual(): Promise<void> {
  const quiet = writer.reply();
  writer.send('be quiet');
  expect(await quiet).toBe('quiet');
  const rows = await connection.collection<Row>('feedRows').find().toArray();
  const stored = listText(rows.map(({ _id, version }) => [_id, version]));
  await vi.waitFor(() => {
    const unlike = clients.filter(({ versions }) => listText([...versions]) !== stored);
    expect(unlike.length).toBe(0);
  }, SOON);
  await writer.kill();
  await writer.start();
}

/** Returns a list as text, by address. */
function listText(list: [string, number][]): string {
  return list
    .map(([address, version]) => `${address} ${version}`)
    .toSorted()
    .join();
}
