import { type Connection, type Model, mongo, type QueryFilter, Types } from 'mongoose';
import type { ChainCluster } from '../../common/client-config/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { TRANSACTIONS_LIMIT_DEFAULT } from '../../common/transactions/http.ts';
import type { RecordTransaction, TransactionStatus, TransactionType } from '../../common/transactions/model.ts';
import type { ChainEndpoint } from '../chain/endpoint.ts';
import type { EventSink } from '../events/bus.ts';
import { createLimiter, type Limit, type Limiter } from '../http/rate-limits.ts';
import { ensureIndexes, isDuplicateKey } from '../platform/database.ts';
import { type TransactionRecord, transactionModel } from './model.ts';
import { presentTransaction } from './present.ts';
import type { Verdict } from './verdict.ts';

const DUPLICATE_KEY = 11_000;
/** Each pending transaction is queried every second, which bounds the number per user. */
export const PENDING_MAX = 50;

/** Wallet access needed by transactions. */
export interface WalletsOfUsers {
  current(userId: string): Promise<{ walletAddress: string; hasKey: boolean } | null>;
  /** Returns the users whose current wallet this is. */
  usersOf(walletAddress: string): Promise<string[]>;
}

export interface TransactionFilter {
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
}

export interface TransactionQuery extends TransactionFilter {
  limit?: number | undefined;
  before?: string | undefined;
}

/** SOL that arrived in a wallet: a transaction record of its owner, without the user's fields. */
export type Arrival = Pick<TransactionRecord, 'signature' | 'cluster' | 'wallet' | 'lamports' | 'counterparty'>;

/** The transactions of all users. Each change emits an event to its user after it is stored. */
export interface Transactions {
  /** Newest first. */
  list(userId: string, query: TransactionQuery): Promise<TransactionRecord[]>;
  count(userId: string, filter: TransactionFilter): Promise<number>;
  /**
   * Stores a transaction as pending; one recorded before is returned as it is. Throws `chain-unavailable` without a
   * cluster, `no-wallet`, `limit-reached` and `too-many-requests`.
   */
  record(userId: string, recording: RecordTransaction): Promise<TransactionRecord>;
  /** Returns pending transactions of a cluster, one batch at a time. */
  pending(cluster: ChainCluster, batch: number): AsyncIterable<TransactionRecord[]>;
  /** Lowers the height after which a pending transaction fails. */
  expireBy(record: TransactionRecord, blockHeight: number): Promise<void>;
  /** Stores the outcome. Only the first verdict counts: resolves with true when it was this one. */
  decide(record: TransactionRecord, verdict: Verdict): Promise<boolean>;
  /** Records an arrival of SOL for every current owner of the wallet; repeating it changes nothing. */
  arrived(arrival: Arrival): Promise<void>;
}

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
): Transactions {
  const { model, limiter, chain, wallets, bus, clock, onRecorded } = deps;

  function emitChanged(record: TransactionRecord): void {
    const transaction = presentTransaction(record);
    bus.emit('transaction-changed', { userId: record.userId.toHexString(), transaction });
  }

  async function insert(record: TransactionRecord): Promise<TransactionRecord> {
    try {
      await model.create(record);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // The same request arrived twice at once, and the other one was faster.
      return (await model.findOne(nameOf(record)).lean<TransactionRecord>()) ?? record;
    }
    emitChanged(record);
    onRecorded?.();
    return record;
  }

  return {
    // Index: userId, createdAt, _id, type, status.
    list: (userId, { limit = TRANSACTIONS_LIMIT_DEFAULT, before, ...filter }) =>
      model
        .find({ ...matching(userId, filter), ...(before === undefined ? {} : after(before)) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<TransactionRecord[]>()
        .exec(),

    // Index: userId, createdAt, _id, type, status; no document is read.
    count: (userId, filter) => model.countDocuments(matching(userId, filter)).exec(),

    async record(userId, { type, signature, lamports, recipient, lastValidBlockHeight }) {
      const user = new Types.ObjectId(userId);
      // Index: userId, signature, type (unique).
      const known = await model.findOne({ userId: user, signature, type }).lean<TransactionRecord>();
      if (known) return known;
      await limiter.count(userId);
      if (!chain) throw new PublicError('chain-unavailable');
      const wallet = await wallets.current(userId);
      if (!wallet) throw new PublicError('no-wallet');
      const { cluster } = chain;
      // Index: cluster, userId, _id where pending. Requests at the same moment may pass together; the limiter bounds how many.
      const pending = await model.countDocuments({ cluster, userId: user, status: 'pending' });
      if (pending >= PENDING_MAX) {
        const text = `${PENDING_MAX} of your transactions are still pending. Please wait until they are decided.`;
        throw new PublicError('limit-reached', { text });
      }
      const now = new Date(clock.now());
      return insert({
        ...nothingKnown,
        _id: new Types.ObjectId(),
        userId: user,
        type,
        status: 'pending',
        signature,
        cluster,
        wallet: wallet.walletAddress,
        lamports,
        counterparty: type === 'airdrop' ? null : recipient,
        lastValidBlockHeight,
        createdAt: now,
        updatedAt: now,
      });
    },

    async *pending(cluster, batch) {
      // Index: cluster, userId, _id where pending.
      const found = model
        .find({ cluster, status: 'pending' })
        .sort({ cluster: 1, userId: 1, _id: 1 })
        .lean<TransactionRecord[]>()
        .cursor({ batchSize: batch });
      let records: TransactionRecord[] = [];
      for await (const record of found) {
        records.push(record);
        if (records.length < batch) continue;
        yield records;
        records = [];
      }
      if (records.length > 0) yield records;
    },

    async expireBy({ _id }, lastValidBlockHeight) {
      await model.updateOne({ _id, status: 'pending' }, { $min: { lastValidBlockHeight } });
    },

    async decide({ _id }, verdict) {
      const changed = await model
        .findOneAndUpdate(
          { _id, status: 'pending' },
          { $set: { ...verdict, lastValidBlockHeight: null, updatedAt: new Date(clock.now()) } },
          { returnDocument: 'after' },
        )
        .lean<TransactionRecord>();
      if (changed) emitChanged(changed);
      return changed !== null;
    },

    async arrived(arrival) {
      const users = await wallets.usersOf(arrival.wallet);
      if (users.length === 0) return;
      const now = new Date(clock.now());
      const records = users.map(
        (userId): TransactionRecord => ({
          ...nothingKnown,
          ...arrival,
          _id: new Types.ObjectId(),
          userId: new Types.ObjectId(userId),
          type: 'transfer_in',
          status: 'confirmed',
          createdAt: now,
          updatedAt: now,
        }),
      );
      // Existing ones have emitted their event before.
      for (const record of await insertNew(model, records)) emitChanged(record);
    },
  };
}

/** Inserts missing records and returns those inserted. */
async function insertNew(
  model: Model<TransactionRecord>,
  records: readonly TransactionRecord[],
): Promise<TransactionRecord[]> {
  try {
    await model.collection.insertMany([...records], { ordered: false });
    return [...records];
  } catch (error) {
    if (!(error instanceof mongo.MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    const known = new Set(errors.map(({ index }) => index));
    return records.filter((_, at) => !known.has(at));
  }
}

const nothingKnown = {
  token: null,
  price: null,
  feeLamports: null,
  failure: null,
  lastValidBlockHeight: null,
} satisfies Partial<TransactionRecord>;

/** Fields that identify a transaction. */
function nameOf({ userId, signature, type }: TransactionRecord) {
  return { userId, signature, type };
}

function matching(userId: string, { type, status }: TransactionFilter): QueryFilter<TransactionRecord> {
  return {
    userId: new Types.ObjectId(userId),
    ...(type === undefined ? {} : { type }),
    ...(status === undefined ? {} : { status }),
  };
}

/** Returns the filter for records after the cursor `<createdAt>_<id>`, newest first. */
function after(cursor: string): QueryFilter<TransactionRecord> {
  const [time = '', id = ''] = cursor.split('_');
  const createdAt = new Date(Number(time));
  // The first condition bounds the index scan, the second splits transactions of the same millisecond.
  return {
    createdAt: { $lte: createdAt },
    $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: new Types.ObjectId(id) } }],
  };
}
