/**
 * The chain itself: runs transactions at the current slot, as a cluster does, and remembers them. A transaction counts
 * from when it is on disk; until then nobody is told of it.
 */
import { AddressLookupTableAccount } from '@solana/web3.js';
import { SLOTS_PER_EPOCH } from './slots.mjs';
import { mintOf, tokenAccountOf, tokenAmount } from './token-accounts.mjs';

/** A transaction is confirmed in the slot after its own, and final 32 slots after it, as on a healthy cluster. */
const CONFIRMED_AFTER = 1;
const FINAL_AFTER = 32;

/**
 * What all accounts may take up: each is in memory several times, and the state is one text. A cluster has such a limit
 * as well, and one transaction adds at most 20 MiB on either.
 */
const MOST_ACCOUNT_BYTES = 64 * 1024 * 1024;
const MOST_ADDED_BYTES = 20 * 1024 * 1024;
/** What an account costs besides its data. */
const ACCOUNT_OVERHEAD_BYTES = 128;
const sizeOf = (state) => (state && state.lamports > 0n ? state.data.length + ACCOUNT_OVERHEAD_BYTES : 0);

/** @typedef {'processed' | 'confirmed' | 'finalized'} Level */
/** @type {Level[]} */
export const LEVELS = ['processed', 'confirmed', 'finalized'];

/** The fewest that litesvm would answer itself for a transaction that it does not run. */
const notRun = (err) => ({ err, logs: [], unitsConsumed: 0, returnData: null, inner: [], after: new Map() });

/** @returns {import('./storage.mjs').StoredAccount} */
const stored = (state) =>
  state && [state.lamports.toString(), state.data.toString('base64'), state.owner, state.executable];

/** Puts stored accounts into the engine: programs last, since they are read as they are set. */
export function restoreAccounts(engine, accounts) {
  const executables = (wanted) => [...accounts].filter(([, account]) => account !== null && account[3] === wanted);
  for (const [address, [lamports, data, owner, executable]] of [...executables(false), ...executables(true)]) {
    engine.setAccount(address, { lamports: BigInt(lamports), data: Buffer.from(data, 'base64'), owner, executable });
  }
}

/**
 * @param {{
 *   engine: ReturnType<typeof import('./engine.mjs').createEngine>,
 *   slots: ReturnType<typeof import('./slots.mjs').createSlots>,
 *   history: ReturnType<typeof import('./history.mjs').createHistory>,
 *   storage: Pick<ReturnType<typeof import('./storage.mjs').openStorage>, 'append' | 'accounts'>,
 *   now: () => number,
 * }} parts
 */
export function createLedger({ engine, slots, history, storage, now }) {
  /** Transactions that are not on disk yet. @type {Map<string, Promise<void>>} */
  const writing = new Map();
  let lastWrite = Promise.resolve();
  let accountBytes = 0;
  for (const address of storage.accounts.keys()) accountBytes += sizeOf(engine.account(address));
  /** Transactions that are not final yet, with the level their listeners know of. */
  let settling = [];
  /** @type {((record: import('./history.mjs').TransactionRecord, level: Level) => void)[]} */
  const levelListeners = [];
  /** @type {(() => void)[]} */
  const slotListeners = [];

  /** @returns {Level} */
  const levelOf = (record) => {
    const age = slots.slot() - record.slot;
    if (age < CONFIRMED_AFTER || writing.has(record.signature)) return 'processed';
    return age < FINAL_AFTER ? 'confirmed' : 'finalized';
  };

  /** Tells of every level a transaction has reached since the last time. */
  const tell = (one) => {
    const reached = LEVELS.indexOf(levelOf(one.record));
    while (one.told < reached) {
      one.told += 1;
      for (const listener of levelListeners) listener(one.record, LEVELS[one.told]);
    }
  };

  const setClock = () =>
    engine.setClock(slots.slot(), Math.floor(slots.slot() / SLOTS_PER_EPOCH), Math.floor(now() / 1000));
  setClock();

  /** The accounts of a transaction: named ones, then those it looks up in tables, writable ones first. */
  const keysOf = (message) => {
    const writable = [];
    const readonly = [];
    for (const lookup of message.addressTableLookups) {
      const table = lookupTable(engine.account(lookup.accountKey.toBase58()));
      const found = (indexes) => indexes.flatMap((index) => table[index]?.toBase58() ?? []);
      writable.push(...found(lookup.writableIndexes));
      readonly.push(...found(lookup.readonlyIndexes));
    }
    const named = message.staticAccountKeys.map((key) => key.toBase58());
    return { keys: [...named, ...writable, ...readonly], loadedAddresses: { writable, readonly } };
  };

  const tokenBalances = (keys) =>
    keys.flatMap((key, accountIndex) => {
      const account = tokenAccountOf(engine.account(key));
      const decimals = account && mintOf(engine.account(account.mint))?.decimals;
      if (!account || decimals === undefined) return [];
      const { mint, owner, program, amount } = account;
      return [{ accountIndex, mint, owner, programId: program, uiTokenAmount: tokenAmount(amount, decimals) }];
    });

  const sizeOfAll = (keys) => keys.reduce((total, key) => total + sizeOf(engine.account(key)), 0);

  /** @param {Map<string, import('./engine.mjs').AccountState>} after the accounts of a transaction as they would be */
  const overfills = (after) => {
    if (accountBytes <= MOST_ACCOUNT_BYTES - MOST_ADDED_BYTES) return false;
    const before = sizeOfAll([...after.keys()]);
    const added = [...after.values()].reduce((total, state) => total + sizeOf(state), -before);
    return added > 0 && accountBytes + added > MOST_ACCOUNT_BYTES;
  };

  /** Whether its blockhash counts. @param {string} hash @param {number} [since] hashes up to this height don't */
  const isFresh = (hash, since = 0) => (slots.heightOfHash(hash) ?? 0) > since;

  /**
   * Runs a transaction. Null when it would be in no block: it ran before, its blockhash has expired, or it could not pay.
   * @param {import('./wire.mjs').WireTransaction} transaction
   * @returns {{ record: import('./history.mjs').TransactionRecord, written: Promise<void> } | null}
   */
  const execute = ({ bytes, message, signature }, since) => {
    if (history.has(signature) || !isFresh(message.recentBlockhash, since)) return null;
    const { keys, loadedAddresses } = keysOf(message);
    const before = keys.map(engine.balance);
    const sizeBefore = sizeOfAll(keys);
    const preTokenBalances = tokenBalances(keys);
    // A simulation costs as much as the run, so it is made only when there is little room left.
    if (accountBytes > MOST_ACCOUNT_BYTES - MOST_ADDED_BYTES && overfills(engine.simulate(bytes, true).after))
      return null;
    const outcome = engine.execute(bytes);
    // An error of an instruction is in a block and costs the fee; any other keeps the transaction out of it.
    if (typeof outcome.err === 'string') return null;
    const after = keys.map(engine.balance);
    accountBytes += sizeOfAll(keys) - sizeBefore;
    const sum = (balances) => balances.reduce((total, balance) => total + balance, 0n);
    const record = {
      signature,
      slot: slots.slot(),
      blockTime: Math.floor(now() / 1000),
      wire: bytes.toString('base64'),
      keys,
      meta: {
        err: outcome.err,
        status: outcome.err === null ? { Ok: null } : { Err: outcome.err },
        fee: Number(sum(before) - sum(after)), // nothing else leaves the accounts of a transaction
        preBalances: before.map(Number),
        postBalances: after.map(Number),
        innerInstructions: outcome.inner,
        logMessages: outcome.logs,
        preTokenBalances,
        postTokenBalances: tokenBalances(keys),
        rewards: [],
        loadedAddresses,
        computeUnitsConsumed: outcome.unitsConsumed,
      },
    };
    return { record, written: write(record, message) };
  };

  const write = (record, message) => {
    const changed = record.keys.filter((_, index) => message.isAccountWritable(index));
    const accounts = changed.flatMap((key) => {
      const state = engine.account(key);
      return state && engine.isOwn(key, state) ? [] : [[key, stored(state)]];
    });
    history.add(record);
    const one = { record, told: -1 };
    const written = storage.append({ record, accounts }).then(() => {
      writing.delete(record.signature);
      settling.push(one);
      tell(one);
    });
    writing.set(record.signature, written);
    lastWrite = written;
    return written;
  };

  return {
    execute,
    isFresh,
    levelOf,
    /** What a transaction would do now, and change nothing. */
    simulate({ bytes, message, signature }, { verifySignatures, anyBlockhash, since }) {
      if (!anyBlockhash && !isFresh(message.recentBlockhash, since)) return notRun('BlockhashNotFound');
      if (verifySignatures && history.has(signature)) return notRun('AlreadyProcessed');
      const outcome = engine.simulate(bytes, verifySignatures);
      return overfills(outcome.after) ? notRun('WouldExceedAccountDataTotalLimit') : outcome;
    },
    /** Resolves when a transaction that has run is on disk. @param {string} signature */
    whenWritten: (signature) => writing.get(signature) ?? Promise.resolve(),
    /** Resolves when everything that has run is on disk: whoever reads an account hears of nothing that a kill undoes. */
    whenAllWritten: () => lastWrite,
    /** Goes on to the slot of this moment. */
    advance() {
      if (!slots.advance(now())) return;
      setClock();
      history.prune(slots.slot() - slots.window);
      for (const one of settling) tell(one);
      settling = settling.filter((one) => one.told < LEVELS.length - 1);
      for (const listener of slotListeners) listener();
    },
    /** Told when a transaction reaches a level. */
    onLevel: (listener) => void levelListeners.push(listener),
    onSlot: (listener) => void slotListeners.push(listener),
  };
}

/** The addresses of a lookup table; none when the account is no table, which the engine then says. */
function lookupTable(state) {
  if (!state) return [];
  try {
    return AddressLookupTableAccount.deserialize(state.data).addresses;
  } catch {
    return [];
  }
}
