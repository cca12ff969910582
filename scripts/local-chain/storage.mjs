/**
 * The chain on disk. `journal-<number>.jsonl`: one line a transaction, with its record and the accounts it changed; a
 * line is on disk before the transaction is answered. `state.json`: who this chain is, and every account as of a
 * transaction's number, replaced whole. A start reads the state and then the lines after it. Files of the journal are
 * begun anew now and then, and go when none of their transactions is remembered any more.
 */
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LocalChainError } from './errors.mjs';
import { journalLine, readJournal } from './journal-lines.mjs';

const VERSION = 1;
/** A file of the journal is read whole at a start, so it is turned over at this size, however few lines it has. */
const LONGEST_FILE_BYTES = 32 * 1024 * 1024;
const JOURNAL = /^journal-(\d{12})\.jsonl$/;
const journalName = (first) => `journal-${String(first).padStart(12, '0')}.jsonl`;
/** The faucet's key and everybody's balances are for this user only. */
const PRIVATE = 0o600;

/**
 * An account on disk: lamports as text, data as base64. Null: it is gone.
 * @typedef {[lamports: string, data: string, owner: string, executable: boolean] | null} StoredAccount
 *
 * @typedef {object} Identity what a chain keeps for life
 * @property {string} genesis
 * @property {string} seed base64
 * @property {string} faucet base58, the secret key
 *
 * @typedef {object} Entry
 * @property {import('./history.mjs').TransactionRecord} record
 * @property {[address: string, account: StoredAccount][]} accounts
 *
 * @typedef {object} State
 * @property {number} version
 * @property {Identity} identity
 * @property {import('./slots.mjs').SlotBase} base
 * @property {number} sequence the number of the last transaction that is in `accounts`
 * @property {number} slot no slot before it may come again
 * @property {[address: string, account: StoredAccount][]} accounts
 */

function syncDirectory(directory) {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle); // makes a new or renamed file survive a power failure
  } finally {
    closeSync(handle);
  }
}

/** @returns {State | null} null at the first start */
function readState(directory) {
  let text;
  try {
    text = readFileSync(path.join(directory, 'state.json'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw new LocalChainError(`cannot read ${directory} (${error.code})`, { cause: error });
  }
  try {
    const state = JSON.parse(text);
    if (state.version === VERSION) return state;
  } catch {
    // Said below.
  }
  throw new LocalChainError(`cannot read ${directory}/state.json; move ${directory} away to begin a new chain`);
}

const firstOf = (name) => Number(JOURNAL.exec(name)[1]);

/** Reads one file of the journal. In the last one the end may be torn: those lines were never answered. */
function readFile(directory, name, next, log) {
  const file = path.join(directory, name);
  const bytes = readFileSync(file);
  const { entries, goodBytes } = readJournal(bytes, firstOf(name));
  const isWhole = next === undefined || firstOf(name) + entries.length === firstOf(next);
  if (goodBytes === bytes.length && isWhole) return entries;
  if (next !== undefined)
    throw new LocalChainError(`finds ${file} damaged; move ${directory} away to begin a new chain`);
  // Kept beside it, in case that it was the disk and not a kill that did this.
  writeFileSync(`${file}.torn`, bytes.subarray(goodBytes), { mode: PRIVATE });
  truncateSync(file, goodBytes);
  log(`dropped ${bytes.length - goodBytes} torn bytes at the end of ${name}`);
  return entries;
}

/**
 * Opens the directory. Nothing else may have it open (see lock.mjs).
 * @param {string} directory
 * @param {{ fresh: () => Omit<State, 'version' | 'sequence' | 'slot'>, historyLimit: number, rememberMs: number, linesPerFile: number, now: () => number, log: (line: string) => void, onFailure: (error: Error) => void }} options
 *   `fresh` is the beginning of a new chain; `historyLimit` transactions are kept, and those of the last `rememberMs`;
 *   `onFailure` is told when something could not be written: what is in memory
 *   then never happened, so the process has to end
 */
export function openStorage(directory, { fresh, historyLimit, rememberMs, linesPerFile, now, log, onFailure }) {
  const found = readState(directory);
  const {
    identity,
    base,
    accounts: known,
    sequence: covered,
    slot: lastSlot,
  } = found ?? { ...fresh(), sequence: 0, slot: 0 };
  /** As of the last written transaction. @type {Map<string, StoredAccount>} */
  const accounts = new Map(known);
  const names = readdirSync(directory)
    .filter((name) => JOURNAL.test(name))
    .sort();
  const entries = names.flatMap((name, index) => {
    const read = readFile(directory, name, names[index + 1], log);
    for (const entry of read) if (entry.n > covered) take(entry);
    // Their accounts may be large, and are needed no more.
    return read.map(({ n, record }) => ({ n, record }));
  });
  let sequence = Math.max(covered, entries.at(-1)?.n ?? 0);
  let slot = Math.max(lastSlot, entries.at(-1)?.record.slot ?? 0);
  /** The files of the journal, oldest first. One from before this start counts as begun now. */
  let files = names.map((name) => ({ first: firstOf(name), begunMs: now() }));

  function take(entry) {
    for (const [address, account] of entry.accounts) {
      if (account) accounts.set(address, account);
      else accounts.delete(address);
    }
  }

  const writeState = async () => {
    const state = { version: VERSION, identity, base, sequence, slot, accounts: [...accounts] };
    const file = path.join(directory, 'state.json');
    await writeFile(`${file}.new`, JSON.stringify(state), { mode: PRIVATE, flush: true });
    await rename(`${file}.new`, file);
    syncDirectory(directory);
  };

  /** @type {import('node:fs/promises').FileHandle | null} */
  let journal = null;
  let lines = 0;
  let bytes = 0;
  /** A file goes when all that is remembered, and all that could run a second time, lies in the files after it. */
  const isNeedless = (file) => {
    const next = files.find(({ first }) => first > file.first);
    return next !== undefined && next.first <= sequence - historyLimit + 1 && next.begunMs < now() - rememberMs;
  };
  const beginFile = async () => {
    await journal?.close();
    journal = await open(path.join(directory, journalName(sequence + 1)), 'a', PRIVATE);
    if (files.at(-1)?.first !== sequence + 1) files.push({ first: sequence + 1, begunMs: now() });
    lines = 0;
    bytes = 0;
    syncDirectory(directory);
    for (const file of files.filter(isNeedless))
      await rm(path.join(directory, journalName(file.first)), { force: true });
    files = files.filter((file) => !isNeedless(file));
  };

  /** @type {{ entry: Entry, resolve: () => void }[]} */
  let waiting = [];
  /** @type {Promise<void>} */
  let work = Promise.resolve();
  let working = false;

  /** Everything that waits goes out in one write and one fsync. */
  const flush = async () => {
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const numbered = group.map(({ entry }, index) => ({ n: sequence + 1 + index, ...entry }));
      const written = Buffer.concat(numbered.map((entry) => Buffer.from(journalLine(entry))));
      await journal.appendFile(written);
      await journal.datasync();
      sequence += numbered.length;
      lines += numbered.length;
      bytes += written.length;
      for (const entry of numbered) {
        take(entry);
        slot = entry.record.slot;
      }
      for (const { resolve } of group) resolve();
      if (lines >= linesPerFile || bytes >= LONGEST_FILE_BYTES) {
        await writeState();
        await beginFile();
      }
    }
    working = false;
  };

  return {
    identity,
    /** The base of the slots may move on at a start. */
    base,
    /** The accounts as of the last transaction. */
    accounts,
    /** Hands over what is remembered, oldest first; once. */
    takeRecords: () => entries.splice(0).map(({ record }) => record),
    lastSlot: slot,
    sequence: () => sequence,
    /** Has to be called once before `append`. @param {import('./slots.mjs').SlotBase} changedBase */
    async begin(changedBase) {
      Object.assign(base, changedBase);
      await writeState();
      await beginFile();
    },
    /** Resolves when the entry is on disk. Entries get there in the order of the calls. @param {Entry} entry @returns {Promise<void>} */
    append(entry) {
      return new Promise((resolve) => {
        waiting.push({ entry, resolve });
        if (working) return;
        working = true;
        work = flush().catch(onFailure);
      });
    },
    /** @param {number} lastSlotSeen */
    async close(lastSlotSeen) {
      await work;
      slot = Math.max(slot, lastSlotSeen);
      await writeState();
      await journal?.close();
      journal = null;
    },
  };
}
