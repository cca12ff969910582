import type { Model } from 'mongoose';
import type { StoppedRecord, TradingStateRecord } from './model.ts';

/** The stop of an administrator for all users, in one document. */
export interface StopAll {
  /** Returns the stop, from the database at each call; null while trading goes on. */
  read(): Promise<StoppedRecord | null>;
  /** Stores the stop; an earlier one stays. Returns whether this call changed it. */
  stop(stopped: StoppedRecord): Promise<boolean>;
  /** Ends the stop. Returns whether there was one. */
  resume(): Promise<boolean>;
}

export function createStopAll(model: Model<TradingStateRecord>): StopAll {
  return {
    async read() {
      const state = await model.findById('all').lean<TradingStateRecord>().exec();
      return state?.stopped ?? null;
    },
    async stop(stopped) {
      await model.updateOne({ _id: 'all' }, { $setOnInsert: { stopped: null } }, { upsert: true });
      const { modifiedCount } = await model.updateOne({ _id: 'all', stopped: null }, { $set: { stopped } });
      return modifiedCount > 0;
    },
    async resume() {
      const { modifiedCount } = await model.updateOne(
        { _id: 'all', stopped: { $ne: null } },
        { $set: { stopped: null } },
      );
      return modifiedCount > 0;
    },
  };
}
