import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSessionKeyFile } from './session-keys.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-session-keys-'));
  file = path.join(folder, 'session-keys');
});
afterEach(() => rm(folder, { recursive: true }));

test('creates a key that only its owner can read, and reads it again', async () => {
  const keys = await openSessionKeyFile(folder);
  expect(keys).toHaveLength(1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await openSessionKeyFile(folder)).toEqual(keys);
  expect(await readFile(file, 'utf8')).toBe(`${keys[0]}\n`);
});

test('refuses a file that others can read', async () => {
  await openSessionKeyFile(folder);
  await chmod(file, 0o644);
  await expect(openSessionKeyFile(folder)).rejects.toThrow(
    `${file} can be read by others than its owner. Run: chmod 600 ${file}`,
  );
});

test.each([
  ['a short key', 'x'],
  ['a short key beside a good one', `${'k'.repeat(43)}\nshort`],
  ['random bytes', Buffer.from(Array.from({ length: 40 }, (_, index) => 255 - index))],
])('refuses %s without showing it', async (_what, content) => {
  await writeFile(file, content, { mode: 0o600 });
  await expect(openSessionKeyFile(folder)).rejects.toThrow(/^\S+session-keys holds a line that is no session key\./);
});

test('refuses an empty file', async () => {
  await writeFile(file, '\n', { mode: 0o600 });
  await expect(openSessionKeyFile(folder)).rejects.toThrow('empty file');
});
