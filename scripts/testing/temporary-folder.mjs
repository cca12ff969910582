/** Chooses where tests keep their files. */
import { statfsSync } from 'node:fs';
import os from 'node:os';

/** Files in it are in memory. Only Linux has it. */
const MEMORY = '/dev/shm';
/** Twice what the databases and chains of a whole run take, in bytes. */
const NEEDED = 2 * 1024 ** 3;

/** @param {string} folder */
function bytesFree(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/**
 * Returns the environment of tests, whose files are in memory where it has room. A database waits for the disk with each
 * index that it makes, and tests make more than ten thousand; what outlives a killed process also does so in memory.
 * @param {NodeJS.ProcessEnv} [env] a `TMPDIR` in it is kept
 * @param {(folder: string) => number} [free]
 */
export function testEnvironment(env = process.env, free = bytesFree) {
  return { ...env, TMPDIR: env.TMPDIR ?? (free(MEMORY) >= NEEDED ? MEMORY : os.tmpdir()) };
}
