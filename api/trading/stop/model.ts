import { type Connection, type Model, Schema, Types } from 'mongoose';
import type { ChainCluster } from '../../../common/client-config/model.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { OrderToken } from '../../../common/trading/order.ts';
import type { Reason } from '../../../common/trading/reasons.ts';
import type { StoppedRecord } from '../accounts/model.ts';

/** A position that a stop sells, with what became of it. */
export interface StoppedPosition {
  /** Hexadecimal. */
  positionId: string;
  mode: TradingMode;
  /** Null on paper. */
  cluster: ChainCluster | null;
  wallet: string;
  token: OrderToken;
  /** Base units. */
  tokens: string;
  /** Hexadecimal; null until its order exists. */
  orderId: string | null;
  outcome: 'waiting' | 'sold' | 'failed' | 'unknown';
  lamports: number | null;
  failure: Reason | null;
  /** How often its sale was asked for again after it had ended; missing: never. */
  repeats?: number;
}

/** The report of a stop, in `tradingStops`. */
export interface StopRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  at: Date;
  by: StoppedRecord['by'];
  cancelled: number;
  /** Purchases that were out, hexadecimal ids. */
  out: string[];
  sells: boolean;
  /** Modes whose positions are sold. */
  modes: TradingMode[];
  positions: StoppedPosition[];
  /** Null while something is open. */
  endedAt: Date | null;
  version: number;
}

const { Mixed, ObjectId } = Schema.Types;
const required = true;

const stopSchema = new Schema<StopRecord>(
  {
    userId: { type: ObjectId, required },
    at: { type: Date, required },
    by: { type: String, required },
    cancelled: { type: Number, required },
    out: { type: [String], required },
    sells: { type: Boolean, required },
    modes: { type: [String], required },
    positions: [Mixed],
    endedAt: { type: Date, default: null },
    version: { type: Number, required },
  },
  { versionKey: false, minimize: false, collection: 'tradingStops' },
);
// The last one of a user.
stopSchema.index({ userId: 1, _id: -1 });
// Followed ones, which are few among all.
stopSchema.index({ endedAt: 1 }, { partialFilterExpression: { endedAt: null } });

export function stopModel(connection: Connection): Model<StopRecord> {
  return connection.model<StopRecord>('TradingStop', stopSchema);
}

export type StopStore = ReturnType<typeof createStopStore>;

/** Storage of the reports of stops. User ids are hexadecimal. */
export function createStopStore(model: Model<StopRecord>) {
  return {
    async insert(report: StopRecord): Promise<void> {
      await model.create(report);
    },
    find: (id: Types.ObjectId) => model.findById(id).lean<StopRecord>().exec(),
    /** Returns the last report of a user. Index: userId, _id. */
    last: (userId: string) =>
      model
        .findOne({ userId: new Types.ObjectId(userId) })
        .sort({ _id: -1 })
        .lean<StopRecord>()
        .exec(),
    /** Returns the reports that have not ended. Index: endedAt where null. */
    open: () => model.find({ endedAt: null }).lean<StopRecord[]>().exec(),
    /** Replaces a report, if it is still as it was read. Resolves with whether it was. */
    async swap({ _id, version }: StopRecord, after: StopRecord): Promise<boolean> {
      const { matchedCount } = await model.replaceOne({ _id, version }, { ...after, version: version + 1 });
      return matchedCount > 0;
    },
  };
}
