import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import mongoose, { type Connection, Types } from 'mongoose';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type MasterKeys, masterKey } from '../config/master-key.ts';
import { claimDatabase, claimDirectory } from '../platform/data-format.ts';
import { builtFile } from '../testing/built.ts';
import { testDatabase } from '../testing/database.ts';
import { proxyMongo } from '../testing/mongo-proxy.ts';
import { MASTER_KEY_FILE, readKeptMasterKeys, replaceKeptMasterKeys } from './master-key-file.ts';
import { dataKeyModel } from './model.ts';
import { rewrapAll, rotateMasterKey } from './rotate.ts';
import { openKeys } from './service.ts';

let folder: string;
let uri: string;
let connection: Connection;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-rotate-'));
  ({ uri } = testDatabase());
  connection = await mongoose.createConnection(uri, { autoIndex: false }).asPromise();
});
afterEach(async () => {
  await connection.close();
  await rm(folder, { recursive: true, force: true });
});

const clock = { now: Date.now };
const hex = (byte: number) => Buffer.alloc(32, byte).toString('hex');
const config = (...keys: string[]) => ({ walletMasterKeys: keys.length === 0 ? null : keys, dataDir: folder });
const open = (...keys: string[]) => openKeys(connection, config(...keys), clock);
const users = (count: number) => Array.from({ length: count }, () => new Types.ObjectId().toHexString());

/** Encrypts a value for each user; returns the check that it still opens. */
async function sealSome(count: number, ...keys: string[]) {
  const service = await open(...keys);
  const sealed = await Promise.all(
    users(count).map(async (userId) => ({ userId, text: await service.seal(userId, 'test', Buffer.from(userId)) })),
  );
  return async (...later: string[]) => {
    const reader = await open(...later);
    const opened = await Promise.all(sealed.map(({ userId, text }) => reader.open(userId, 'test', text)));
    expect(opened.map(String)).toEqual(sealed.map(({ userId }) => userId));
  };
}

const masterKeyIds = async () => {
  const ids = await dataKeyModel(connection).distinct('masterKeyId');
  return ids.toSorted((one, other) => one.localeCompare(other));
};
const idOf = (byte: number) => masterKey(Buffer.alloc(32, byte)).id;

test('each user has one data key, also when two requests create it at once [S3-18]', async () => {
  const keys = await open();
  const [userId = '', other = ''] = users(2);
  const sealed = await Promise.all(Array.from({ length: 6 }, () => keys.seal(userId, 'test', Buffer.from('text'))));
  expect(await dataKeyModel(connection).countDocuments()).toBe(1);
  for (const text of sealed) expect(String(await keys.open(userId, 'test', text))).toBe('text');
  await keys.seal(other, 'test', Buffer.from('text'));
  const [text = ''] = sealed;
  await expect(keys.open(other, 'test', text)).rejects.toMatchObject({ name: 'SealError' });
  await expect(keys.open(userId, 'another purpose', text)).rejects.toMatchObject({ name: 'SealError' });
});

test('a data key moved to another user does not open [S3-18]', async () => {
  const keys = await open();
  const [one = '', other = ''] = users(2);
  await keys.seal(one, 'test', Buffer.from('text'));
  const text = await keys.seal(other, 'test', Buffer.from('text'));
  const dataKeys = dataKeyModel(connection);
  const { wrapped } = (await dataKeys.findById(one)) ?? {};
  await dataKeys.updateOne({ _id: new Types.ObjectId(other) }, { $set: { wrapped: wrapped ?? '' } });
  await expect(keys.open(other, 'test', text)).rejects.toMatchObject({ name: 'SealError' });
});

test('a missing master key stops the start with one line, and none is created beside stored wallets', async () => {
  await sealSome(1, hex(1));
  const needs = `The stored wallets are encrypted with another master key (${idOf(1)}). Set WALLET_MASTER_KEY as it was, or bring back the file ${MASTER_KEY_FILE} in DATA_DIR.`;
  for (const keys of [[hex(2)], []]) await expect(open(...keys)).rejects.toMatchObject({ message: needs });
  await expect(readFile(path.join(folder, MASTER_KEY_FILE))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('rotation by the environment wraps every data key with the first key and leaves encrypted values unchanged', async () => {
  const stillOpens = await sealSome(7, hex(1));
  const printed: string[] = [];
  await rotateMasterKey(connection, config(hex(2), hex(1)), (line) => printed.push(line));
  expect(await masterKeyIds()).toEqual([idOf(2)]);
  expect(printed[0]).toBe(`Rewrapped data keys: 7. All of them now use the master key ${idOf(2)}.`);
  await stillOpens(hex(2));
});

test('rotation without a new key, without the old one, or before any exists is rejected', async () => {
  const rotate = (...keys: string[]) => rotateMasterKey(connection, config(...keys), () => {});
  await expect(rotate()).rejects.toMatchObject({ name: 'StartError', message: /^There is no master key yet/ });
  await sealSome(1, hex(1));
  await expect(rotate(hex(1))).rejects.toMatchObject({ name: 'StartError', message: /^Put the new key first/ });
  await expect(rotate(hex(2), hex(3))).rejects.toMatchObject({ name: 'StartError', message: /^The stored wallets/ });
});

test('rotation of the file creates a new key and keeps one older key for servers that were running', async () => {
  const stillOpens = await sealSome(3);
  const running = await open();
  const seen = [(await readKeptMasterKeys(folder))?.[0].id];
  for (const length of [2, 2]) {
    await rotateMasterKey(connection, config(), () => {});
    const kept = await readKeptMasterKeys(folder);
    expect(kept).toHaveLength(length);
    expect(kept?.[1]?.id).toBe(seen.at(-1));
    expect(await masterKeyIds()).toEqual([kept?.[0].id]);
    seen.push(kept?.[0].id);
    await stillOpens();
  }
  expect(new Set(seen).size).toBe(3);
  // It reloads the keys when it meets an unknown one, and before it creates a data key.
  const [userId = ''] = users(1);
  const text = await running.seal(userId, 'test', Buffer.from('later'));
  expect(await masterKeyIds()).toEqual([seen.at(-1)]);
  expect(String(await running.open(userId, 'test', text))).toBe('later');
});

test('a data key that was opened is read no more, until its master key is gone', async () => {
  const running = await open();
  const [userId = '', other = ''] = users(2);
  const text = await running.seal(userId, 'test', Buffer.from('value'));
  expect(String(await running.open(userId, 'test', text))).toBe('value');
  const records = dataKeyModel(connection);
  const read = vi.spyOn(records, 'findById');
  onTestFinished(() => read.mockRestore());
  expect(String(await running.open(userId, 'test', text))).toBe('value');
  expect(read).not.toHaveBeenCalled();
  for (let turn = 0; turn < 2; turn += 1) await rotateMasterKey(connection, config(), () => {});
  // The keys are loaded again for it; the one in memory is wrapped by none of these.
  await running.seal(other, 'test', Buffer.from('later'));
  read.mockClear();
  expect(String(await running.open(userId, 'test', text))).toBe('value');
  expect(read).toHaveBeenCalledOnce();
});

test('the next run completes an unfinished rotation of the file with the same new key', async () => {
  const stillOpens = await sealSome(4);
  const [old] = (await readKeptMasterKeys(folder)) ?? [];
  if (!old) throw new Error('there is no key');
  const begun: MasterKeys = [masterKey(randomBytes(32)), old];
  await replaceKeptMasterKeys(folder, begun);
  await stillOpens();
  const printed: string[] = [];
  await rotateMasterKey(connection, config(), (line) => printed.push(line));
  expect(printed[0]).toBe('Completing the unfinished change of the master key.');
  expect(await masterKeyIds()).toEqual([begun[0].id]);
  await stillOpens();
});

test('every data key opens wherever a rotation stops, and the next run completes it', async () => {
  const count = 5;
  for (let stopAt = 1; stopAt <= count; stopAt += 1) {
    await connection.collection('dataKeys').deleteMany({});
    const stillOpens = await sealSome(count, hex(1));
    const masters: MasterKeys = [masterKey(Buffer.alloc(32, 2)), masterKey(Buffer.alloc(32, 1))];
    let ivs = 0;
    const stopping = (size: number) => {
      ivs += 1;
      if (ivs === stopAt) throw new Error('stopped');
      return randomBytes(size);
    };
    await expect(rewrapAll(dataKeyModel(connection), masters, stopping)).rejects.toThrow('stopped');
    await stillOpens(hex(2), hex(1));
    expect(await rewrapAll(dataKeyModel(connection), masters, randomBytes)).toBe(count - stopAt + 1);
    await stillOpens(hex(2));
  }
});

test('after kill -9 during a rotation every data key opens, and the next run completes it', {
  timeout: 120_000,
}, async () => {
  await claimDirectory(folder);
  await claimDatabase(connection);
  const stillOpens = await sealSome(300);
  const [old = ''] = await masterKeyIds();
  // Every write of the rotation passes through this process: it cannot end while the test looks away.
  const proxy = await proxyMongo(uri);
  onTestFinished(() => proxy.close());
  proxy.slow(2);
  const run = (mongoUri: string) => {
    const child = spawn(process.execPath, [builtFile('api/keys/rotate-directly.ts')], {
      env: { ...process.env, MONGODB_URI: mongoUri, DATA_DIR: folder, WALLET_MASTER_KEY: '', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text: Buffer) => {
      errors += String(text);
    });
    return { child, ended: once(child, 'exit').then(() => ({ code: child.exitCode, errors })) };
  };
  const dataKeys = dataKeyModel(connection);
  const left = () => dataKeys.countDocuments({ masterKeyId: old });
  const first = run(proxy.uri);
  await vi.waitFor(async () => expect(await left()).toBeLessThan(300), { timeout: 60_000, interval: 5 });
  proxy.freeze();
  first.child.kill('SIGKILL');
  await first.ended;
  // Otherwise the kill came too early or too late.
  expect(await left()).toBeGreaterThan(0);
  await stillOpens();
  expect(await run(uri).ended).toEqual({ code: 0, errors: '' });
  expect(await left()).toBe(0);
  await stillOpens();
});
