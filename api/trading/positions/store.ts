import { type Model, type QueryFilter, Types } from 'mongoose';
import type { TradingMode } from '../../../common/trading/account.ts';
import { TRADING_PAGE_DEFAULT } from '../../../common/trading/http.ts';
import { unlessDuplicate } from '../../platform/database.ts';
import type { Holding, PositionRecord } from './record.ts';

/** Filter and page of a query. */
export interface PositionQuery {
  state: 'open' | 'closed';
  address?: string | undefined;
  limit?: number | undefined;
  /** Id of the last position of the page before. */
  before?: string | undefined;
}

/** Storage of positions. User ids are hexadecimal. Emits nothing. */
export interface PositionStore {
  find(id: Types.ObjectId): Promise<PositionRecord | null>;
  /** Returns those of some positions that exist. */
  findAll(ids: readonly Types.ObjectId[]): Promise<PositionRecord[]>;
  /** Stores a new position. Resolves with false when it exists, or another one of the same origin is open. */
  insert(position: PositionRecord): Promise<boolean>;
  /** Replaces a position, if it is still as it was read. Resolves with the stored one, or null when it was not. */
  swap(before: PositionRecord, after: PositionRecord): Promise<PositionRecord | null>;
  /**
   * Replaces positions in one write, each if it is still as it was read. Resolves with the stored ones, or null when not all of them
   * were.
   */
  swapAll(changes: readonly { before: PositionRecord; after: PositionRecord }[]): Promise<PositionRecord[] | null>;
  /** Raises stored peaks, each unless it is higher already. Changes no version: a peak that another change replaces is written again. */
  raisePeaks(peaks: readonly { _id: Types.ObjectId; peak: number }[]): Promise<void>;
  /** Returns the open positions of a wallet in a token, oldest first. */
  ofHolding(holding: Holding): Promise<PositionRecord[]>;
  /** Returns the open positions of a user, at most; null: of all modes. Newest first. */
  openOf(userId: string, mode: TradingMode | null): Promise<PositionRecord[]>;
  /** Returns all open positions. */
  allOpen(): AsyncIterable<PositionRecord>;
  /** Returns the closed positions whose place in the account is still to be freed. */
  unreleased(): Promise<PositionRecord[]>;
  /** Open ones by their purchase, closed ones by their end, newest first; empty after an unknown `before`. */
  list(userId: string, query: PositionQuery): Promise<PositionRecord[]>;
  /** Returns what each rule and strategy of a user has opened in a mode; those without a position are missing. */
  resultsByPlan(userId: string, mode: TradingMode): Promise<PlanSums[]>;
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
function createManyPositions(model: Model<PositionRecord>): Pick<PositionStore, 'findAll' | 'swapAll' | 'raisePeaks'> {
  return {
    findAll: (ids) =>
      model
        .find({ _id: { $in: [...ids] } })
        .lean<PositionRecord[]>()
        .exec(),
    async swapAll(changes) {
      if (changes.length === 0) return [];
      const next = changes.map(({ before, after }) => ({ ...after, version: before.version + 1 }));
      const writes = next.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id, version: replacement.version - 1 }, replacement },
      }));
      const { matchedCount } = await model.bulkWrite(writes, { ordered: false });
      return matchedCount === changes.length ? next : null;
    },
    async raisePeaks(peaks) {
      for (let start = 0; start < peaks.length; start += PEAKS_AT_ONCE) {
        const updates = peaks.slice(start, start + PEAKS_AT_ONCE).map(({ _id, peak }) => ({
          updateOne: { filter: { _id, open: true }, update: { $max: { peakPrice: peak } } },
        }));
        await model.bulkWrite(updates, { ordered: false });
      }
    },
  };
}

export function createPositionStore(model: Model<PositionRecord>): PositionStore {
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
    find: (id) => model.findById(id).lean<PositionRecord>().exec(),
    insert: (position) => unlessDuplicate(() => model.create(position)),
    async swap({ _id, version }, after) {
      const next = { ...after, version: version + 1 };
      const { matchedCount } = await model.replaceOne({ _id, version }, next);
      return matchedCount > 0 ? next : null;
    },
    // Index: userId, mode, cluster, wallet, token.address, origin where open.
    ofHolding: ({ userId, mode, cluster, wallet, address }) =>
      model
        .find({ userId, mode, cluster, wallet, 'token.address': address, open: true })
        .sort({ _id: 1 })
        .lean<PositionRecord[]>()
        .exec(),
    // Index: userId, open, closedAt, _id.
    openOf: (userId, mode) =>
      model
        .find({ userId: idOf(userId), open: true, closedAt: null, ...(mode === null ? {} : { mode }) })
        .sort({ _id: -1 })
        .lean<PositionRecord[]>()
        .exec(),
    // Index: open where open.
    allOpen: () => model.find({ open: true }).lean<PositionRecord[]>().cursor(),
    // Index: holdsPlace where true.
    unreleased: () => model.find({ holdsPlace: true }).lean<PositionRecord[]>().exec(),
    async list(userId, { state, address, before, limit = TRADING_PAGE_DEFAULT }) {
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
    async resultsByPlan(userId, mode) {
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
