/**
 * The journal: files `journal-<number>.jsonl` with one line per transaction. A line is JSON after a checksum, so that a
 * line that was cut off or changed is recognized. The file's number is that of its first line.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LocalChainError } from '../errors.ts';
import type { JournalEntry } from './records.ts';

/** The faucet's key and all balances are for this user only. */
export const PRIVATE = 0o600;

const FILE = /^journal-(\d{12})\.jsonl$/;
const CHECKSUM_DIGITS = 12;

/** An entry with its number in the journal. */
export interface NumberedEntry extends JournalEntry {
  n: number;
}

/** A file of the journal by the number of its first line, with its entries. */
interface JournalFile {
  first: number;
  entries: NumberedEntry[];
}

export const journalName = (first: number): string => `journal-${String(first).padStart(12, '0')}.jsonl`;

const checksum = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, CHECKSUM_DIGITS);

/** Returns a text after its checksum. */
export const withChecksum = (text: string): string => `${checksum(text)} ${text}`;

/** Returns the text after a checksum; null when it is not as it was written. */
export function withoutChecksum(checked: string): string | null {
  const text = checked.slice(CHECKSUM_DIGITS + 1);
  return checked.slice(0, CHECKSUM_DIGITS) === checksum(text) ? text : null;
}

/** Returns the failure of a file whose content is not as it was written. */
export const damaged = (directory: string, name: string): LocalChainError =>
  new LocalChainError(`finds ${path.join(directory, name)} damaged; move ${directory} away to begin a new chain`);

/** Returns the line of an entry, including the line end. */
export function journalLine(entry: NumberedEntry): string {
  return `${withChecksum(JSON.stringify(entry))}\n`;
}

/** Returns the entries up to the first line that is damaged or out of sequence, and the length of that part. */
function parseJournal(bytes: Buffer, first: number): { entries: NumberedEntry[]; goodBytes: number } {
  const entries: NumberedEntry[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10, start); end >= 0; end = bytes.indexOf(10, start)) {
    const text = withoutChecksum(bytes.toString('utf8', start, end));
    if (text === null) break;
    const entry: NumberedEntry = JSON.parse(text);
    if (entry.n !== first + entries.length) break;
    entries.push(entry);
    start = end + 1;
  }
  return { entries, goodBytes: start };
}

/**
 * Yields the files of the journal, oldest first, and repairs the end of the last one: its damaged lines belong to
 * transactions that were never acknowledged. Throws when any other file is damaged.
 */
export function* readJournal(directory: string, log: (line: string) => void): Generator<JournalFile> {
  const firsts = readdirSync(directory)
    .flatMap((name) => FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
  for (const [index, first] of firsts.entries()) {
    yield { first, entries: readJournalFile(directory, first, firsts[index + 1], log) };
  }
}

function readJournalFile(
  directory: string,
  first: number,
  next: number | undefined,
  log: (line: string) => void,
): NumberedEntry[] {
  const file = path.join(directory, journalName(first));
  const bytes = readFileSync(file);
  const { entries, goodBytes } = parseJournal(bytes, first);
  const isWhole = next === undefined || first + entries.length === next;
  if (goodBytes === bytes.length && isWhole) return entries;
  if (next !== undefined) throw damaged(directory, path.basename(file));
  // Kept in a second file, in case the disk and not a kill caused this.
  writeFileSync(`${file}.torn`, bytes.subarray(goodBytes), { mode: PRIVATE });
  truncateSync(file, goodBytes);
  log(`dropped ${bytes.length - goodBytes} damaged bytes at the end of ${path.basename(file)}`);
  return entries;
}
