import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import mongoose from 'mongoose';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { StartError } from '../config/config.ts';
import { toPublicError } from '../http/errors.ts';
import { testDatabase, withDatabase } from '../testing/database.ts';
import { proxyMongo } from '../testing/mongo-proxy.ts';
import { connectDatabase, databaseOf } from './database.ts';
import { createDatabaseMonitor, requireDatabase } from './database-monitor.ts';

const log = pino({ level: 'silent' });

test('a URI that names neither database nor journal keeps everything in `mintwatch`, and journals it', async () => {
  const [bare = ''] = withDatabase(inject('mongoUri'), '').split('?');
  const connection = await connectDatabase(bare, log);
  expect(connection.name).toBe('mintwatch');
  expect(connection.getClient().options.writeConcern).toMatchObject({ journal: true });
  await connection.close();
});

test('a URI that names a database gets that', async () => {
  const connection = await connectDatabase(withDatabase(inject('mongoUri'), 'test-named'), log);
  expect(connection.name).toBe('test-named');
  await connection.close();
});

test('a server that is not there ends the start with one line, without the password of its URI', async () => {
  const error: unknown = await connectDatabase('mongodb://somebody:secret@127.0.0.1:1/mintwatch', log, 0).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  expect(String(error)).toMatch(/^StartError: MONGODB_URI leads to no MongoDB that lets us in: .+$/);
  expect(String(error)).not.toContain('secret');
});

test.each([
  ['mongodb://db/name', {}],
  ['mongodb://a,b:27018/name?replicaSet=r', {}],
  ['mongodb+srv://user:word@db.example/name', {}],
  ['mongodb://%2Ftmp%2Fmongo.sock', { dbName: 'mintwatch', authSource: 'admin' }],
  ['mongodb://user:word@db:27017/', { dbName: 'mintwatch', authSource: 'admin' }],
  ['mongodb://user:word@db/?authMechanism=SCRAM-SHA-256', { dbName: 'mintwatch', authSource: 'admin' }],
  ['mongodb://user@db/?tls=true&authMechanism=MONGODB-X509', { dbName: 'mintwatch', authSource: '$external' }],
  ['mongodb://user:word@db/?authSource=users', { dbName: 'mintwatch' }],
])('the database of %s, and where its user is looked up', (uri, expected) => {
  expect(databaseOf(uri)).toEqual(expected);
});

async function startBehindProxy(maxSilence?: number) {
  const proxy = await proxyMongo(testDatabase().uri);
  const connection = await connectDatabase(proxy.uri, log);
  const database = createDatabaseMonitor(connection, maxSilence);
  onTestFinished(async () => {
    database.stop();
    await connection.close(true);
    await proxy.close();
  });
  const middleware = requireDatabase(database);
  const app = new Koa();
  return {
    proxy,
    connection,
    database,
    async call(work: () => Promise<unknown>, isLongRunning = false): Promise<unknown> {
      const request = new IncomingMessage(new Socket());
      const ctx = app.createContext(request, new ServerResponse(request));
      return middleware(ctx, () => {
        if (isLongRunning) ctx.state.isLongRunning = true;
        return work();
      });
    },
  };
}

test('a call to a slow database by a process that is blocked gets its response late', async () => {
  const { proxy, connection, database, call } = await startBehindProxy();
  const ping = () => call(async () => connection.db?.command({ ping: 1 }));
  await ping();
  proxy.slow(300);
  const responses = [ping(), ping()];
  // Longer than the driver waited for a heartbeat once, and than a ping was waited for.
  const until = performance.now() + 3_500;
  while (performance.now() < until);
  expect(await Promise.all(responses)).toEqual([{ ok: 1 }, { ok: 1 }]);
  expect(database.isReachable()).toBe(true);
});

test('a silent database refuses calls, except for a long one that it still serves', async () => {
  const { proxy, database, call } = await startBehindProxy(3_000);
  const never = new Promise<never>(() => {});
  let finish: (count: string) => void = () => {};
  const long = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const [served, away] = [call(() => long, true), call(() => never, true)];
  proxy.freeze();
  await expect(call(() => never)).rejects.toMatchObject({ code: 'unavailable' });
  expect(database.isReachable()).toBe(false);
  await expect(call(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
  finish('the count');
  expect(await served).toBe('the count');
  const isGivenUp = expect(away).rejects.toMatchObject({ code: 'unavailable' });
  await proxy.cut();
  await isGivenUp;
  await proxy.restore();
  await expect.poll(() => database.isReachable()).toBe(true);
});

test('waiting too long for a connection means a busy server, not a database that is away', async () => {
  const proxy = await proxyMongo(testDatabase().uri);
  const options = { maxPoolSize: 1, waitQueueTimeoutMS: 20 };
  // On a busy machine the first connection takes longer than that, too.
  const connection = await vi.waitFor(() => mongoose.createConnection(proxy.uri, options).asPromise());
  onTestFinished(async () => {
    await connection.close(true);
    await proxy.close();
  });
  proxy.freeze();
  const ping = () => connection.db?.command({ ping: 1 });
  ping()?.catch(() => {});
  const error = await ping()?.catch((reason: unknown) => reason);
  expect(toPublicError(error)).toMatchObject({ code: 'busy' });
});
