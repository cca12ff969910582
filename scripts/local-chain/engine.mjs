/** The real Solana VM (litesvm), as much of it as the chain needs, with text addresses and plain values. */
import { createRequire } from 'node:module';
import bs58 from 'bs58';
import { LocalChainError, transactionErrorOf } from './errors.mjs';

const require = createRequire(import.meta.url);

/** What the engine makes by itself at every start. Anybody may give an account of theirs to such an owner. */
const SYSVAR = /^Sysvar/;
const NATIVE_LOADER = 'NativeLoader1111111111111111111111111111111';

/**
 * @typedef {object} AccountState
 * @property {bigint} lamports
 * @property {Buffer} data
 * @property {string} owner
 * @property {boolean} executable
 *
 * @typedef {object} Outcome
 * @property {import('./errors.mjs').TransactionError | null} err
 * @property {string[]} logs
 * @property {number} unitsConsumed
 * @property {{ programId: string, data: [string, 'base64'] } | null} returnData
 * @property {object[]} inner inner instructions, by the index of the outer one
 */

/** The raw class takes bytes. The public one starts 0.25 s later, and is a quarter as fast. */
const installed = () => require('litesvm/dist/internal.js');

/** Throws an error with the code `unsupported` where litesvm has no build. */
function loadBinding(load) {
  try {
    return load();
  } catch (error) {
    const why = `needs litesvm, which has no build for ${process.platform}-${process.arch} or is not installed`;
    throw Object.assign(new LocalChainError(why, { cause: error }), { code: 'unsupported' });
  }
}

function innerInstructionsOf(meta) {
  return meta
    .innerInstructions()
    .map((list, index) => ({
      index,
      instructions: list.map((inner) => {
        const instruction = inner.instruction();
        return {
          programIdIndex: instruction.programIdIndex(),
          accounts: [...instruction.accounts()],
          data: bs58.encode(instruction.data()),
          stackHeight: inner.stackHeight(),
        };
      }),
    }))
    .filter(({ instructions }) => instructions.length > 0);
}

/** @returns {Outcome} */
function outcomeOf(meta, err) {
  const returned = meta.returnData();
  const data = Buffer.from(returned.data());
  return {
    err,
    logs: meta.logs(),
    unitsConsumed: Number(meta.computeUnitsConsumed()),
    returnData:
      data.length > 0
        ? { programId: bs58.encode(returned.programId()), data: [data.toString('base64'), 'base64'] }
        : null,
    inner: innerInstructionsOf(meta),
  };
}

/** A VM without any account but those of the system. Throws where it cannot run. */
export function createEngine(load = installed) {
  const { Account, Clock, FailedTransactionMetadata, LiteSvm } = loadBinding(load);
  const vm = new LiteSvm();
  vm.withNativeMints();
  // It accepts the newest blockhash only and remembers 32 transactions; ledger.mjs does both as a cluster does.
  vm.setBlockhashCheck(false);
  vm.setTransactionHistory(0n);

  /** @returns {AccountState} */
  const plain = (account) => ({
    lamports: account.lamports(),
    data: Buffer.from(account.data()),
    owner: bs58.encode(account.owner()),
    executable: account.executable(),
  });

  return {
    /** @param {string} address @returns {AccountState | null} */
    account(address) {
      const found = vm.getAccount(bs58.decode(address));
      return found && found.lamports() > 0n ? plain(found) : null;
    },
    /** @param {string} address @returns {bigint} lamports */
    balance: (address) => vm.getBalance(bs58.decode(address)) ?? 0n,
    /** @param {string} address @param {AccountState | null} state null removes it */
    setAccount(address, state) {
      const { lamports, data, owner, executable } = state ?? { lamports: 0n, data: Buffer.alloc(0), executable: false };
      vm.setAccount(
        bs58.decode(address),
        new Account(lamports, data, owner ? bs58.decode(owner) : new Uint8Array(32), executable, 0n),
      );
    },
    /** Whether the engine makes it by itself. @param {string} address @param {AccountState} state */
    isOwn: (address, state) =>
      (SYSVAR.test(address) && SYSVAR.test(state.owner)) || (state.executable && state.owner === NATIVE_LOADER),
    /** @param {string} program @returns {{ address: string, state: AccountState }[]} */
    programAccounts: (program) =>
      vm
        .getProgramAccounts(bs58.decode(program))
        .map((found) => ({ address: bs58.encode(found.address), state: plain(found.account()) })),
    /** @param {number} slot @param {number} epoch @param {number} seconds since 1970 */
    setClock(slot, epoch, seconds) {
      const { epochStartTimestamp } = vm.getClock();
      vm.setClock(new Clock(BigInt(slot), epochStartTimestamp, BigInt(epoch), BigInt(epoch) + 1n, BigInt(seconds)));
    },
    /** Lamports that let an account of so many bytes live. @param {number} bytes */
    rentMinimum: (bytes) => Number(vm.minimumBalanceForRentExemption(BigInt(bytes))),
    /** Only for bytes that wire.mjs has let through. @param {Uint8Array} bytes @returns {Outcome} */
    execute(bytes) {
      const result = vm.sendVersionedTransaction(bytes);
      if (result instanceof FailedTransactionMetadata) return outcomeOf(result.meta(), transactionErrorOf(result));
      return outcomeOf(result, null);
    },
    /**
     * Only for bytes that wire.mjs has let through.
     * @param {Uint8Array} bytes
     * @param {boolean} verifySignatures
     * @returns {Outcome & { after: Map<string, AccountState> }} `after`: the accounts as they would be
     */
    simulate(bytes, verifySignatures) {
      vm.setSigverify(verifySignatures);
      try {
        const result = vm.simulateVersionedTransaction(bytes);
        if (result instanceof FailedTransactionMetadata) {
          return { ...outcomeOf(result.meta(), transactionErrorOf(result)), after: new Map() };
        }
        const after = result.postAccounts().map((entry) => [bs58.encode(entry.address), plain(entry.account())]);
        return { ...outcomeOf(result.meta(), null), after: new Map(after) };
      } finally {
        vm.setSigverify(true);
      }
    },
  };
}
