import { type Model, type QueryFilter, Types } from 'mongoose';
import type { ChainCluster } from '../../common/client-config/model.ts';
import type { Refusal } from '../../common/transactions/failure.ts';
import { TRANSACTIONS_LIMIT_DEFAULT } from '../../common/transactions/http.ts';
import type { TransactionStatus, TransactionType } from '../../common/transactions/model.ts';
import { duplicateIndexes, unlessDuplicate } from '../platform/database.ts';
import type { TransactionRecord } from './model.ts';
import type { Verdict } from './verdict.ts';

export interface TransactionFilter {
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
}

export interface TransactionQuery extends TransactionFilter {
  limit?: number | undefined;
  before?: string | undefined;
}

/** Fields that identify a transaction. */
export type TransactionName = Pick<TransactionRecord, 'userId' | 'signature' | 'type'>;

/** A buy or sell, as its order knows it. */
export type Trade = Omit<TransactionRecord, '_id' | 'updatedAt' | 'counterparty' | 'lastValidBlockHeight' | 'refusal'>;

const trades: readonly TransactionType[] = ['buy', 'sell'];
/** The filter for all but trades. */
const transfers: QueryFilter<TransactionRecord> = { type: { $nin: [...trades] } };

/** Storage of transactions. Emits no events: the service does. */
export type TransactionStore = ReturnType<typeof createTransactionStore>;

export function createTransactionStore(model: Model<TransactionRecord>) {
  return {
    /** Newest first. */
    // Index: userId, createdAt, _id, type, status.
    list: (
      userId: string,
      { limit = TRANSACTIONS_LIMIT_DEFAULT, before, ...filter }: TransactionQuery,
    ): Promise<TransactionRecord[]> =>
      model
        .find({ ...matching(userId, filter), ...(before === undefined ? {} : after(before)) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean<TransactionRecord[]>()
        .exec(),

    // Index: userId, createdAt, _id, type, status; no document is read.
    count: (userId: string, filter: TransactionFilter): Promise<number> =>
      model.countDocuments(matching(userId, filter)).exec(),

    // Index: userId, signature, type (unique).
    find: ({ userId, signature, type }: TransactionName): Promise<TransactionRecord | null> =>
      model.findOne({ userId, signature, type }).lean<TransactionRecord>().exec(),

    /** Returns the number of pending transfers. */
    // Index: cluster, userId, _id where pending.
    countPending: (cluster: ChainCluster, userId: Types.ObjectId): Promise<number> =>
      model.countDocuments({ cluster, userId, status: 'pending', ...transfers }).exec(),

    /** Returns pending transfers of a cluster, one batch at a time. The verdict on a trade comes with its order. */
    async *pending(cluster: ChainCluster, batch: number): AsyncIterable<TransactionRecord[]> {
      // Index: cluster, userId, _id where pending.
      const found = model
        .find({ cluster, status: 'pending', ...transfers })
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

    /** Inserts the record. Resolves with false when a transaction of the same name exists. */
    insert: (record: TransactionRecord): Promise<boolean> => unlessDuplicate(() => model.create(record)),

    /** Inserts missing records and returns those inserted. */
    insertMissing: (records: readonly TransactionRecord[]): Promise<TransactionRecord[]> =>
      insertMissing(model, records),

    /** Lowers the height after which a pending transaction fails. */
    async expireBy(id: Types.ObjectId, lastValidBlockHeight: number): Promise<void> {
      await model.updateOne({ _id: id, status: 'pending' }, { $min: { lastValidBlockHeight } });
    },

    /** Stores why a node refused a pending transaction; the first reason stays. */
    async refuse(id: Types.ObjectId, refusal: Refusal): Promise<void> {
      await model.updateOne({ _id: id, status: 'pending', refusal: null }, { $set: { refusal } });
    },

    /** Stores the outcome of a pending transaction and returns the record; null when it is no longer pending. */
    decide: (id: Types.ObjectId, verdict: Verdict, now: Date): Promise<TransactionRecord | null> =>
      model
        .findOneAndUpdate(
          { _id: id, status: 'pending' },
          { $set: { ...verdict, lastValidBlockHeight: null, updatedAt: now } },
          { returnDocument: 'after' },
        )
        .lean<TransactionRecord>()
        .exec(),

    /** Stores the state of a trade that is known; null when its row has this state or a later one already. */
    update: (trade: Trade, now: Date): Promise<TransactionRecord | null> => updateTrade(model, trade, now),
  };
}

async function updateTrade(
  model: Model<TransactionRecord>,
  trade: Trade,
  now: Date,
): Promise<TransactionRecord | null> {
  const { userId, signature, type, status, lamports, price, feeLamports, profitLamports = null, failure } = trade;
  if (status === 'pending') return null;
  const before: TransactionStatus[] = status === 'unknown' ? ['pending'] : ['pending', 'unknown'];
  // The profit of a sale is known a moment after its confirmation.
  const later = profitLamports === null ? [] : [{ status, profitLamports: null }];
  // Index: userId, signature, type (unique).
  return model
    .findOneAndUpdate(
      { userId, signature, type, $or: [{ status: { $in: before } }, ...later] },
      { $set: { status, lamports, price, feeLamports, profitLamports, failure, updatedAt: now } },
      { returnDocument: 'after' },
    )
    .lean<TransactionRecord>()
    .exec();
}

/** Inserts missing records and returns those inserted. */
async function insertMissing(
  model: Model<TransactionRecord>,
  records: readonly TransactionRecord[],
): Promise<TransactionRecord[]> {
  // The driver refuses an empty batch; an order that ends before its first attempt has no rows.
  if (records.length === 0) return [];
  try {
    await model.collection.insertMany([...records], { ordered: false });
    return [...records];
  } catch (error) {
    const known = duplicateIndexes(error);
    return records.filter((_, at) => !known.has(at));
  }
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
