import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { failureCode, StartError } from './start-error.mjs';

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
