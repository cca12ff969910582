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
import { createJoinedReads } from '../../platform/joined-reads.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import type { AllStopRecord, BookRecord, StoppedRecord, TradingAccountRecord, TradingStateRecord } from './model.ts';
import { ENDED_KEPT, type HoldRequest, heldBook, limitedAccountOf, settledBook } from './money-hold.ts';

/** Most tries of a change whose account was changed by another writer meanwhile. */
const TRIES = 4;

/** The change of an account lost to other writers each time: its order stays as it is until the worker's next round. */
export type Lost = 'lost';

/** The outcome of a hold: the account afterwards, unless it was held before; or why it is refused. */
export type HoldResult = { ok: true; account: TradingAccountRecord | null } | { ok: false; reason: Reason };

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

/** New values of an account, by their path in the document. */
type AccountChange = Readonly<Record<string, unknown>>;

/** Reads and atomic changes of the documents, on which the store's operations are built. */
function createDocuments(model: Model<TradingAccountRecord>) {
  const exclusive = createKeyedMutex();
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

  /**
   * Stores the account that `changed` computes from the one that was read; null: it stays. Resolves with the account afterwards, or
   * null when it stayed. One change of a user at a time, so that the orders of this process take no turn from one another.
   */
  function computed(
    userId: string,
    now: number,
    changed: (account: TradingAccountRecord) => AccountChange | null,
  ): Promise<TradingAccountRecord | Lost | null> {
    return exclusive(userId, async () => {
      for (let tries = 0; tries < TRIES; tries += 1) {
        const account = await get(userId, now);
        const fields = changed(account);
        if (fields === null) return null;
        const { version } = account;
        const update = { $set: { ...fields, updatedAt: new Date(now) }, $inc: { version: 1 } };
        const stored = await change(userId, { version }, update);
        if (stored) return stored;
      }
      return 'lost';
    });
  }

  /** Returns the users whose account matches a filter. */
  async function* idsOf(filter: QueryFilter<TradingAccountRecord>): AsyncIterable<string> {
    const found = model.find(filter, { _id: 1 }).lean<Pick<TradingAccountRecord, '_id'>[]>().cursor();
    for await (const { _id } of found) yield _id.toHexString();
  }

  return { get, change, computed, idsOf };
}

/** Stops of users, on which the store is built. */
function createStops({ get, change, idsOf }: Pick<ReturnType<typeof createDocuments>, 'get' | 'change' | 'idsOf'>) {
  return {
    /** Blocks purchases, or allows them again (null). Returns the account, or null when it was in that state already. */
    async stop(userId: string, stopped: StoppedRecord | null, now: number): Promise<TradingAccountRecord | null> {
      await get(userId, now);
      const filter = { stopped: stopped ? null : { $ne: null } };
      return change(userId, filter, { $set: { stopped, updatedAt: new Date(now) }, $inc: { version: 1 } });
    },

    /** Pauses the exits of a user who has stopped, or has them go on. Returns the account, or null when that changes nothing. */
    pauseExits(userId: string, isPaused: boolean, now: number): Promise<TradingAccountRecord | null> {
      const filter = { stopped: { $ne: null }, 'stopped.pausesExits': isPaused ? { $ne: true } : true };
      const fields = { 'stopped.pausesExits': isPaused, updatedAt: new Date(now) };
      return change(userId, filter, { $set: fields, $inc: { version: 1 } });
    },

    /** Returns the users whose exits are paused. Index: stopped.pausesExits where true. */
    pausedUserIds: () => idsOf({ 'stopped.pausesExits': true }),
  };
}

/** Money that orders hold and move, on which the store is built. */
function createHolds({ computed }: Pick<ReturnType<typeof createDocuments>, 'computed'>) {
  return {
    /** Reserves the money of an order. Repeating it changes nothing, and an order whose hold has ended is refused. */
    async hold(userId: string, request: HoldRequest, now: number): Promise<HoldResult | Lost> {
      const { orderId, mode, side } = request;
      let refusal: Reason | null = null;
      const held = await computed(userId, now, (account) => {
        refusal = null;
        const book = account.books[mode];
        if (orderId in book.holds) return null;
        // Orders without a verdict are counted when an order is made, and no hold waits for their count.
        if (account.ended.includes(orderId)) refusal = reason('too-old');
        else if (side === 'buy') refusal = holdRefusal(limitedAccountOf(account, request, 0), request, now);
        return refusal === null ? { [`books.${mode}`]: heldBook(book, request, now) } : null;
      });
      if (held === 'lost') return held;
      return refusal === null ? { ok: true, account: held } : { ok: false, reason: refusal };
    },

    /** Ends the hold of an order, with what it moved. Repeating it changes nothing and returns null. */
    settle: (
      userId: string,
      { orderId, mode }: Pick<HoldRequest, 'orderId' | 'mode'>,
      settlement: Settlement,
      now: number,
    ) =>
      computed(userId, now, ({ books, ended, paper }) => {
        const book = books[mode];
        // An order that ended before its hold is remembered as well: a worker that was cut off may still want to hold it.
        if (!(orderId in book.holds) && ended.includes(orderId)) return null;
        const { position } = settlement;
        // The end of the purchase that opened a position may be repeated after the sale that closed it.
        const isClosed = position?.isOpen === true && ended.includes(position.id);
        const moved = isClosed ? { ...settlement, position: null } : settlement;
        const over = moved.position?.isOpen === false ? [orderId, moved.position.id] : [orderId];
        return {
          [`books.${mode}`]: settledBook(book, orderId, moved, now),
          ended: [...ended, ...over].slice(-ENDED_KEPT),
          ...(mode === 'paper' ? { 'paper.lamports': paper.lamports + settlement.walletLamports } : {}),
        };
      }),
  };
}

export type AccountStore = ReturnType<typeof createAccountStore>;

/**
 * Storage of trading accounts. Every change is one atomic update of one document and raises its version. Holds and settlements are
 * computed from the account as it was read, and stored only if it still has that version (O1). User and order ids are hexadecimal.
 */
export function createAccountStore(model: Model<TradingAccountRecord>) {
  const { get, change, computed, idsOf } = createDocuments(model);

  return {
    /** Returns the account of a user, which is created when there is none. */
    get,
    ...createStops({ get, change, idsOf }),
    ...createHolds({ computed }),

    /** Returns the users with an account. */
    userIds: () => idsOf({}),

    /** Sets fields by their dotted path. Resolves with the account afterwards. */
    async set(userId: string, fields: AccountChange, now: number): Promise<TradingAccountRecord> {
      await get(userId, now);
      const update = { $set: { ...fields, updatedAt: new Date(now) }, $inc: { version: 1 } };
      return (await change(userId, {}, update)) ?? (await get(userId, now));
    },

    /** Sets the play money to its start. Returns null while a paper order is not over. The paper positions are closed after it. */
    async resetPaper(userId: string, now: number): Promise<TradingAccountRecord | null> {
      await get(userId, now);
      const at = new Date(now);
      const paper = { lamports: PAPER_START_LAMPORTS, resetAt: at, isClosing: true };
      const fields = { 'books.paper': emptyBook(dayOf(now)), paper };
      return change(userId, { 'books.paper.holds': {} }, { $set: { ...fields, updatedAt: at }, $inc: { version: 1 } });
    },

    /** Notes that the paper positions from before a reset are closed. */
    async finishReset(userId: string, now: number): Promise<void> {
      const update = { $unset: { 'paper.isClosing': 1 }, $set: { updatedAt: new Date(now) }, $inc: { version: 1 } };
      await change(userId, {}, update);
    },

    /** Returns the users whose paper positions are still to be closed after a reset. Index: paper.isClosing where true. */
    resettingUserIds: () => idsOf({ 'paper.isClosing': true }),

    /** Removes a position that was closed without an order. */
    closePosition(
      userId: string,
      mode: TradingMode,
      positionId: string,
      now: number,
    ): Promise<TradingAccountRecord | null> {
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

/** Stops that are kept: more than administrators make while no process stores alerts. */
const STOPS_KEPT = 20;

export type StopAll = ReturnType<typeof createStopAll>;

/** The stop of an administrator for all users, in one document. */
export function createStopAll(model: Model<TradingStateRecord>) {
  const joined = createJoinedReads<TradingStateRecord | null>();
  // Every order asks for it several times.
  const find = () => joined('all', () => model.findById('all').lean<TradingStateRecord>().exec());

  return {
    /** Returns the stop that is stored at the call or after it; null while trading goes on. */
    async read(): Promise<StoppedRecord | null> {
      return (await find())?.stopped ?? null;
    },
    /** Returns the last stops since a time (epoch ms), ended ones too, oldest first. */
    async since(at: number): Promise<AllStopRecord[]> {
      return (await find())?.stops.filter((stop) => stop.at.getTime() >= at) ?? [];
    },
    /** Stores the stop; an earlier one stays. Returns whether this call changed it. */
    async stop(stopped: StoppedRecord): Promise<boolean> {
      await model.updateOne({ _id: 'all' }, { $setOnInsert: { stopped: null } }, { upsert: true });
      // In one write, so that no crash leaves a stop without its alerts.
      const stops = { $each: [{ id: new Types.ObjectId(), at: stopped.at }], $slice: -STOPS_KEPT };
      const { modifiedCount } = await model.updateOne(
        { _id: 'all', stopped: null },
        { $set: { stopped }, $push: { stops } },
      );
      return modifiedCount > 0;
    },
    /** Ends the stop. Returns whether there was one. */
    async resume(): Promise<boolean> {
      const { modifiedCount } = await model.updateOne(
        { _id: 'all', stopped: { $ne: null } },
        { $set: { stopped: null } },
      );
      return modifiedCount > 0;
    },
  };
}
