import os from 'node:os';
import { expect, test } from 'vitest';
import { testEnvironment } from './temporary-folder.mjs';

const GIGABYTE = 1024 ** 3;

test('files of tests are in memory where there is room, else where the system or the caller has them', () => {
  expect(testEnvironment({ PATH: '/bin' }, () => 8 * GIGABYTE)).toEqual({ PATH: '/bin', TMPDIR: '/dev/shm' });
  expect(testEnvironment({}, () => GIGABYTE / 16).TMPDIR).toBe(os.tmpdir());
  expect(testEnvironment({ TMPDIR: '/elsewhere' }, () => 8 * GIGABYTE).TMPDIR).toBe('/elsewhere');
});
