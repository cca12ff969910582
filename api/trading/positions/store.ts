import { type Model, type QueryFilter, Types } from 'mongoose';
import type { TradingMode } from '../../../common/trading/account.ts';
import { TRADING_PAGE_DEFAULT } from '../../../common/trading/http.ts';
import type { DayProfit } from '../../../common/trading/position.ts';
import { unlessDuplicate } from '../../platform/database.ts';
import type { FillPart, Holding, PartResult, PositionFillRecord, PositionRecord } from './model.ts';

/** Filter and page of a query. */
export interface PositionQuery {
  state: 'open' | 'closed';
  address?: string | undefined;
  limit?: number | undefined;
  /** Id of the last position of the page before. */
  before?: string | undefined;
}

/** Positions of a rule or strategy. */
export interface PlanSums {
  planId: string;
  bought: number;
  open: number;
  realisedLamports: number;
}

/** Peaks of one write. */
const PEAKS_AT_ONCE = 1_000;

/** Reads and writes of many positions at once, a part of the store. */
function createManyPositions(model: Model<PositionRecord>) {
  return {
    /** Returns those of some positions that exist. */
    findAll: (ids: readonly Types.ObjectId[]) =>
      model
        .find({ _id: { $in: [...ids] } })
        .lean<PositionRecord[]>()
        .exec(),
    /**
     * Replaces positions in one write, each if it is still as it was read. Resolves with the stored ones, or null when not all of them
     * were.
     */
    async swapAll(
      changes: readonly { before: PositionRecord; after: PositionRecord }[],
    ): Promise<PositionRecord[] | null> {
      if (changes.length === 0) return [];
      const next = changes.map(({ before, after }) => ({ ...after, version: before.version + 1 }));
      const writes = next.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id, version: replacement.version - 1 }, replacement },
      }));
      const { matchedCount } = await model.bulkWrite(writes, { ordered: false });
      return matchedCount === changes.length ? next : null;
    },
    /** Raises stored peaks, each unless it is higher already. Changes no version: a peak that another change replaces is written again. */
    async raisePeaks(peaks: readonly { _id: Types.ObjectId; peak: number }[]): Promise<void> {
      for (let start = 0; start < peaks.length; start += PEAKS_AT_ONCE) {
        const updates = peaks.slice(start, start + PEAKS_AT_ONCE).map(({ _id, peak }) => ({
          updateOne: { filter: { _id, open: true }, update: { $max: { peakPrice: peak } } },
        }));
        await model.bulkWrite(updates, { ordered: false });
      }
    },
  };
}

export type PositionStore = ReturnType<typeof createPositionStore>;

/** Storage of positions. User ids are hexadecimal. Emits nothing. */
export function createPositionStore(model: Model<PositionRecord>) {
  const idOf = (id: string) => new Types.ObjectId(id);

  /** Returns the filter of the positions after one of a list; null for one that does not exist. */
  async function afterPosition(userId: string, id: string): Promise<QueryFilter<PositionRecord> | null> {
    const _id = idOf(id);
    const last = await model.findOne({ _id, userId: idOf(userId) }, { closedAt: 1 }).lean<{ closedAt: Date | null }>();
    if (last === null) return null;
    const { closedAt } = last;
    if (closedAt === null) return { _id: { $lt: _id } };
    return { closedAt: { $lte: closedAt }, $or: [{ closedAt: { $lt: closedAt } }, { _id: { $lt: _id } }] };
  }

  return {
    ...createManyPositions(model),
    find: (id: Types.ObjectId) => model.findById(id).lean<PositionRecord>().exec(),
    /** Stores a new position. Resolves with false when it exists, or another one of the same origin is open. */
    insert: (position: PositionRecord): Promise<boolean> => unlessDuplicate(() => model.create(position)),
    /** Replaces a position, if it is still as it was read. Resolves with the stored one, or null when it was not. */
    async swap({ _id, version }: PositionRecord, after: PositionRecord): Promise<PositionRecord | null> {
      const next = { ...after, version: version + 1 };
      const { matchedCount } = await model.replaceOne({ _id, version }, next);
      return matchedCount > 0 ? next : null;
    },
    /** Returns the open positions of a wallet in a token, oldest first. Index: userId, mode, cluster, wallet, token.address where open. */
    ofHolding: ({ userId, mode, cluster, wallet, address }: Holding) =>
      model
        .find({ userId, mode, cluster, wallet, 'token.address': address, open: true })
        .sort({ _id: 1 })
        .lean<PositionRecord[]>()
        .exec(),
    /** Returns the open positions of a user, newest first. `mode` null: of all modes. Index: userId, open, closedAt, _id. */
    openOf: (userId: string, mode: TradingMode | null) =>
      model
        .find({ userId: idOf(userId), open: true, closedAt: null, ...(mode === null ? {} : { mode }) })
        .sort({ _id: -1 })
        .lean<PositionRecord[]>()
        .exec(),
    /** Returns all open positions. Index: open where open. */
    allOpen: () => model.find({ open: true }).lean<PositionRecord[]>().cursor(),
    /** Returns the closed positions whose place in the account is still to be freed. Index: holdsPlace where true. */
    unreleased: () => model.find({ holdsPlace: true }).lean<PositionRecord[]>().exec(),
    /** Open ones by their purchase, closed ones by their end, newest first; empty after an unknown `before`. */
    async list(userId: string, query: PositionQuery): Promise<PositionRecord[]> {
      const { state, address, before, limit = TRADING_PAGE_DEFAULT } = query;
      const after = before === undefined ? {} : await afterPosition(userId, before);
      if (after === null) return [];
      const ofToken = address === undefined ? {} : { 'token.address': address };
      const ofState = state === 'open' ? { open: true, closedAt: null } : { open: false };
      // Index: userId, open, closedAt, _id; with an address: userId, token.address, open, closedAt, _id.
      return model
        .find({ userId: idOf(userId), ...ofToken, ...ofState, ...after })
        .sort({ closedAt: -1, _id: -1 })
        .limit(limit)
        .lean<PositionRecord[]>()
        .exec();
    },
    /** Returns what each rule and strategy of a user has opened in a mode; those without a position are missing. */
    async resultsByPlan(userId: string, mode: TradingMode): Promise<PlanSums[]> {
      // Index: userId, mode, origin, open, realisedLamports, which has every field that is read.
      const sums = await model.aggregate<Omit<PlanSums, 'planId'> & { _id: string }>([
        { $match: { userId: idOf(userId), mode, origin: { $gt: 'rule:', $lt: 'strategy;' } } },
        { $project: { _id: 0, origin: 1, open: 1, realisedLamports: 1 } },
        {
          $group: {
            _id: '$origin',
            bought: { $sum: 1 },
            open: { $sum: { $cond: ['$open', 1, 0] } },
            realisedLamports: { $sum: '$realisedLamports' },
          },
        },
      ]);
      return sums.map(({ _id, ...sum }) => ({ planId: _id.slice(_id.indexOf(':') + 1), ...sum }));
    },
  };
}

export type FillStore = ReturnType<typeof createFillStore>;

/** Storage of the effects of orders on positions. */
export function createFillStore(model: Model<PositionFillRecord>) {
  return {
    find: (orderId: Types.ObjectId) => model.findById(orderId).lean<PositionFillRecord>().exec(),
    /** Returns the fills of a holding that are not done, oldest first. Index: userId, mode, wallet, address where not done. */
    unfinished: ({ userId, mode, cluster, wallet, address }: Holding) =>
      model
        .find({ userId, mode, cluster, wallet, address, done: false })
        .sort({ at: 1, _id: 1 })
        .lean<PositionFillRecord[]>()
        .exec(),
    /** Stores a new fill. Resolves with false when there is one of the same order, which stays as it is. */
    insert: (fill: PositionFillRecord): Promise<boolean> => unlessDuplicate(() => model.create(fill)),
    /** Stores the result of a part; the first one counts. */
    async setResult(orderId: Types.ObjectId, positionId: Types.ObjectId, result: PartResult): Promise<void> {
      const part = { $elemMatch: { positionId, result: null } };
      await model.updateOne({ _id: orderId, parts: part }, { $set: { 'parts.$.result': result } });
    },
    /** Gives a part that has no result another position. */
    async retarget(
      orderId: Types.ObjectId,
      { positionId: from }: Pick<FillPart, 'positionId'>,
      positionId: Types.ObjectId,
    ): Promise<void> {
      const part = { $elemMatch: { positionId: from, result: null } };
      await model.updateOne({ _id: orderId, parts: part }, { $set: { 'parts.$.positionId': positionId } });
    },
    /** Stores that a fill is done, with the results of its parts in their order. */
    async finish(orderId: Types.ObjectId, realisedLamports: number, results: readonly PartResult[]): Promise<void> {
      const ofParts = Object.fromEntries(results.map((result, index) => [`parts.${index}.result`, result]));
      await model.updateOne({ _id: orderId, done: false }, { $set: { done: true, realisedLamports, ...ofParts } });
    },
    /** Returns realised profit and fees by day (UTC) since a time, newest first; days without a trade are left out. Index: userId, mode, at. */
    profitByDay: (userId: string, mode: TradingMode, since: Date) =>
      model
        .aggregate<DayProfit>([
          { $match: { userId: new Types.ObjectId(userId), mode, at: { $gte: since } } },
          { $set: { isSale: { $and: ['$hasFill', { $eq: ['$side', 'sell'] }] } } },
          {
            $group: {
              _id: { $dateToString: { format: '%Y-%m-%d', date: '$at' } },
              realisedLamports: { $sum: '$realisedLamports' },
              feesLamports: { $sum: '$feesLamports' },
              wins: { $sum: { $cond: [{ $and: ['$isSale', { $gt: ['$realisedLamports', 0] }] }, 1, 0] } },
              losses: { $sum: { $cond: [{ $and: ['$isSale', { $lte: ['$realisedLamports', 0] }] }, 1, 0] } },
            },
          },
          { $sort: { _id: -1 } },
          { $project: { _id: 0, day: '$_id', realisedLamports: 1, feesLamports: 1, wins: 1, losses: 1 } },
        ])
        .exec(),
  };
}
