import { type Model, type QueryFilter, Types } from 'mongoose';
import {
  defaultBotTrading,
  defaultDefaults,
  defaultLimits,
  PAPER_START_LAMPORTS,
  type TradingMode,
} from '../../../common/trading/account.ts';
import { dayOf, type Settlement } from '../../../common/trading/limits/book.ts';
import { holdRefusal } from '../../../common/trading/limits/refusal.ts';
import { type Reason, reason } from '../../../common/trading/reasons.ts';
import { unlessDuplicate } from '../../platform/database.ts';
import type { BookRecord, StoppedRecord, TradingAccountRecord } from './model.ts';
import { ENDED_KEPT, type HoldRequest, holdFilter, holdUpdate, limitedAccountOf, settleUpdate } from './money-hold.ts';

/** Each lost try means that another change of the same account succeeded. */
const TRIES = 1_000;

/** The outcome of a hold: the account afterwards, unless it was held before; or why it is refused. */
export type HoldResult = { ok: true; account: TradingAccountRecord | null } | { ok: false; reason: Reason };

/** Storage of trading accounts. Every change is one atomic update of one document. User and order ids are hexadecimal. */
export interface AccountStore {
  /** Returns the account of a user, which is created when there is none. */
  get(userId: string, now: number): Promise<TradingAccountRecord>;
  /** Returns the users with an account. */
  userIds(): AsyncIterable<string>;
  /** Reserves the money of an order. Repeating it changes nothing, and an order whose hold has ended is refused. */
  hold(userId: string, request: HoldRequest, now: number): Promise<HoldResult>;
  /** Ends the hold of an order, with what it moved. Repeating it changes nothing and returns null. */
  settle(
    userId: string,
    order: Pick<HoldRequest, 'orderId' | 'mode'>,
    settlement: Settlement,
    now: number,
  ): Promise<TradingAccountRecord | null>;
  /** Sets fields by their dotted path. Resolves with the account afterwards. */
  set(userId: string, fields: Readonly<Record<string, unknown>>, now: number): Promise<TradingAccountRecord>;
  /** Blocks purchases, or allows them again (null). Returns the account, or null when it was in that state already. */
  stop(userId: string, stopped: StoppedRecord | null, now: number): Promise<TradingAccountRecord | null>;
  /** Pauses the exits of a user who has stopped, or has them go on. Returns the account, or null when that changes nothing. */
  pauseExits(userId: string, isPaused: boolean, now: number): Promise<TradingAccountRecord | null>;
  /** Returns the users whose exits are paused. */
  pausedUserIds(): AsyncIterable<string>;
  /** Sets the play money to its start. Returns null while a paper order is not over. The paper positions are closed after it. */
  resetPaper(userId: string, now: number): Promise<TradingAccountRecord | null>;
  /** Notes that the paper positions from before a reset are closed. */
  finishReset(userId: string): Promise<void>;
  /** Returns the users whose paper positions are still to be closed after a reset. */
  resettingUserIds(): AsyncIterable<string>;
  /** Removes a position that was closed without an order. */
  closePosition(
    userId: string,
    mode: TradingMode,
    positionId: string,
    now: number,
  ): Promise<TradingAccountRecord | null>;
}

const emptyBook = (day: string): BookRecord => ({
  day,
  usedLamports: 0,
  realisedLamports: 0,
  heldLamports: 0,
  reservedLamports: 0,
  holds: {},
  positions: [],
  tokens: {},
  lastBuyAt: 0,
  stopLossesAt: [],
});

function newAccount(now: number): Omit<TradingAccountRecord, '_id'> {
  const day = dayOf(now);
  return {
    mode: null,
    live: null,
    limits: defaultLimits,
    defaults: defaultDefaults,
    bot: defaultBotTrading,
    stopped: null,
    books: { paper: emptyBook(day), local: emptyBook(day), live: emptyBook(day) },
    paper: { lamports: PAPER_START_LAMPORTS, resetAt: new Date(now) },
    ended: [],
    version: 1,
    updatedAt: new Date(now),
  };
}

/** Reads and atomic changes of the documents, on which the store's operations are built. */
function createDocuments(model: Model<TradingAccountRecord>) {
  const idOf = (userId: string) => new Types.ObjectId(userId);
  const after = { returnDocument: 'after' } as const;

  async function get(userId: string, now: number): Promise<TradingAccountRecord> {
    const found = await model.findById(idOf(userId)).lean<TradingAccountRecord>().exec();
    if (found) return found;
    // Another first read at the same time may be faster.
    await unlessDuplicate(() => model.create({ _id: idOf(userId), ...newAccount(now) }));
    return model.findById(idOf(userId)).lean<TradingAccountRecord>().orFail().exec();
  }

  const change = (userId: string, filter: object, update: object) =>
    model
      .findOneAndUpdate({ _id: idOf(userId), ...filter }, update, after)
      .lean<TradingAccountRecord>()
      .exec();

  /** Begins a new day: only unchanged since it was read, so that two workers begin it once. */
  async function turnDay(userId: string, mode: TradingMode, from: string, now: number): Promise<void> {
    const book = `books.${mode}`;
    const start = { [`${book}.day`]: dayOf(now), [`${book}.realisedLamports`]: 0 };
    await model.updateOne(
      { _id: idOf(userId), [`${book}.day`]: from },
      [{ $set: { ...start, [`${book}.usedLamports`]: `$${book}.heldLamports` } }],
      { updatePipeline: true },
    );
  }

  async function turned(userId: string, mode: TradingMode, now: number): Promise<TradingAccountRecord> {
    const account = await get(userId, now);
    const { day } = account.books[mode];
    if (day >= dayOf(now)) return account;
    await turnDay(userId, mode, day, now);
    return get(userId, now);
  }

  /** Returns the users whose account matches a filter. */
  async function* idsOf(filter: QueryFilter<TradingAccountRecord>): AsyncIterable<string> {
    const found = model.find(filter, { _id: 1 }).lean<Pick<TradingAccountRecord, '_id'>[]>().cursor();
    for await (const { _id } of found) yield _id.toHexString();
  }

  return { get, change, turned, idsOf };
}

/** Stops of users, on which the store is built. */
function createStops({
  get,
  change,
  idsOf,
}: Pick<ReturnType<typeof createDocuments>, 'get' | 'change' | 'idsOf'>): Pick<
  AccountStore,
  'stop' | 'pauseExits' | 'pausedUserIds'
> {
  return {
    async stop(userId, stopped, now) {
      await get(userId, now);
      const filter = { stopped: stopped ? null : { $ne: null } };
      return change(userId, filter, { $set: { stopped, updatedAt: new Date(now) }, $inc: { version: 1 } });
    },

    pauseExits(userId, isPaused, now) {
      const filter = { stopped: { $ne: null }, 'stopped.pausesExits': isPaused ? { $ne: true } : true };
      const fields = { 'stopped.pausesExits': isPaused, updatedAt: new Date(now) };
      return change(userId, filter, { $set: fields, $inc: { version: 1 } });
    },

    // Index: stopped.pausesExits where true.
    pausedUserIds: () => idsOf({ 'stopped.pausesExits': true }),
  };
}

export function createAccountStore(model: Model<TradingAccountRecord>): AccountStore {
  const { get, change, turned, idsOf } = createDocuments(model);

  return {
    get,
    ...createStops({ get, change, idsOf }),

    userIds: () => idsOf({}),

    async hold(userId, request, now) {
      const { orderId, mode } = request;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const held = await change(userId, holdFilter(request, now), holdUpdate(request, now));
        if (held) return { ok: true, account: held };
        const account = await turned(userId, mode, now);
        if (orderId in account.books[mode].holds) return { ok: true, account: null };
        if (account.ended.includes(orderId)) return { ok: false, reason: reason('too-old') };
        // Orders without a verdict are counted when an order is made, and no hold waits for their count.
        const refusal =
          request.side === 'buy' ? holdRefusal(limitedAccountOf(account, request, 0), request, now) : null;
        if (refusal) return { ok: false, reason: refusal };
      }
      throw new Error('the account changes too fast for a hold');
    },

    async settle(userId, order, settlement, now) {
      const { orderId, mode } = order;
      const path = `books.${mode}.holds.${orderId}`;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const account = await turned(userId, mode, now);
        const hold = account.books[mode].holds[orderId] ?? null;
        if (hold === null && account.ended.includes(orderId)) return null;
        // An order that ended before its hold is remembered as well: a worker that was cut off may still want to hold it.
        const { position } = settlement;
        // The end of the purchase that opened a position may be repeated after the sale that closed it.
        const isClosed = position?.isOpen === true && account.ended.includes(position.id);
        const moved = isClosed ? { ...settlement, position: null } : settlement;
        const unended = [...(hold ? [] : [orderId]), ...(moved.position?.isOpen ? [moved.position.id] : [])];
        const filter = { [path]: { $exists: hold !== null }, ended: { $nin: unended } };
        const settled = await change(userId, filter, settleUpdate(order, hold, moved, now));
        if (settled) return settled;
      }
      throw new Error('the account changes too fast for a settlement');
    },

    async set(userId, fields, now) {
      await get(userId, now);
      const update = { $set: { ...fields, updatedAt: new Date(now) }, $inc: { version: 1 } };
      return (await change(userId, {}, update)) ?? (await get(userId, now));
    },

    async resetPaper(userId, now) {
      await get(userId, now);
      const at = new Date(now);
      const paper = { lamports: PAPER_START_LAMPORTS, resetAt: at, isClosing: true };
      const fields = { 'books.paper': emptyBook(dayOf(now)), paper };
      return change(userId, { 'books.paper.holds': {} }, { $set: { ...fields, updatedAt: at }, $inc: { version: 1 } });
    },

    async finishReset(userId) {
      await change(userId, {}, { $unset: { 'paper.isClosing': 1 } });
    },

    // Index: paper.isClosing where true.
    resettingUserIds: () => idsOf({ 'paper.isClosing': true }),

    closePosition(userId, mode, positionId, now) {
      const path = `books.${mode}.positions`;
      const update = {
        $pull: { [path]: positionId },
        $unset: { [`books.${mode}.tokens.${positionId}`]: 1 },
        $push: { ended: { $each: [positionId], $slice: -ENDED_KEPT } },
        $set: { updatedAt: new Date(now) },
        $inc: { version: 1 },
      };
      return change(userId, { [path]: positionId }, update);
    },
  };
}
