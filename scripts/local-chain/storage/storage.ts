/**
 * The chain on disk: the journal (journal.ts), to which each transaction is written before it is acknowledged, and
 * `state.json`, which holds the chain's identity and every account as of one transaction after a checksum, and is replaced as a
 * whole. A start reads the state and then the later lines of the journal.
 */
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { failureCode } from '../../steps/start-error.mjs';
import { LocalChainError } from '../errors.ts';
import {
  checkedValue,
  createJournalWriter,
  damaged,
  type JournalLimits,
  PRIVATE,
  readJournal,
  syncDirectory,
  withChecksum,
} from './journal.ts';
import type { Genesis, JournalEntry, SlotBase, StoredAccount, TransactionRecord } from './records.ts';

const VERSION = 1;
const STATE_FILE = 'state.json';

interface State extends Genesis {
  version: number;
  /** Number of the last transaction included in `accounts`. */
  sequence: number;
  /** The newest slot in use; no slot up to it may come again. */
  slot: number;
}

interface Options extends JournalLimits {
  /** Returns the first state of a new chain. */
  genesis: () => Genesis;
  log: (line: string) => void;
  /** Called after a failed write. Later transactions exist in memory only, so the process has to end. */
  onFailure: (error: unknown) => void;
}

export type Storage = ReturnType<typeof openStorage>;

/** Opens a directory that this process has claimed (../lock.ts). */
export function openStorage(directory: string, { genesis, log, onFailure, ...limits }: Options) {
  const { identity, base, accounts, sequence: read, records, files, slot: newestSlot } = load(directory, genesis, log);
  const journal = createJournalWriter(directory, files, limits);
  let sequence = read;
  let slot = newestSlot;
  let pending: { entry: JournalEntry; resolve: () => void }[] = [];
  let work: Promise<void> = Promise.resolve();
  let isWriting = false;

  const writeState = async (): Promise<void> => {
    const state: State = { version: VERSION, identity, base, sequence, slot, accounts: [...accounts] };
    const file = path.join(directory, STATE_FILE);
    await writeFile(`${file}.new`, withChecksum(state), { mode: PRIVATE, flush: true });
    await rename(`${file}.new`, file);
    syncDirectory(directory);
  };

  const startFile = async (): Promise<void> => {
    await writeState();
    await journal.startFile(sequence);
  };

  const writePending = async (): Promise<void> => {
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      const isFull = await journal.append(
        group.map(({ entry }) => entry),
        sequence,
      );
      sequence += group.length;
      for (const { entry, resolve } of group) {
        applyEntry(accounts, entry);
        slot = entry.record.slot;
        resolve();
      }
      if (isFull) await startFile();
    }
    isWriting = false;
  };

  return {
    identity,
    base,
    /** The accounts as of the last written transaction. */
    accounts: accounts as ReadonlyMap<string, StoredAccount>,
    /** Hands over the transactions of the journal, oldest first; once. */
    takeRecords: (): TransactionRecord[] => records.splice(0),
    lastSlot: slot,
    sequence: (): number => sequence,
    /** Stores where the slots continue. Must be called once before `append`. */
    async begin(newBase: SlotBase): Promise<void> {
      Object.assign(base, newBase);
      await startFile();
    },
    /** Resolves when the entry is on disk. Entries are written in the order of the calls. */
    append(entry: JournalEntry): Promise<void> {
      return new Promise((resolve) => {
        pending.push({ entry, resolve });
        if (isWriting) return;
        isWriting = true;
        work = writePending().catch(onFailure);
      });
    },
    async close(currentSlot: number): Promise<void> {
      await work;
      slot = Math.max(slot, currentSlot);
      await writeState();
      await journal.close();
    },
  };
}

/** Reads the state and applies the later entries of the journal. */
function load(directory: string, genesis: () => Genesis, log: (line: string) => void) {
  const { identity, base, ...state } = readState(directory) ?? { ...genesis(), sequence: 0, slot: 0 };
  const accounts = new Map(state.accounts);
  const records: TransactionRecord[] = [];
  const files: number[] = [];
  let { sequence, slot } = state;
  for (const { first, entries } of readJournal(directory, log)) {
    files.push(first);
    for (const entry of entries) {
      if (entry.n > state.sequence) applyEntry(accounts, entry);
      // Only the record: the accounts of old entries may be large and are not needed.
      records.push(entry.record);
      sequence = Math.max(sequence, entry.n);
      slot = Math.max(slot, entry.record.slot);
    }
  }
  return { identity, base, accounts, records, files, sequence, slot };
}

/** Returns null at the first start. */
function readState(directory: string): State | null {
  const file = path.join(directory, STATE_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (failureCode(error) === 'ENOENT') return null;
    throw new LocalChainError(`cannot read ${directory} (${failureCode(error)})`, { cause: error });
  }
  const state = checkedValue<State>(text);
  if (state === null) throw damaged(directory, file);
  if (state.version === VERSION) return state;
  throw new LocalChainError(`cannot read ${file}; move ${directory} away to begin a new chain`);
}

function applyEntry(accounts: Map<string, StoredAccount>, entry: JournalEntry): void {
  for (const [address, account] of entry.accounts) {
    if (account) accounts.set(address, account);
    else accounts.delete(address);
  }
}
