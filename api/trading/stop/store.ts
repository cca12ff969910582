import { type Model, Types } from 'mongoose';
import type { StopRecord } from './model.ts';

/** Storage of the reports of stops. User ids are hexadecimal. */
export interface StopStore {
  insert(report: StopRecord): Promise<void>;
  find(id: Types.ObjectId): Promise<StopRecord | null>;
  /** Returns the last report of a user. */
  last(userId: string): Promise<StopRecord | null>;
  /** Returns the reports that have not ended. */
  open(): Promise<StopRecord[]>;
  /** Replaces a report, if it is still as it was read. Resolves with whether it was. */
  swap(before: StopRecord, after: StopRecord): Promise<boolean>;
}

export function createStopStore(model: Model<StopRecord>): StopStore {
  return {
    async insert(report) {
      await model.create(report);
    },
    find: (id) => model.findById(id).lean<StopRecord>().exec(),
    // Index: userId, _id.
    last: (userId) =>
      model
        .findOne({ userId: new Types.ObjectId(userId) })
        .sort({ _id: -1 })
        .lean<StopRecord>()
        .exec(),
    // Index: endedAt where null.
    open: () => model.find({ endedAt: null }).lean<StopRecord[]>().exec(),
    async swap({ _id, version }, after) {
      const { matchedCount } = await model.replaceOne({ _id, version }, { ...after, version: version + 1 });
      return matchedCount > 0;
    },
  };
}
