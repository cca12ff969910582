import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { testDatabase, withDatabase } from '../testing/database.ts';
import { proxyMongo } from '../testing/mongo-proxy.ts';
import { connectDatabase, databaseOf, requireDatabase } from './database.ts';

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

test('a call that takes long gets its answer from a database too busy for a ping, and 503 from one that is away', async () => {
  const proxy = await proxyMongo(testDatabase().uri);
  const connection = await connectDatabase(proxy.uri, log);
  onTestFinished(async () => {
    await connection.close(true);
    await proxy.close();
  });
  const middleware = requireDatabase(connection);
  const app = new Koa();
  const call = (work: Promise<unknown>, isLongRunning: boolean) => {
    const request = new IncomingMessage(new Socket());
    const ctx = app.createContext(request, new ServerResponse(request));
    return middleware(ctx, () => {
      if (isLongRunning) ctx.state.isLongRunning = true;
      return work;
    });
  };
  const never = new Promise<never>(() => {});
  let finish: (count: string) => void = () => {};
  const long = new Promise<string>((resolve) => {
    finish = resolve;
  });
  proxy.freeze();
  const [answered, away] = [call(long, true), call(never, true)];
  const isGivenUp = expect(away).rejects.toMatchObject({ code: 'unavailable' });
  await expect(call(never, false)).rejects.toMatchObject({ code: 'unavailable' });
  finish('the count');
  expect(await answered).toBe('the count');
  await isGivenUp;
});
