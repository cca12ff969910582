import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { built } from './command.mjs';
import { failureCode, StartError } from './start-error.mjs';

/** @typedef {Pick<typeof import('../../api/platform/data-format.ts'), 'checkDirectoryFormat' | 'claimDirectory'>} DataFormat */

/** The system's codes in words. */
const REASONS = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOTDIR', 'a part of the path is a file'],
  ['ENOENT', 'nothing can be made there'],
]);
/** Large enough to detect a full disk: a small file may fit where the database would not. */
const TRIAL_BYTES = 1_000_000;

/**
 * Not `recursive`: for a path under /proc, Node.js 20 would try forever.
 * @param {string} directory
 */
function makeDirectory(directory) {
  if (existsSync(directory)) return;
  makeDirectory(path.dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

/**
 * Checks the data directory, and marks a new one with the number of its format before the embedded database starts in it. The
 * server does so itself once it has checked another database. Throws a `StartError` when the directory holds data of another
 * format, which it leaves as it is, or cannot be written.
 * @param {{ dataDir: string, mongoUri: string | null }} config `dataDir` is absolute
 * @param {() => Promise<DataFormat>} [load]
 */
export async function openDataDirectory({ dataDir, mongoUri }, load = () => built('api/platform/data-format.js')) {
  const { checkDirectoryFormat, claimDirectory } = await load();
  await checkDirectoryFormat(dataDir);
  checkDataDirectory(dataDir);
  if (mongoUri === null) await claimDirectory(dataDir);
}

/**
 * Makes the data directory and writes to it once. Throws a `StartError` when that fails.
 * @param {string} directory absolute path
 */
export function checkDataDirectory(directory) {
  const trial = path.join(directory, `.write-trial-${process.pid}`);
  try {
    makeDirectory(directory);
    try {
      writeFileSync(trial, Buffer.alloc(TRIAL_BYTES));
    } finally {
      rmSync(trial, { force: true });
    }
  } catch (error) {
    const reason = REASONS.get(failureCode(error)) ?? failureCode(error);
    throw new StartError(`Cannot write to the data directory ${directory}: ${reason}. Set DATA_DIR to another one.`, {
      cause: error,
    });
  }
}
