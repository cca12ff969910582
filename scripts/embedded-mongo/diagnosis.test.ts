import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { causeOfEnd, freeSpace, lackOfSpace } from './diagnosis.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'mintwatch-diagnosis-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const makeDatabase = () => writeFile(path.join(directory, 'WiredTiger'), '');

test('a new database needs 500 MB, an existing one starts with less', async () => {
  expect(lackOfSpace(directory, () => 500_000_000)).toBeNull();
  expect(lackOfSpace(directory, () => 499_999_999)).toBe(
    `needs 500 MB for a new database, and the disk of ${directory} has 499 MB left`,
  );
  await makeDatabase();
  expect(lackOfSpace(directory, () => 0)).toBeNull();
});

test('names a full disk before a damaged database, each with its way back', async () => {
  await makeDatabase();
  expect(causeOfEnd(directory, 'SIGABRT', () => 4_000_000)).toBe(
    `ended (SIGABRT): the disk of ${directory} is full (4 MB left). Free some space; no acknowledged write is lost`,
  );
  expect(causeOfEnd(directory, 14, () => 100_000_000)).toContain(
    'seems to be damaged. Move that folder away and restore',
  );
});

test('blames nothing that cannot be: an end without a database and with space keeps its code', () => {
  expect(causeOfEnd(directory, 'SIGSEGV', () => 1e9)).toBe('did not start: SIGSEGV');
  expect(freeSpace(directory)).toBeGreaterThan(0);
});

test('an engine whose folder was removed ends with that reason', async () => {
  await rm(directory, { recursive: true });
  expect(lackOfSpace(directory)).toBeNull();
  expect(causeOfEnd(directory, 'SIGABRT')).toBe(`ended (SIGABRT): its folder ${directory} was removed`);
});
