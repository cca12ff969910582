/** Explains the end of an engine that says nothing itself: it aborts on a full disk and on a damaged database alike. */
import { existsSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** The engine needs this much for a new database (its error 14031). */
const NEEDED_AT_FIRST = 500_000_000;
/** With less it cannot write its journal, which grows by 100 MB at a time. */
const NEEDED = 100_000_000;

/** Returns the free space of the disk of `directory`, bytes; null when the directory is missing. Injected in tests. */
type FreeSpace = (directory: string) => number | null;

export const freeSpace: FreeSpace = (directory) => {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
};

/** Exit code of MongoDB after an error that it cannot go on from. */
const ABRUPT = 14;

/** Whether the engine has given up by itself. */
export function hasAborted(code: number | null, signal: string | null): boolean {
  return signal === 'SIGABRT' || code === ABRUPT;
}

const hasDatabase = (directory: string): boolean => existsSync(path.join(directory, 'WiredTiger'));

const inMegabytes = (bytes: number): string => `${Math.floor(bytes / 1_000_000)} MB`;

/** Returns why the engine cannot begin a database in `directory`, completing "The embedded MongoDB …"; null when it can. */
export function lackOfSpace(directory: string, free: FreeSpace = freeSpace): string | null {
  const available = free(directory);
  if (available === null || available >= NEEDED_AT_FIRST || hasDatabase(directory)) return null;
  return `needs ${inMegabytes(NEEDED_AT_FIRST)} for a new database, and the disk of ${directory} has ${inMegabytes(available)} left`;
}

/**
 * Returns why an engine without a message ended, with the way back, completing "The embedded MongoDB …". `end` is its exit
 * code or signal.
 */
export function causeOfEnd(directory: string, end: string | number | null, free: FreeSpace = freeSpace): string {
  const available = free(directory);
  if (available === null) return `ended (${end}): its folder ${directory} was removed`;
  if (available < NEEDED) {
    return `ended (${end}): the disk of ${directory} is full (${inMegabytes(available)} left). Free some space; no acknowledged write is lost`;
  }
  if (!hasDatabase(directory)) return `did not start: ${end}`;
  return `ended (${end}): the database in ${directory} seems to be damaged. Move that folder away and restore a backup (npm run restore)`;
}
