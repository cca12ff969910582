import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error.mjs';

/** What the codes mean to the person who has to act on them. */
const REASONS = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  ENOENT: 'nothing can be made there',
};
/** Enough to notice a full disk: a small file may still find room where the database would not. */
const TRIAL_BYTES = 1_000_000;

/** Not `recursive`: for a path under /proc, Node.js 20 would try for ever. */
function makeDirectory(directory) {
  if (existsSync(directory)) return;
  makeDirectory(path.dirname(directory));
  mkdirSync(directory, { mode: 0o700 });
}

/**
 * Makes the data directory and writes to it once. Throws a StartError when that fails.
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
    const reason = REASONS[error.code] ?? error.code ?? error.message;
    throw new StartError(`Cannot write to the data directory ${directory}: ${reason}. Set DATA_DIR to another one.`, {
      cause: error,
    });
  }
}
