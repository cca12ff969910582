import { mkdtemp, readdir, rm, stat, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDatabase, claimDirectory } from '../api/platform/data-format.ts';
import { startBuiltMongo } from './testing/embedded-mongo.ts';
import { runCommand } from './testing/run-command.ts';

/** The first start may have to build. */
const SLOW = 300_000;
const USERS = 2_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-damaged-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Stores a database with users, the first ones that a start reads, and cuts their file in half. */
async function storeDamaged(directory: string): Promise<void> {
  await claimDirectory(folder);
  const mongo = await startBuiltMongo(directory);
  const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
  await claimDatabase(connection);
  const users = Array.from({ length: USERS }, (_, number) => ({
    usernameKey: `user ${number}`,
    text: 'x'.repeat(500),
  }));
  await connection.collection('users').insertMany(users);
  await connection.close();
  await mongo.stop();
  const names = (await readdir(directory)).filter((name) => name.startsWith('collection-'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(path.join(directory, name))).size));
  const largest = Math.max(...sizes);
  await truncate(path.join(directory, names[sizes.indexOf(largest)] ?? ''), Math.floor(largest / 2));
}

test('a start that fails since the database has ended shows the cause once more, as its last line', {
  timeout: SLOW,
}, async () => {
  const directory = path.join(folder, 'mongo');
  await storeDamaged(directory);
  const { code, errors } = await runCommand('start.mjs', folder);
  expect(code).toBe(1);
  expect(errors.split('\n').at(-1)).toContain(
    `the database in ${directory} seems to be damaged. Move that folder away and restore a backup (npm run restore).`,
  );
});
