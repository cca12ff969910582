import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restore, writeBackup } from '../backup/backup.ts';
import { main } from '../main.ts';
import { createMarketStore } from '../market/publish/store.ts';
import { DATA_FORMAT } from '../platform/data-format.ts';
import { productVersion } from '../platform/product.ts';
import { testDatabase } from '../testing/database.ts';
import { testFolder } from '../testing/folder.ts';
import { MASTER_KEY } from '../testing/server.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { openFormats } from './migrations.ts';

const OLD = { format: 1, version: '0.0.9' };
const OURS = { format: DATA_FORMAT, version: productVersion() };
/** More than one write of the step. */
const TOKENS = 1_100;
/** Commands that change something. */
const WRITES = new Set(['insert', 'update', 'delete', 'createIndexes', 'findAndModify']);

const root = await testFolder('migrations');
const log = pino({ level: 'silent' });
let directory: string;
let uri: string;
let connection: Connection;
let lines: string[];

const connect = (address = uri, monitorCommands = false) =>
  mongoose.createConnection(address, { autoIndex: false, monitorCommands }).asPromise();

beforeEach(async ({ task }) => {
  directory = path.join(root, task.id);
  ({ uri } = testDatabase());
  connection = await connect();
  lines = [];
});
afterEach(() => connection.close());

const whenAlone = async () => {};
const tokensOf = (from: Connection) => from.collection<{ _id: string; number?: number; listedAt: number }>('tokens');
const markOf = (from: Connection) => from.collection('dataFormat').findOne();
const markOfDirectory = async () => JSON.parse(await readFile(path.join(directory, 'data-format'), 'utf8'));
const backups = () => readdir(path.join(directory, 'backups'));

/** Stores what a version with format 1 has left: tokens without numbers, in the order of their addresses not that of their age. */
async function storeFormat1(): Promise<void> {
  await openFormats({ connection, dataDir: directory, backUp: async () => {}, whenAlone, now: 0, announce: () => {} });
  await connection.collection<{ _id: string }>('dataFormat').replaceOne({ _id: 'mark' }, OLD);
  await writeFile(path.join(directory, 'data-format'), JSON.stringify(OLD));
  const records = Array.from({ length: TOKENS }, (_, age) => {
    const { number, ...record } = tokenRecord(age, { listedAt: 1_700_000_000_000 - age });
    return record;
  });
  await tokensOf(connection).insertMany(records);
  await connection
    .collection('users')
    .insertOne({ username: 'Alice', usernameKey: 'alice', createdAt: new Date(0), isAdmin: false });
}

/** Opens the data as a start does. */
const open = (from = connection) =>
  openFormats({
    whenAlone,
    connection: from,
    dataDir: directory,
    backUp: (folder, origin, database) => writeBackup({ folder, config: { dataDir: directory }, database, origin }),
    now: Date.now(),
    announce: (line) => lines.push(line),
  });

/** Expects each token to have a number, the oldest the lowest. */
async function expectNumbered(from: Connection): Promise<void> {
  const stored = await tokensOf(from).find().sort({ listedAt: 1 }).toArray();
  expect(stored.map(({ number }) => number)).toEqual(Array.from({ length: TOKENS }, (_, index) => index + 1));
}

test('data of format 1 is backed up and migrated at the start, and a further start leaves it as it is', async () => {
  await storeFormat1();
  await open();
  await expectNumbered(connection);
  expect(await markOf(connection)).toEqual({ _id: 'mark', ...OURS });
  expect(await markOfDirectory()).toEqual(OURS);
  const [backup] = await backups();
  expect(lines).toEqual([
    `data of format 1: backup in ${path.join(directory, 'backups', backup ?? '')}, migrating to format ${DATA_FORMAT}`,
  ]);
  await open();
  expect(lines).toHaveLength(1);
  expect(await backups()).toHaveLength(1);
  // The market finds its indexes as it makes them, and continues with the next number.
  const store = createMarketStore(connection, log);
  await store.prepare();
  expect((await store.loadState(Date.now(), 0)).highestNumber).toBe(TOKENS);
  await expect(tokensOf(connection).insertOne({ _id: 'other', number: 1, listedAt: 0 })).rejects.toThrow('duplicate');
});

test('the server starts on data of format 1', async () => {
  await storeFormat1();
  const { stop } = await main({
    env: { PORT: '0', MARKET: 'off', LOG_LEVEL: 'silent', DATA_DIR: directory, WALLET_MASTER_KEY: MASTER_KEY },
    mongoUri: uri,
    webRoot: path.join(directory, 'web'),
    announce: (line) => lines.push(line),
  });
  await stop();
  expect(lines.filter((line) => line.startsWith('data of format 1: backup in'))).toHaveLength(1);
  await expectNumbered(connection);
  expect(await backups()).toHaveLength(1);
});

test('the backup of format 1 restores into an empty database, migrated', async () => {
  await storeFormat1();
  await open();
  const [backup] = await backups();
  const other = testDatabase().uri;
  const printed: string[] = [];
  await restore({
    folder: path.join(directory, 'backups', backup ?? ''),
    config: { dataDir: directory, logLevel: 'silent' },
    mongoUri: other,
    print: (line) => printed.push(line),
  });
  expect(printed[0]).toContain(`version ${OLD.version}`);
  const restored = await connect(other);
  await expectNumbered(restored);
  expect(await restored.collection('users').findOne()).toMatchObject({ username: 'Alice' });
  expect(await markOf(restored)).toEqual({ _id: 'mark', ...OURS });
  await restored.close();
});

/** Opens the data over a connection that is lost with its `count`th write. Resolves with whether it was lost. */
async function openLosing(count: number): Promise<boolean> {
  const losing = await connect(uri, true);
  let writes = 0;
  let closed: Promise<void> | undefined;
  losing.getClient().on('commandStarted', ({ commandName }) => {
    if (!WRITES.has(commandName)) return;
    writes += 1;
    if (writes === count) closed = losing.close(true);
  });
  const failed = await open(losing).then(
    () => false,
    () => true,
  );
  await (closed ?? losing.close());
  return failed;
}

// The note of the backup, the index, three writes of tokens, and the number of the format.
test.each([1, 2, 3, 4, 5, 6])(
  'a start that ends at write %i of the migration is completed by the next one',
  async (count) => {
    await storeFormat1();
    expect(await openLosing(count)).toBe(true);
    expect(await markOfDirectory()).toEqual(OLD);
    await open();
    await expectNumbered(connection);
    expect(await markOf(connection)).toEqual({ _id: 'mark', ...OURS });
    expect(await markOfDirectory()).toEqual(OURS);
    // A backup whose note was lost is made again.
    expect((await backups()).length).toBeLessThanOrEqual(count === 1 ? 2 : 1);
  },
);

test('these are all writes of the migration', async () => {
  await storeFormat1();
  expect(await openLosing(7)).toBe(false);
});

test('a start that ends before the number of the directory is written is completed by the next one', async () => {
  await storeFormat1();
  await open();
  await writeFile(path.join(directory, 'data-format'), JSON.stringify(OLD));
  await open();
  expect(await markOfDirectory()).toEqual(OURS);
  expect(lines).toHaveLength(1);
});

test('one of two servers migrates, after it has become the one that works', async () => {
  await storeFormat1();
  const seen: unknown[] = [];
  await openFormats({
    connection,
    dataDir: directory,
    backUp: async () => expect.unreachable(),
    // Another one migrated meanwhile.
    async whenAlone() {
      seen.push((await markOf(connection))?.format);
      await connection.collection<{ _id: string }>('dataFormat').replaceOne({ _id: 'mark' }, OURS);
    },
    now: 0,
    announce: () => expect.unreachable(),
  });
  expect(seen).toEqual([1]);
});

test('data of a later format is refused', async () => {
  await storeFormat1();
  const later = { format: DATA_FORMAT + 1, version: '9.8.7' };
  await connection.collection<{ _id: string }>('dataFormat').replaceOne({ _id: 'mark' }, later);
  await expect(open()).rejects.toThrow(`holds data of format ${DATA_FORMAT + 1}`);
  expect(await tokensOf(connection).countDocuments({ number: { $exists: true } })).toBe(0);
  expect(await markOfDirectory()).toEqual(OLD);
});
