/** Writes the journal, starts new files and removes old ones. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { journalLine, journalName, type NumberedEntry, PRIVATE } from './journal.ts';

/** A file is read into memory at a start, so a new one begins at this size, even when it has few lines. */
const LONGEST_FILE_BYTES = 32 * 1024 * 1024;

interface Options {
  directory: string;
  /** Numbers of the first lines of the existing files, oldest first. */
  existing: number[];
  /** Number of transactions in the history. */
  historyLimit: number;
  /** Time for which a blockhash is valid, and some more, ms: no transaction may run twice. */
  rememberMs: number;
  linesPerFile: number;
  now: () => number;
}

/** Creates a writer that has no file open yet. */
export function createJournalWriter(options: Options) {
  const { directory, historyLimit, rememberMs, linesPerFile, now } = options;
  /** Oldest first. A file from before this start counts as started now. */
  let files = options.existing.map((first) => ({ first, startedAt: now() }));
  let handle: FileHandle | null = null;
  let lines = 0;
  let bytes = 0;

  /** A file is obsolete when the history, and every transaction that could run again, is in later files. */
  const isObsolete = (file: { first: number }, last: number): boolean => {
    const next = files.find(({ first }) => first > file.first);
    return next !== undefined && next.first <= last - historyLimit + 1 && next.startedAt < now() - rememberMs;
  };

  return {
    /** Starts the file after line `last`, and removes obsolete files. */
    async startFile(last: number): Promise<void> {
      await handle?.close();
      handle = await open(path.join(directory, journalName(last + 1)), 'a', PRIVATE);
      if (files.at(-1)?.first !== last + 1) files.push({ first: last + 1, startedAt: now() });
      lines = 0;
      bytes = 0;
      syncDirectory(directory);
      const obsolete = files.filter((file) => isObsolete(file, last));
      for (const { first } of obsolete) await rm(path.join(directory, journalName(first)), { force: true });
      files = files.filter((file) => !obsolete.includes(file));
    },
    /** Writes entries with one write and one fsync. */
    async append(entries: readonly NumberedEntry[]): Promise<void> {
      if (!handle) throw new Error('no file of the journal is open');
      const written = Buffer.concat(entries.map((entry) => Buffer.from(journalLine(entry))));
      await handle.appendFile(written);
      await handle.datasync();
      lines += entries.length;
      bytes += written.length;
    },
    isFull: (): boolean => lines >= linesPerFile || bytes >= LONGEST_FILE_BYTES,
    async close(): Promise<void> {
      await handle?.close();
      handle = null;
    },
  };
}

/** Makes new and renamed files of a directory survive a power failure. */
export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
