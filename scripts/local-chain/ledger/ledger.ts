/**
 * The ledger: executes transactions in the current slot, as a cluster does, and records them. A transaction takes effect
 * for clients when it is on disk.
 */
import type { VersionedMessage } from '@solana/web3.js';
import type { TransactionMeta, TransactionRecord } from '../storage/records.ts';
import type { Storage } from '../storage/storage.ts';
import { createConfirmations } from './confirmations.ts';
import type { AccountState, Engine, SimulatedOutcome } from './engine.ts';
import type { History } from './history.ts';
import { SLOTS_PER_EPOCH, type Slots } from './slots.ts';
import { accountsOf, storedAccount, tokenBalancesOf } from './transaction-accounts.ts';

/** What one transaction may add to the accounts, as in a cluster. */
const MAX_ADDED_BYTES = 20 * 1024 * 1024;
/** Memory of an account besides its data. */
const ACCOUNT_OVERHEAD_BYTES = 128;

/** A transaction that rpc/decode-transaction.ts has accepted. */
export interface CheckedTransaction {
  bytes: Buffer;
  message: VersionedMessage;
  /** The first signature, which identifies the transaction. */
  signature: string;
}

interface Parts {
  engine: Engine;
  slots: Slots;
  history: History;
  storage: Pick<Storage, 'append' | 'accounts'>;
  now: () => number;
  /** Limit of all accounts together. */
  accountBytes: number;
}

interface SimulationOptions {
  verifySignatures: boolean;
  anyBlockhash: boolean;
  /** Blockhashes up to this height are treated as expired; see rpc/faults.ts. */
  since?: number;
}

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger({ engine, slots, history, storage, now, accountBytes }: Parts) {
  /** Transactions that are not on disk yet. */
  const writing = new Map<string, Promise<void>>();
  let lastWrite: Promise<void> = Promise.resolve();
  const slotListeners: (() => void)[] = [];
  const confirmations = createConfirmations(slots.slot, (signature) => !writing.has(signature));
  const space = createSpace(engine, storage.accounts.keys(), accountBytes);

  const setClock = (): void =>
    engine.setClock(slots.slot(), Math.floor(slots.slot() / SLOTS_PER_EPOCH), Math.floor(now() / 1000));
  setClock();

  const isFresh = (hash: string, since = 0): boolean => (slots.heightOfHash(hash) ?? 0) > since;

  const write = (record: TransactionRecord, message: VersionedMessage): Promise<void> => {
    const changed = record.keys.filter((_, index) => message.isAccountWritable(index));
    const accounts = changed.flatMap((key) => {
      const state = engine.account(key);
      return state && engine.isBuiltIn(key, state) ? [] : [[key, storedAccount(state)] satisfies [string, unknown]];
    });
    history.add(record);
    lastWrite = storage.append({ record, accounts }).then(() => {
      writing.delete(record.signature);
      confirmations.track(record);
    });
    writing.set(record.signature, lastWrite);
    return lastWrite;
  };

  return {
    levelOf: confirmations.levelOf,
    /** Calls the listener when a transaction reaches a level. */
    onLevel: confirmations.onLevel,
    onSlot: (listener: () => void): void => void slotListeners.push(listener),
    /** Returns whether a blockhash is valid. Hashes up to height `since` are not. */
    isFresh,
    /**
     * Executes a transaction. Returns null when no block would contain it: it ran before, its blockhash has expired, or
     * its fee can't be paid.
     */
    execute(
      transaction: CheckedTransaction,
      since?: number,
    ): { record: TransactionRecord; written: Promise<void> } | null {
      const { bytes, message, signature } = transaction;
      if (history.has(signature) || !isFresh(message.recentBlockhash, since)) return null;
      // A simulation costs as much as the execution, so it runs only when little space is left.
      if (space.isNearLimit() && space.wouldExceed(engine.simulate(bytes, true).after)) return null;
      const executed = executeOn(engine, space, transaction);
      if (!executed) return null;
      const blockTime = Math.floor(now() / 1000);
      const wire = bytes.toString('base64');
      const record = { signature, slot: slots.slot(), blockTime, wire, ...executed };
      return { record, written: write(record, message) };
    },
    /** Returns what a transaction would do now, without a change. */
    simulate(
      { bytes, message, signature }: CheckedTransaction,
      { verifySignatures, anyBlockhash, since }: SimulationOptions,
    ): SimulatedOutcome {
      if (!anyBlockhash && !isFresh(message.recentBlockhash, since)) return refused('BlockhashNotFound');
      if (verifySignatures && history.has(signature)) return refused('AlreadyProcessed');
      const outcome = engine.simulate(bytes, verifySignatures);
      return space.wouldExceed(outcome.after) ? refused('WouldExceedAccountDataTotalLimit') : outcome;
    },
    /** Resolves when an executed transaction is on disk. */
    whenWritten: (signature: string): Promise<void> => writing.get(signature) ?? Promise.resolve(),
    /** Resolves when all executed transactions are on disk, so that no response contains an effect that a kill undoes. */
    whenAllWritten: (): Promise<void> => lastWrite,
    /** Moves to the slot of this moment. */
    advance(): void {
      if (!slots.advance(now())) return;
      setClock();
      history.prune(slots.slot() - slots.window);
      confirmations.advance();
      for (const listener of slotListeners) listener();
    },
  };
}

/** The space that all accounts take up, up to `limit` bytes. */
function createSpace(engine: Engine, addresses: Iterable<string>, limit: number) {
  const sizeOf = (state: AccountState | null): number =>
    state && state.lamports > 0n ? state.data.length + ACCOUNT_OVERHEAD_BYTES : 0;
  const sizeOfAll = (keys: Iterable<string>): number =>
    [...keys].reduce((total, key) => total + sizeOf(engine.account(key)), 0);
  let bytes = sizeOfAll(addresses);
  const isNearLimit = (): boolean => bytes > limit - MAX_ADDED_BYTES;
  return {
    isNearLimit,
    sizeOfAll,
    add(difference: number): void {
      bytes += difference;
    },
    /** Returns whether a transaction with these accounts afterwards would exceed the limit. */
    wouldExceed(after: ReadonlyMap<string, AccountState>): boolean {
      if (!isNearLimit()) return false;
      const before = sizeOfAll(after.keys());
      const added = [...after.values()].reduce((total, state) => total + sizeOf(state), -before);
      return added > 0 && bytes + added > limit;
    },
  };
}

/** Executes a transaction and describes it. Returns null when no block would contain it. */
function executeOn(
  engine: Engine,
  space: ReturnType<typeof createSpace>,
  { bytes, message }: CheckedTransaction,
): { keys: string[]; meta: TransactionMeta } | null {
  const { keys, loadedAddresses } = accountsOf(engine, message);
  const before = keys.map(engine.balance);
  const sizeBefore = space.sizeOfAll(keys);
  const preTokenBalances = tokenBalancesOf(engine, keys);
  const outcome = engine.execute(bytes);
  // An error of an instruction goes into a block and costs the fee; any other error keeps the transaction out.
  if (typeof outcome.err === 'string') return null;
  const after = keys.map(engine.balance);
  space.add(space.sizeOfAll(keys) - sizeBefore);
  const sum = (balances: bigint[]): bigint => balances.reduce((total, balance) => total + balance, 0n);
  const meta: TransactionMeta = {
    err: outcome.err,
    status: outcome.err === null ? { Ok: null } : { Err: outcome.err },
    fee: Number(sum(before) - sum(after)), // only the fee leaves the accounts of a transaction
    preBalances: before.map(Number),
    postBalances: after.map(Number),
    innerInstructions: outcome.innerInstructions,
    logMessages: outcome.logs,
    preTokenBalances,
    postTokenBalances: tokenBalancesOf(engine, keys),
    rewards: [],
    loadedAddresses,
    computeUnitsConsumed: outcome.unitsConsumed,
  };
  return { keys, meta };
}

/** The outcome of a transaction that the engine does not run. */
const refused = (err: string): SimulatedOutcome => ({
  err,
  logs: [],
  unitsConsumed: 0,
  returnData: null,
  innerInstructions: [],
  after: new Map(),
});
