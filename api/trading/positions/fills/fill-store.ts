import { type Model, Types } from 'mongoose';
import type { TradingMode } from '../../../../common/trading/account.ts';
import type { DayProfit } from '../../../../common/trading/position.ts';
import { unlessDuplicate } from '../../../platform/database.ts';
import type { FillPart, Holding, PartResult, PositionFillRecord } from '../record.ts';

/** Storage of the effects of orders on positions. */
export interface FillStore {
  find(orderId: Types.ObjectId): Promise<PositionFillRecord | null>;
  /** Returns the fills of a holding that are not done, oldest first. */
  unfinished(holding: Holding): Promise<PositionFillRecord[]>;
  /** Stores a new fill. Resolves with false when there is one of the same order, which stays as it is. */
  insert(fill: PositionFillRecord): Promise<boolean>;
  /** Stores the result of a part; the first one counts. */
  setResult(orderId: Types.ObjectId, positionId: Types.ObjectId, result: PartResult): Promise<void>;
  /** Gives a part that has no result another position. */
  retarget(orderId: Types.ObjectId, part: Pick<FillPart, 'positionId'>, positionId: Types.ObjectId): Promise<void>;
  /** Stores that a fill is done, with the results of its parts in their order. */
  finish(orderId: Types.ObjectId, realisedLamports: number, results: readonly PartResult[]): Promise<void>;
  /** Returns realised profit and fees by day (UTC) since a time, newest first; days without a trade are left out. User ids are hexadecimal. */
  profitByDay(userId: string, mode: TradingMode, since: Date): Promise<DayProfit[]>;
}

export function createFillStore(model: Model<PositionFillRecord>): FillStore {
  return {
    find: (orderId) => model.findById(orderId).lean<PositionFillRecord>().exec(),
    // Index: userId, mode, wallet, address where not done.
    unfinished: ({ userId, mode, cluster, wallet, address }) =>
      model
        .find({ userId, mode, cluster, wallet, address, done: false })
        .sort({ at: 1, _id: 1 })
        .lean<PositionFillRecord[]>()
        .exec(),
    insert: (fill) => unlessDuplicate(() => model.create(fill)),
    async setResult(orderId, positionId, result) {
      const part = { $elemMatch: { positionId, result: null } };
      await model.updateOne({ _id: orderId, parts: part }, { $set: { 'parts.$.result': result } });
    },
    async retarget(orderId, { positionId: from }, positionId) {
      const part = { $elemMatch: { positionId: from, result: null } };
      await model.updateOne({ _id: orderId, parts: part }, { $set: { 'parts.$.positionId': positionId } });
    },
    async finish(orderId, realisedLamports, results) {
      const ofParts = Object.fromEntries(results.map((result, index) => [`parts.${index}.result`, result]));
      await model.updateOne({ _id: orderId, done: false }, { $set: { done: true, realisedLamports, ...ofParts } });
    },
    // Index: userId, mode, at.
    profitByDay: (userId, mode, since) =>
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
