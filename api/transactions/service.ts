import { type Connection, type Model, Types } from 'mongoose';
import type { ChainCluster } from '../../common/client-config/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import type { RecordTransaction } from '../../common/transactions/model.ts';
import type { ChainEndpoint } from '../chain/endpoint.ts';
import type { EventSink } from '../events/bus.ts';
import { createLimiter, type Limit, type Limiter } from '../http/limits/rate-limits.ts';
import { ensureIndexes } from '../platform/database.ts';
import { type TransactionRecord, transactionModel } from './model.ts';
import { presentTransaction } from './present.ts';
import { createTransactionStore, type Trade, type TransactionStore } from './store.ts';
import type { Verdict } from './verdict.ts';

/** Each pending transaction is queried every second, which bounds the number per user. */
export const PENDING_MAX = 50;

/** Wallet access needed by transactions. */
interface WalletsOfUsers {
  current(userId: string): Promise<{ walletAddress: string; hasKey: boolean } | null>;
  /** Returns the users whose current wallet this is. */
  usersOf(walletAddress: string): Promise<string[]>;
}

/** SOL that arrived in a wallet: a transaction record of its owner, without the user's fields. */
export type Arrival = Pick<TransactionRecord, 'signature' | 'cluster' | 'wallet' | 'lamports' | 'counterparty'>;

/** The transactions of all users. Each change emits an event to its user after it is stored. */
export type Transactions = ReturnType<typeof createTransactions>;

export interface TransactionDeps {
  chain: Pick<ChainEndpoint, 'cluster'> | null;
  wallets: WalletsOfUsers;
  bus: EventSink;
  clock: Clock;
  /** Called when there is something new to follow. */
  onRecorded?: () => void;
}

/** Opens the transactions of this database and creates their indexes. `limit`: recordings per user. */
export async function openTransactions(
  connection: Connection,
  deps: TransactionDeps & { limit: Limit },
): Promise<Transactions> {
  const model = transactionModel(connection);
  await ensureIndexes(model);
  const limiter = await createLimiter(connection, 'recordTransaction', deps.limit);
  return createTransactions({ ...deps, model, limiter });
}

export function createTransactions(
  deps: TransactionDeps & { model: Model<TransactionRecord>; limiter: Pick<Limiter, 'count'> },
) {
  const { limiter, chain, wallets, bus, clock, onRecorded } = deps;
  const store = createTransactionStore(deps.model);

  function emitChanged(record: TransactionRecord): void {
    const transaction = presentTransaction(record);
    bus.emit('transaction-changed', { userId: record.userId.toHexString(), transaction });
  }

  async function insert(record: TransactionRecord): Promise<TransactionRecord> {
    // The same request arrived twice at once, and the other one was faster.
    if (!(await store.insert(record))) return (await store.find(record)) ?? record;
    emitChanged(record);
    onRecorded?.();
    return record;
  }

  return {
    list: store.list,
    count: store.count,
    pending: store.pending,
    /** Lowers the height after which a pending transaction fails. */
    expireBy: ({ _id }: TransactionRecord, blockHeight: number): Promise<void> => store.expireBy(_id, blockHeight),

    /**
     * Stores a transaction as pending; one recorded before is returned as it is. Throws `chain-unavailable` without a
     * cluster, `no-wallet`, `limit-reached` and `too-many-requests`.
     */
    async record(userId: string, recording: RecordTransaction): Promise<TransactionRecord> {
      const { type, signature, refusal } = recording;
      const user = new Types.ObjectId(userId);
      const known = await store.find({ userId: user, signature, type });
      if (known) {
        if (refusal !== undefined) await store.refuse(known._id, refusal);
        return known;
      }
      await limiter.count(userId);
      if (!chain) throw new PublicError('chain-unavailable');
      const wallet = await wallets.current(userId);
      if (!wallet) throw new PublicError('no-wallet');
      await requireRoom(store, chain.cluster, user);
      const place = { userId: user, cluster: chain.cluster, wallet: wallet.walletAddress };
      return insert({ ...pendingRecord(recording, new Date(clock.now())), ...place });
    },

    /** Stores the outcome. Only the first verdict counts: resolves with true when it was this one. */
    async decide({ _id }: TransactionRecord, verdict: Verdict): Promise<boolean> {
      const changed = await store.decide(_id, verdict, new Date(clock.now()));
      if (changed) emitChanged(changed);
      return changed !== null;
    },

    /** Records an arrival of SOL for every current owner of the wallet; repeating it changes nothing. */
    async arrived(arrival: Arrival): Promise<void> {
      const users = await wallets.usersOf(arrival.wallet);
      if (users.length === 0) return;
      const now = new Date(clock.now());
      const records = users.map((userId) => transferIn(userId, arrival, now));
      // Existing ones have emitted their event before.
      for (const record of await store.insertMissing(records)) emitChanged(record);
    },

    /** Stores trades in the state that their order knows. Repeating it changes nothing, and no earlier state replaces a later one. */
    recordTrades: (trades: readonly Trade[]): Promise<void> =>
      recordTrades({ store, emitChanged, now: new Date(clock.now()) }, trades),
  };
}

const nothingKnown = {
  token: null,
  price: null,
  feeLamports: null,
  failure: null,
  lastValidBlockHeight: null,
  refusal: null,
} satisfies Partial<TransactionRecord>;

/** Throws `limit-reached` when the user has too many pending transactions in the cluster. */
async function requireRoom(store: TransactionStore, cluster: ChainCluster, userId: Types.ObjectId): Promise<void> {
  // Requests at the same moment may pass together; the limiter bounds how many.
  const pending = await store.countPending(cluster, userId);
  if (pending < PENDING_MAX) return;
  const text = `${PENDING_MAX} of your transactions are still pending. Please wait until they are decided.`;
  throw new PublicError('limit-reached', { text });
}

/** Returns the pending record of a recording, without the fields of its user. */
function pendingRecord(
  { type, signature, lamports, recipient, lastValidBlockHeight, refusal }: RecordTransaction,
  now: Date,
): Omit<TransactionRecord, 'userId' | 'cluster' | 'wallet'> {
  return {
    ...nothingKnown,
    _id: new Types.ObjectId(),
    type,
    status: 'pending',
    signature,
    lamports,
    counterparty: type === 'airdrop' ? null : recipient,
    lastValidBlockHeight,
    refusal: refusal ?? null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Returns the confirmed record of an arrival for one owner of the wallet. */
function transferIn(userId: string, arrival: Arrival, now: Date): TransactionRecord {
  return {
    ...nothingKnown,
    ...arrival,
    _id: new Types.ObjectId(),
    userId: new Types.ObjectId(userId),
    type: 'transfer_in',
    status: 'confirmed',
    createdAt: now,
    updatedAt: now,
  };
}

/** Stores trades in the state that their order knows, and emits the rows that changed. */
async function recordTrades(
  deps: {
    store: Pick<TransactionStore, 'insertMissing' | 'update'>;
    emitChanged(record: TransactionRecord): void;
    now: Date;
  },
  trades: readonly Trade[],
): Promise<void> {
  const { store, emitChanged, now } = deps;
  const records = trades.map((trade) => tradeRecord(trade, now));
  const inserted = new Set(await store.insertMissing(records));
  for (const record of records) {
    const changed = inserted.has(record) ? record : await store.update(record, now);
    if (changed) emitChanged(changed);
  }
}

function tradeRecord(trade: Trade, now: Date): TransactionRecord {
  const unused = { counterparty: null, lastValidBlockHeight: null, refusal: null };
  return { ...trade, ...unused, _id: new Types.ObjectId(), updatedAt: now };
}
