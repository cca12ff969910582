import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectTestDatabase } from '../testing/database.ts';
import { testFolder } from '../testing/folder.ts';
import {
  checkDirectoryFormat,
  claimDatabase,
  claimDirectory,
  DATA_FORMAT,
  isEmptyDatabase,
  raiseDirectory,
  UNNUMBERED_VERSION,
} from './data-format.ts';
import { productVersion } from './product.ts';

/** The refusal of data `found` in a place, which `version` reads. */
const refusalOf = (place: string, found: string, version: string, remedy: string) => ({
  name: 'StartError',
  message: `${place} holds data ${found}; Mintwatch ${productVersion()} reads formats 1 to ${DATA_FORMAT} only. Nothing was changed. Back up and export wallets with version ${version}, then ${remedy}.`,
});
const OTHER = { format: DATA_FORMAT + 1, version: '9.8.7' };
const OLDER = { format: DATA_FORMAT - 1, version: '0.0.9' };
const OURS = { format: DATA_FORMAT, version: productVersion() };

const root = await testFolder('data-format');

describe('a data directory', () => {
  let directory: string;
  const file = () => path.join(directory, 'data-format');
  const claimed = async () => JSON.parse(await readFile(file(), 'utf8'));
  const refused = (found: string, version: string) =>
    refusalOf(`DATA_DIR ${directory}`, found, version, 'set DATA_DIR to an empty folder');

  beforeEach(async () => {
    directory = await mkdtemp(path.join(root, 'data-'));
  });

  const fill = () => writeFile(path.join(directory, 'tape'), 'an hour');

  /** Returns names, content and times of everything in the directory, and of the directory itself. */
  async function stateOf() {
    const names = (await readdir(directory)).sort();
    const files = names.map(async (name) => {
      const place = path.join(directory, name);
      return [name, await readFile(place, 'utf8'), (await stat(place)).mtimeMs];
    });
    return [(await stat(directory)).mtimeMs, await Promise.all(files)];
  }

  test('that is empty or missing gets the number, and keeps it', async () => {
    await claimDirectory(directory);
    expect(await claimed()).toEqual(OURS);
    const before = await stateOf();
    await claimDirectory(directory);
    expect(await stateOf()).toEqual(before);
    await rm(directory, { recursive: true });
    await claimDirectory(directory);
    expect(await claimed()).toEqual(OURS);
    expect((await stat(directory)).mode & 0o077).toBe(0);
  });

  test('with nothing but the key files of a restored database gets the number', async () => {
    await writeFile(path.join(directory, 'wallet-master-key'), 'secret');
    await claimDirectory(directory);
    expect(await claimed()).toEqual(OURS);
  });

  test('with data and the number is accepted', async () => {
    await claimDirectory(directory);
    await fill();
    await expect(claimDirectory(directory)).resolves.toBeUndefined();
  });

  test.each([
    ['without a number', null, 'without a format number', UNNUMBERED_VERSION],
    ['with a damaged number', '{"form', 'without a format number', UNNUMBERED_VERSION],
    ['with another number', JSON.stringify(OTHER), `of format ${OTHER.format}`, OTHER.version],
  ])('with data %s is refused and left as it is', async (_, mark, found, version) => {
    await fill();
    if (mark !== null) await writeFile(file(), mark);
    const before = await stateOf();
    await expect(claimDirectory(directory)).rejects.toMatchObject(refused(found, version));
    await expect(checkDirectoryFormat(directory)).rejects.toMatchObject(refused(found, version));
    expect(await stateOf()).toEqual(before);
  });

  test('with another number alone is refused as well', async () => {
    await writeFile(file(), JSON.stringify(OTHER));
    const before = await stateOf();
    await expect(claimDirectory(directory)).rejects.toMatchObject(refused(`of format ${OTHER.format}`, OTHER.version));
    expect(await stateOf()).toEqual(before);
  });

  test('of an older format is accepted, and keeps its number until it is migrated', async () => {
    await fill();
    await writeFile(file(), JSON.stringify(OLDER));
    const before = await stateOf();
    await claimDirectory(directory);
    expect(await stateOf()).toEqual(before);
    await raiseDirectory(directory);
    expect(await claimed()).toEqual(OURS);
  });

  test('whose number was cut off by a kill gets it again while it is empty', async () => {
    await writeFile(file(), '');
    await claimDirectory(directory);
    expect(await claimed()).toEqual(OURS);
  });
});

describe('a database', () => {
  let connection: Connection;
  beforeEach(async () => {
    connection = await connectTestDatabase();
  });
  afterEach(() => connection.close());

  const refused = (found: string, version: string) =>
    refusalOf('The database of MONGODB_URI', found, version, 'set MONGODB_URI to an empty database');
  const marks = () => connection.collection<{ _id: string }>('dataFormat');
  const fill = () => connection.collection('users').insertOne({ username: 'Alice' });

  /** Returns documents and indexes of every collection. */
  async function stateOf() {
    const all = (await connection.db?.collections()) ?? [];
    const read = all.map(async (collection) => ({
      name: collection.collectionName,
      documents: await collection.find().toArray(),
      indexes: await collection.indexes(),
    }));
    return (await Promise.all(read)).sort((one, other) => one.name.localeCompare(other.name));
  }

  test('that is empty gets the number, also when its collections have indexes, and keeps it', async () => {
    await connection.collection('users').createIndex({ usernameKey: 1 });
    await claimDatabase(connection);
    expect(await marks().findOne()).toMatchObject(OURS);
    expect(connection.db && (await isEmptyDatabase(connection.db))).toBe(true);
    await fill();
    const before = await stateOf();
    await claimDatabase(connection);
    expect(await stateOf()).toEqual(before);
  });

  test('of two starts at once gets one number', async () => {
    await Promise.all([claimDatabase(connection), claimDatabase(connection)]);
    expect(await marks().countDocuments()).toBe(1);
  });

  test('of an older format is refused to a command, with the way out', async () => {
    await fill();
    await marks().insertOne({ _id: 'mark', ...OLDER });
    await expect(claimDatabase(connection)).rejects.toMatchObject({
      name: 'StartError',
      message: `The database of MONGODB_URI holds data of format ${OLDER.format}. Start Mintwatch once: it makes a backup and migrates it to format ${DATA_FORMAT}.`,
    });
  });

  test.each([
    ['without a number', null, 'without a format number', UNNUMBERED_VERSION],
    ['with another number', OTHER, `of format ${OTHER.format}`, OTHER.version],
  ])('with data %s is refused and left as it is', async (_, mark, found, version) => {
    await fill();
    if (mark !== null) await marks().insertOne({ _id: 'mark', ...mark });
    const before = await stateOf();
    await expect(claimDatabase(connection)).rejects.toMatchObject(refused(found, version));
    expect(await stateOf()).toEqual(before);
  });
});
