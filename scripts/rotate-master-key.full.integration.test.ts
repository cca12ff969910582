import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataKeyModel } from '../api/keys/model.ts';
import { createKeys, loadMasterKeys, openKeys } from '../api/keys/service.ts';
import { claimDirectory } from '../api/platform/data-format.ts';
import { startBuiltMongo } from './testing/embedded-mongo.ts';
import { runCommand } from './testing/run-command.ts';

/** The first run may have to build the server. */
const SLOW = 240_000;
const USER = '64b0000000000000000000a1';
const clock = { now: Date.now };

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-rotate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const rotate = () => runCommand('rotate-master-key.mjs', folder);

/** Runs `work` on the database of the data directory, claimed as by a server. */
async function withDatabase<Result>(work: (connection: mongoose.Connection) => Promise<Result>): Promise<Result> {
  await claimDirectory(folder);
  const mongo = await startBuiltMongo(path.join(folder, 'mongo'), { alone: true });
  const connection = await mongoose.createConnection(mongo.uri, { autoIndex: false }).asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
    await mongo.stop();
  }
}

const config = () => ({ walletMasterKeys: null, dataDir: folder });
const keyFile = () => readFile(path.join(folder, 'wallet-master-key'), 'utf8');

test('gives the embedded database a new master key, and encrypted data still opens', {
  timeout: SLOW,
}, async () => {
  expect(await rotate()).toMatchObject({
    code: 1,
    errors: 'There is no master key yet. The first start of Mintwatch makes one.',
  });
  const sealed = await withDatabase(async (connection) => {
    const keys = await openKeys(connection, config(), clock);
    return keys.seal(USER, 'test', Buffer.from('a secret'));
  });
  const before = await keyFile();
  const { code, output, errors } = await rotate();
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toMatch(/^Rewrapped data keys: 1\. All of them now use the master key [0-9a-f]{16}\.$/m);
  expect(await keyFile()).toMatch(new RegExp(`^\\S{43}\\n${before}$`));
  for (const line of (await keyFile()).trim().split('\n')) expect(output).not.toContain(line);
  const [newest] = (await loadMasterKeys(config())) ?? [];
  if (!newest) throw new Error('no master key');
  const opened = await withDatabase(async (connection) => {
    const dataKeys = dataKeyModel(connection);
    const keys = createKeys({ dataKeys, masters: [newest], load: async () => null, clock, random: Buffer.alloc });
    return String(await keys.open(USER, 'test', sealed));
  });
  expect(opened).toBe('a secret');
});

test('refuses to run beside a Mintwatch', { timeout: SLOW }, async () => {
  await withDatabase(async () => {
    const { code, errors } = await rotate();
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^Another Mintwatch \(process \d+\) runs on .*\. Stop it, or set DATA_DIR to another directory\.$/,
    );
  });
});
