import { type Model, type QueryFilter, Types } from 'mongoose';
import { PublicError } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import { TRADING_PAGE_DEFAULT } from '../../../common/trading/http.ts';
import type { OrderStatus } from '../../../common/trading/machine.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import type { EventSink } from '../../events/bus.ts';
import type { Market } from '../../market/market.ts';
import { unlessDuplicate } from '../../platform/database.ts';
import { createJoinedReads } from '../../platform/joined-reads.ts';
import { idAt } from '../../platform/object-ids.ts';
import { afterChanges, type OrderChange } from './changes.ts';
import type { OpenTrade, OrderRecord } from './model.ts';
import { presentOrder } from './present.ts';

export type Orders = ReturnType<typeof createOrders>;

/**
 * The only writer of `orders`. Every change is a compare-and-set on the version (O1) and emits the order. A cancel and a stop are one
 * update on the order's status instead, and raise the version: they win over any version that was read before.
 */
export function createOrders(deps: {
  store: OrderStore;
  pins: ReturnType<typeof createOrderPins>;
  bus: EventSink;
  clock: Clock;
}) {
  const { store, pins, bus, clock } = deps;

  function emitted(order: OrderRecord): OrderRecord {
    pins.set(order);
    bus.emit('order-changed', { userId: order.userId.toHexString(), key: order.key, order: presentOrder(order) });
    return order;
  }

  async function swap(before: OrderRecord, after: OrderRecord | null): Promise<OrderRecord | null> {
    return after !== null && (await store.swap(before, after)) ? emitted(after) : null;
  }

  return {
    find: store.find,
    /** Stores a new order; one with the same key is returned as it is. */
    async add(order: OrderRecord): Promise<{ order: OrderRecord; isNew: boolean }> {
      if (await store.insert(order)) return { order: emitted(order), isNew: true };
      const known = await store.findByKey(order.userId.toHexString(), order.key);
      if (!known) throw new Error('an order with this key was found and is gone');
      return { order: known, isNew: false };
    },
    /** Applies changes. Returns the order afterwards; null when it is no longer as it was read, or a change is impossible. */
    change: (order: OrderRecord, changes: readonly OrderChange[]) =>
      swap(order, afterChanges(order, changes, clock.now())),
    /** Closes an order, with the position that its fill is in and its profit, in the same way. */
    close: (order: OrderRecord, result: Pick<OrderRecord, 'positionId' | 'profitLamports'>) =>
      swap(order, { ...order, ...result, open: false, nextAt: null, version: order.version + 1 }),
    /** Cancels an order. Throws `already-sent` after its first attempt; one that ended before it is returned as it is. */
    async cancel({ _id }: OrderRecord): Promise<OrderRecord> {
      const id = _id.toHexString();
      const cancelled = await store.endUnsent(id, reason('cancelled'), false, clock.now());
      if (cancelled) return emitted(cancelled);
      const present = await store.find(id);
      if (present === null) throw new PublicError('not-found');
      if (present.attempts.length > 0) throw new PublicError('already-sent');
      return present;
    },
    /**
     * Forbids further signing for a purchase: cancels it, or lets it end with its present attempt. Resolves with the purchase afterwards,
     * null for one that is over.
     */
    async stop(id: string, failure: Reason): Promise<OrderRecord | null> {
      // Nothing returns from `sent` to `held`: of the two updates the first or the second one applies to a purchase that is open.
      const stopped = (await store.endUnsent(id, failure, true, clock.now())) ?? (await store.forbidAttempts(id));
      return stopped && emitted(stopped);
    },
  };
}

/** Keeps the tokens of open orders followed by the market: a paper order is computed at a price that has passed. */
export function createOrderPins(market: Pick<Market, 'pin' | 'unpin'>) {
  const open = new Set<string>();
  return {
    /** Takes an order as it is stored. */
    set({ _id, open: isOpen, token: { address } }: Pick<OrderRecord, '_id' | 'open' | 'token'>): void {
      const id = _id.toHexString();
      if (isOpen === open.has(id)) return;
      if (isOpen) {
        open.add(id);
        market.pin(address);
      } else {
        open.delete(id);
        market.unpin(address);
      }
    },
  };
}

/** Filter and page of a query. */
export interface OrderQuery {
  address?: string | undefined;
  state?: 'open' | 'over' | undefined;
  limit?: number | undefined;
  /** Id of the last order of the page before. */
  before?: string | undefined;
}

export type OrderStore = ReturnType<typeof createOrderStore>;

/** Storage of orders. Ids are hexadecimal. Emits nothing. */
export function createOrderStore(model: Model<OrderRecord>) {
  // Records are whole and have their types already: to cast and validate them again takes longer than to send them.
  const stored = model.db.collection<OrderRecord>(model.collection.collectionName);
  const whole = { ignoreUndefined: true };

  return {
    ...createOpenOrders(model),
    ...createOrderHistory(model),
    /** Stores a new order. Resolves with false when the user has one with the same key. */
    insert: (order: OrderRecord): Promise<boolean> => unlessDuplicate(() => stored.insertOne(order, whole)),
    find: (id: string) => model.findById(id).lean<OrderRecord>().exec(),
    // Index: userId, key (unique).
    findByKey: (userId: string, key: string) =>
      model
        .findOne({ userId: idOf(userId), key })
        .lean<OrderRecord>()
        .exec(),
    /** Replaces an order, if it is still as it was read (O1). Resolves with whether it was. */
    async swap({ _id, version }: Pick<OrderRecord, '_id' | 'version'>, after: OrderRecord): Promise<boolean> {
      const { matchedCount } = await stored.replaceOne({ _id, version }, after, whole);
      return matchedCount > 0;
    },
    /**
     * Cancels an order that has no attempt, and a purchase for good by a stop, also while it changes otherwise: an attempt that is
     * stored after it fails (O6). Resolves with the order afterwards; null for one that was sent or is over. `now`: epoch ms.
     */
    endUnsent: (id: string, failure: Reason, isStop: boolean, now: number) =>
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
    /** Forbids a purchase that was sent further attempts, in the same way. Resolves with the order afterwards; null for any other. */
    forbidAttempts: (id: string) =>
      model
        .findOneAndUpdate(
          { _id: idOf(id), open: true, side: 'buy', status: { $in: ['sent', 'unknown'] }, noMore: false },
          { $set: { noMore: true }, $inc: { version: 1 } },
          { returnDocument: 'after' },
        )
        .lean<OrderRecord>()
        .exec(),
  };
}

const idOf = (id: string) => new Types.ObjectId(id);

/** Statuses of a sale that takes tokens, or has taken them. */
const selling: OrderStatus[] = ['created', 'held', 'sent', 'unknown', 'confirmed'];

/** Reads of orders that are not over, a part of the store. */
function createOpenOrders(model: Model<OrderRecord>) {
  const counts = createJoinedReads<number>();
  const ofUser = (userId: string | null) => (userId === null ? {} : { userId: idOf(userId) });

  /** Returns the ids of open orders. Index: open, nextAt where open. */
  async function openIds(filter: QueryFilter<OrderRecord> = {}): Promise<string[]> {
    const found = await model
      .find({ ...filter, open: true }, { _id: 1 })
      .lean<Pick<OrderRecord, '_id'>[]>()
      .exec();
    return found.map(({ _id }) => _id.toHexString());
  }

  // Index of those of a user: userId, side, status where open.
  return {
    /** Returns the ids of all orders that are not over. */
    openIds: () => openIds(),
    /** Returns the purchases of a user, or of all (null), for which something may still be signed. */
    stoppable: (userId: string | null) =>
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
    /** Returns ids of purchases that were sent but not yet booked into a position. `userId` null: for all users. */
    outIds: (userId: string | null) =>
      openIds({ ...ofUser(userId), side: 'buy', status: { $in: ['sent', 'unknown', 'confirmed'] } }),
    /** Returns the orders of a wallet that are not closed: their fills may be in no position yet. `address`: null for all tokens. */
    openOf: (userId: string, of: { mode: TradingMode; wallet: string; address: string | null }) => {
      const { mode, wallet, address } = of;
      const filter = { userId: idOf(userId), open: true, mode, wallet, ...(address && { 'token.address': address }) };
      return model.find(filter, { side: 1, cause: 1, fill: 1, attempts: 1 }).lean<OpenTrade[]>().exec();
    },
    /** Returns the sales of a position that may still land, or whose fill may be in no position yet. `tokens`: base units. */
    async salesOf(userId: string, positionId: string): Promise<{ orderId: string; tokens: bigint }[]> {
      const sale = { userId: idOf(userId), open: true, side: 'sell', status: { $in: selling } } as const;
      const found = await model
        .find({ ...sale, positionId: idOf(positionId) }, { tokens: 1, fill: 1 })
        .lean<Pick<OrderRecord, '_id' | 'tokens' | 'fill'>[]>();
      return found.map(({ _id, tokens, fill }) => ({
        orderId: _id.toHexString(),
        tokens: BigInt(fill?.tokens ?? tokens ?? 0),
      }));
    },
    /** Returns whether a purchase of the same wallet and token may have landed before a sale that has, and is in no position yet. */
    async awaitsPurchase({ userId, mode, cluster, wallet, token, times }: OrderRecord): Promise<boolean> {
      // One that is overdue is not waited for.
      const purchase = { userId, open: true, side: 'buy', status: { $in: ['sent', 'confirmed'] } } as const;
      const ofHolding = { mode, cluster, wallet, 'token.address': token.address };
      return (await model.exists({ ...purchase, ...ofHolding, 'times.sent': { $lte: times.decided } })) !== null;
    },
    /** Returns the number of a user's orders without a verdict in time; none on paper, where no chain has to give it. */
    async countUnknown(userId: string, mode: TradingMode): Promise<number> {
      if (mode === 'paper') return 0;
      return counts(`${userId} ${mode}`, () =>
        model.countDocuments({ userId: idOf(userId), open: true, status: 'unknown', mode }).exec(),
      );
    },
  };
}

/** Most orders whose times count. */
const TIMES_MAX = 200;

/** Reads of all orders, a part of the store. */
function createOrderHistory(model: Model<OrderRecord>) {
  return {
    /** Returns a page of a user's orders, newest first. Index: userId, _id; with an address: userId, token.address, _id. */
    list: (userId: string, { limit = TRADING_PAGE_DEFAULT, address, state, before }: OrderQuery) =>
      model
        .find({
          userId: idOf(userId),
          ...(address === undefined ? {} : { 'token.address': address }),
          ...(state === undefined ? {} : { open: state === 'open' }),
          ...(before === undefined ? {} : { _id: { $lt: idOf(before) } }),
        })
        .sort({ _id: -1 })
        .limit(limit)
        .lean<OrderRecord[]>()
        .exec(),
    /** Returns the keys of a user's orders that begin with a prefix, at most `limit`. Index: userId, key; reads no document. */
    async keysFrom(userId: string, prefix: string, limit: number): Promise<string[]> {
      const found = await model
        .find({ userId: idOf(userId), key: { $gte: prefix, $lt: `${prefix}\uffff` } }, { _id: 0, key: 1 })
        .limit(limit)
        .lean<Pick<OrderRecord, 'key'>[]>();
      return found.map(({ key }) => key);
    },
    /** Returns whether a wallet of the user has bought anything since a time (epoch ms). */
    async hasBought(userId: string, of: { mode: TradingMode; wallet: string; since: number }): Promise<boolean> {
      // Index: userId, _id; a purchase is near the end.
      const { mode, wallet, since } = of;
      const bought = { userId: idOf(userId), _id: { $gte: idAt(since) }, mode, wallet } as const;
      return (await model.exists({ ...bought, side: 'buy', status: 'confirmed' }).sort({ _id: -1 })) !== null;
    },
    /** Returns the times of the last orders on a chain from decision to verdict, ms; at most 200. */
    async realTimes(): Promise<number[]> {
      // Index: times.decided where a cluster is set.
      const filter: QueryFilter<OrderRecord> = { cluster: { $type: 'string' }, status: 'confirmed' };
      const found = await model
        .find({ ...filter, 'times.decided': { $gt: 0 } }, { times: 1 })
        .sort({ 'times.decided': -1 })
        .limit(TIMES_MAX)
        .lean<Pick<OrderRecord, 'times'>[]>();
      return found.flatMap(({ times: { created, decided } }) => (decided === null ? [] : [decided - created]));
    },
  };
}
