/**
 * The journal: files `journal-<number>.jsonl` with one line per transaction. A line is JSON after a checksum, so that a
 * line that was cut off or changed is recognized. The file's number is that of its first line.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { LocalChainError } from '../errors.ts';
import type { JournalEntry } from './records.ts';

/** The faucet's key and all balances are for this user only. */
export const PRIVATE = 0o600;

const FILE = /^journal-(\d{12})\.jsonl$/;
const CHECKSUM_DIGITS = 12;

/** A file is read into memory at a start, so a new one begins at this size, even when it has few lines. */
const LONGEST_FILE_BYTES = 32 * 1024 * 1024;

/** An entry with its number in the journal. */
interface NumberedEntry extends JournalEntry {
  n: number;
}

export interface JournalLimits {
  /** Number of transactions in the history. */
  historyLimit: number;
  /** Time for which transactions are kept in any case, ms: a blockhash is valid for less, and none of them may run twice. */
  rememberMs: number;
  linesPerFile: number;
  now: () => number;
}

const fileOf = (directory: string, first: number): string =>
  path.join(directory, `journal-${String(first).padStart(12, '0')}.jsonl`);

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_DIGITS);

/** Returns a value as JSON after its checksum. */
export function withChecksum(value: unknown): string {
  const json = JSON.stringify(value);
  return `${checksum(json)} ${json}`;
}

/** Returns the value after a checksum, whose type is that of the value written; null when it is not as it was written. */
export function checkedValue<Value>(text: string): Value | null {
  const json = text.slice(CHECKSUM_DIGITS + 1);
  return text.slice(0, CHECKSUM_DIGITS) === checksum(json) ? JSON.parse(json) : null;
}

/** Returns the failure of a file whose content is not as it was written. */
export const damaged = (directory: string, file: string): LocalChainError =>
  new LocalChainError(`finds ${file} damaged; move ${directory} away to begin a new chain`);

/** Returns the entries up to the first line that is damaged or out of sequence, and the length of that part. */
function parseJournal(bytes: Buffer, first: number): { entries: NumberedEntry[]; goodBytes: number } {
  const entries: NumberedEntry[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    const entry = checkedValue<NumberedEntry>(bytes.toString('utf8', start, end));
    if (entry?.n !== first + entries.length) break;
    entries.push(entry);
    start = end + 1;
  }
  return { entries, goodBytes: start };
}

/**
 * Yields the files of the journal by the numbers of their first lines, oldest first, and repairs the end of the last one: its
 * damaged lines belong to transactions that were never acknowledged. Throws when any other file is damaged.
 */
export function* readJournal(
  directory: string,
  log: (line: string) => void,
): Generator<{ first: number; entries: NumberedEntry[] }> {
  const firsts = readdirSync(directory)
    .flatMap((name) => FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  for (const [index, first] of firsts.entries()) {
    const file = fileOf(directory, first);
    const bytes = readFileSync(file);
    const { entries, goodBytes } = parseJournal(bytes, first);
    const next = firsts[index + 1];
    if (next !== undefined && (goodBytes < bytes.length || first + entries.length !== next)) {
      throw damaged(directory, file);
    }
    if (goodBytes < bytes.length) {
      // Kept in a second file, in case the disk and not a kill caused this.
      writeFileSync(`${file}.torn`, bytes.subarray(goodBytes), { mode: PRIVATE });
      truncateSync(file, goodBytes);
      log(`dropped ${bytes.length - goodBytes} damaged bytes at the end of ${path.basename(file)}`);
    }
    yield { first, entries };
  }
}

/** Creates the writer of a journal with these files, oldest first. It has no file open yet. */
export function createJournalWriter(directory: string, existing: readonly number[], limits: JournalLimits) {
  const { historyLimit, rememberMs, linesPerFile, now } = limits;
  /** Oldest first. A file from before this start counts as started now. */
  const files = existing.map((first) => ({ first, startedAt: now() }));
  let handle: FileHandle | null = null;
  let lines = 0;
  let bytes = 0;

  /** Returns whether the history after line `last`, and every transaction that could run again, is in later files than the oldest. */
  const isOldestObsolete = (last: number): boolean => {
    const next = files[1];
    return next !== undefined && next.first <= last - historyLimit + 1 && next.startedAt < now() - rememberMs;
  };

  return {
    /** Starts the file after line `last`, and removes obsolete files. */
    async startFile(last: number): Promise<void> {
      await handle?.close();
      handle = await open(fileOf(directory, last + 1), 'a', PRIVATE);
      if (files.at(-1)?.first !== last + 1) files.push({ first: last + 1, startedAt: now() });
      [lines, bytes] = [0, 0];
      syncDirectory(directory);
      while (isOldestObsolete(last)) {
        const oldest = files.shift();
        if (oldest) await rm(fileOf(directory, oldest.first), { force: true });
      }
    },
    /** Writes entries after line `last` with one write and one fsync. Returns whether the file is full. */
    async append(entries: readonly JournalEntry[], last: number): Promise<boolean> {
      if (!handle) throw new Error('no file of the journal is open');
      const numbered = entries.map((entry, index): NumberedEntry => ({ n: last + 1 + index, ...entry }));
      const written = Buffer.concat(numbered.map((entry) => Buffer.from(`${withChecksum(entry)}\n`)));
      await handle.appendFile(written);
      await handle.datasync();
      lines += entries.length;
      bytes += written.length;
      return lines >= linesPerFile || bytes >= LONGEST_FILE_BYTES;
    },
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
