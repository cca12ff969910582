import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { withDatabase } from '../testing/database.ts';
import { connectDatabase, databaseOf } from './database.ts';

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
