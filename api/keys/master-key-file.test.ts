import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { masterKey } from '../config/master-key.ts';
import { MASTER_KEY_FILE, makeKeptMasterKey, readKeptMasterKeys, replaceKeptMasterKeys } from './master-key-file.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-keys-'));
  file = path.join(folder, MASTER_KEY_FILE);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('creates the master key once, in a file that only its owner reads [S3-18]', async () => {
  expect(await readKeptMasterKeys(folder)).toBeNull();
  const made = await makeKeptMasterKey(folder);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readKeptMasterKeys(folder)).toEqual(made);
  expect(await makeKeptMasterKey(folder)).toEqual(made);
  expect(await readdir(folder)).toEqual([MASTER_KEY_FILE]);
});

test('processes that create it at once get the same key', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => makeKeptMasterKey(folder)));
  expect(new Set(made.map(([{ id }]) => id)).size).toBe(1);
});

test('replaces the keys as a whole, newest first', async () => {
  const [old] = await makeKeptMasterKey(folder);
  const newest = masterKey(randomBytes(32));
  await replaceKeptMasterKeys(folder, [newest, old]);
  expect(await readKeptMasterKeys(folder)).toEqual([newest, old]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('leaves no trace of keys that cannot be written', async () => {
  await mkdir(file);
  await expect(replaceKeptMasterKeys(folder, [masterKey(randomBytes(32))])).rejects.toMatchObject({
    name: 'StartError',
  });
  expect(await readdir(folder)).toEqual([MASTER_KEY_FILE]);
});

test.each([0o640, 0o604, 0o620])('rejects a file with mode %o in one line', async (mode) => {
  await makeKeptMasterKey(folder);
  await chmod(file, mode);
  const key = (await readFile(file, 'utf8')).trim();
  const refusal: unknown = await readKeptMasterKeys(folder).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    name: 'StartError',
    message: `${file} can be read by others than its owner. Run: chmod 600 ${file}`,
  });
  expect(String(refusal)).not.toContain(key);
});

test.each(['', 'no key at all\n', `${'0f'.repeat(32)}\nshort\n`])('rejects a file with %j', async (text) => {
  await writeFile(file, text, { mode: 0o600 });
  await expect(readKeptMasterKeys(folder)).rejects.toMatchObject({
    name: 'StartError',
    message: `${file} holds no master key; bring the file back as it was.`,
  });
});

test('reports an unusable data directory in one line', async () => {
  await expect(readKeptMasterKeys(path.join(file, 'below'))).resolves.toBeNull();
  await writeFile(file, 'x', { mode: 0o600 });
  await expect(makeKeptMasterKey(path.join(file, 'below'))).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^wallet-master-key in DATA_DIR .* can't be read or written \(E\w+\)\.$/),
  });
});
