import { type Model, type QueryFilter, Types } from 'mongoose';
import type { TradingMode } from '../../../common/trading/account.ts';
import { TRADING_PAGE_DEFAULT } from '../../../common/trading/http.ts';
import type { OrderStatus } from '../../../common/trading/machine.ts';
import type { Reason } from '../../../common/trading/reasons.ts';
import { unlessDuplicate } from '../../platform/database.ts';
import { createJoinedReads } from '../../platform/joined-reads.ts';
import type { OrderRecord } from './record.ts';

/** Filter and page of a query. */
export interface OrderQuery {
  address?: string | undefined;
  state?: 'open' | 'over' | undefined;
  limit?: number | undefined;
  /** Id of the last order of the page before. */
  before?: string | undefined;
}

/** Storage of orders. Ids are hexadecimal. Emits nothing: the service does. */
export interface OrderStore {
  /** Stores a new order. Resolves with false when the user has one with the same key. */
  insert(order: OrderRecord): Promise<boolean>;
  find(id: string): Promise<OrderRecord | null>;
  findByKey(userId: string, key: string): Promise<OrderRecord | null>;
  /** Replaces an order, if it is still as it was read (O1). Resolves with whether it was. */
  swap(before: Pick<OrderRecord, '_id' | 'version'>, after: OrderRecord): Promise<boolean>;
  /**
   * Cancels an order that has no attempt, and a purchase for good by a stop, also while it changes otherwise: an attempt that
   * is stored
   * after it fails (O6). Resolves with the order afterwards; null for one that was sent or is over. `now`: epoch ms.
   */
  endUnsent(id: string, failure: Reason, isStop: boolean, now: number): Promise<OrderRecord | null>;
  /** Forbids a purchase that was sent further attempts, in the same way. Resolves with the order afterwards; null for any other. */
  forbidAttempts(id: string): Promise<OrderRecord | null>;
  /** Newest first. */
  list(userId: string, query: OrderQuery): Promise<OrderRecord[]>;
  /** Returns the keys of a user's orders that begin with a prefix, at most `limit`. */
  keysFrom(userId: string, prefix: string, limit: number): Promise<string[]>;
  /** Returns the ids of all orders that are not over. */
  openIds(): Promise<string[]>;
  /** Returns the purchases of a user, or of all (null), for which something may still be signed. */
  stoppable(userId: string | null): Promise<OrderRecord[]>;
  /** Returns ids of purchases that were sent but not yet booked into a position. `userId` null: for all users. */
  outIds(userId: string | null): Promise<string[]>;
  /** Returns the sales of a position that may still land, or whose fill may be in no position yet. `tokens`: base units. */
  salesOf(userId: string, positionId: string): Promise<{ orderId: string; tokens: bigint }[]>;
  /** Returns whether a purchase of the same wallet and token may have landed before a sale that has, and is in no position yet. */
  awaitsPurchase(sale: OrderRecord): Promise<boolean>;
  /** Returns the number of a user's orders without a verdict in time; none on paper, where no chain has to give it. */
  countUnknown(userId: string, mode: TradingMode): Promise<number>;
}

/** Statuses of a sale that takes tokens, or has taken them. */
const selling: OrderStatus[] = ['created', 'held', 'sent', 'unknown', 'confirmed'];

/** Reads of orders that are not over, a part of the store. */
function createOpenOrders(
  model: Model<OrderRecord>,
): Pick<OrderStore, 'openIds' | 'stoppable' | 'outIds' | 'salesOf' | 'awaitsPurchase' | 'countUnknown'> {
  const idOf = (id: string) => new Types.ObjectId(id);
  const counts = createJoinedReads<number>();
  const ofUser = (userId: string | null) => (userId === null ? {} : { userId: idOf(userId) });

  return {
    async openIds() {
      // Index: open, nextAt where open.
      const found = await model.find({ open: true }, { _id: 1 }).lean<Pick<OrderRecord, '_id'>[]>().exec();
      return found.map(({ _id }) => _id.toHexString());
    },
    // Index: userId, side, status where open; of all users: open, nextAt.
    stoppable: (userId) =>
      model
        .find({
          ...ofUser(userId),
          open: true,
          side: 'buy',
          status: { $in: ['created', 'held', 'sent', 'unknown'] },
          noMore: false,
        })
        .lean<OrderRecord[]>()
        .exec(),
    async outIds(userId) {
      const out = {
        ...ofUser(userId),
        open: true,
        side: 'buy',
        status: { $in: ['sent', 'unknown', 'confirmed'] },
      } as const;
      const found = await model.find(out, { _id: 1 }).lean<Pick<OrderRecord, '_id'>[]>().exec();
      return found.map(({ _id }) => _id.toHexString());
    },
    async salesOf(userId, positionId) {
      // Index: userId, side, status where open.
      const filter: QueryFilter<OrderRecord> = {
        userId: idOf(userId),
        open: true,
        side: 'sell',
        status: { $in: selling },
      };
      const found = await model
        .find({ ...filter, positionId: idOf(positionId) }, { tokens: 1, fill: 1 })
        .lean<Pick<OrderRecord, '_id' | 'tokens' | 'fill'>[]>();
      return found.map(({ _id, tokens, fill }) => ({
        orderId: _id.toHexString(),
        tokens: BigInt(fill?.tokens ?? tokens ?? 0),
      }));
    },
    async awaitsPurchase({ userId, mode, cluster, wallet, token, times }) {
      // Index: userId, side, status where open. One that is overdue is not waited for.
      const purchase = { userId, open: true, side: 'buy', status: { $in: ['sent', 'confirmed'] } } as const;
      const ofHolding = { mode, cluster, wallet, 'token.address': token.address };
      return (await model.exists({ ...purchase, ...ofHolding, 'times.sent': { $lte: times.decided } })) !== null;
    },
    // Index: userId, side, status where open.
    async countUnknown(userId, mode) {
      if (mode === 'paper') return 0;
      return counts(`${userId} ${mode}`, () =>
        model.countDocuments({ userId: idOf(userId), open: true, status: 'unknown', mode }).exec(),
      );
    },
  };
}

export function createOrderStore(model: Model<OrderRecord>): OrderStore {
  // Records are whole and have their types already: to cast and validate them again takes longer than to send them.
  const stored = model.db.collection<OrderRecord>(model.collection.collectionName);
  const whole = { ignoreUndefined: true };
  const idOf = (id: string) => new Types.ObjectId(id);

  return {
    ...createOpenOrders(model),
    insert: (order) => unlessDuplicate(() => stored.insertOne(order, whole)),
    find: (id) => model.findById(id).lean<OrderRecord>().exec(),
    // Index: userId, key (unique).
    findByKey: (userId, key) =>
      model
        .findOne({ userId: idOf(userId), key })
        .lean<OrderRecord>()
        .exec(),
    async swap({ _id, version }, after) {
      const { matchedCount } = await stored.replaceOne({ _id, version }, after, whole);
      return matchedCount > 0;
    },
    endUnsent: (id, failure, isStop, now) =>
      model
        .findOneAndUpdate(
          { _id: idOf(id), open: true, status: { $in: ['created', 'held'] } },
          {
            $set: { status: 'cancelled', failure, 'times.decided': now, ...(isStop ? { noMore: true } : {}) },
            $inc: { version: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean<OrderRecord>()
        .exec(),
    forbidAttempts: (id) =>
      model
        .findOneAndUpdate(
          { _id: idOf(id), open: true, side: 'buy', status: { $in: ['sent', 'unknown'] }, noMore: false },
          { $set: { noMore: true }, $inc: { version: 1 } },
          { returnDocument: 'after' },
        )
        .lean<OrderRecord>()
        .exec(),
    // Index: userId, _id; with an address: userId, token.address, _id.
    list: (userId, { limit = TRADING_PAGE_DEFAULT, ...query }) =>
      model
        .find({ userId: idOf(userId), ...matching(query) })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<OrderRecord[]>()
        .exec(),
    async keysFrom(userId, prefix, limit) {
      // Index: userId, key; reads no document.
      const found = await model
        .find({ userId: idOf(userId), key: { $gte: prefix, $lt: `${prefix}\uffff` } }, { _id: 0, key: 1 })
        .limit(limit)
        .lean<Pick<OrderRecord, 'key'>[]>();
      return found.map(({ key }) => key);
    },
  };
}

function matching({ address, state, before }: Omit<OrderQuery, 'limit'>): QueryFilter<OrderRecord> {
  return {
    ...(address === undefined ? {} : { 'token.address': address }),
    ...(state === undefined ? {} : { open: state === 'open' }),
    ...(before === undefined ? {} : { _id: { $lt: new Types.ObjectId(before) } }),
  };
}
