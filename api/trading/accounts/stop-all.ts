import { type Model, Types } from 'mongoose';
import { createJoinedReads } from '../../platform/joined-reads.ts';
import type { AllStopRecord, StoppedRecord, TradingStateRecord } from './model.ts';

/** Stops that are kept: more than administrators make while no process stores alerts. */
const STOPS_KEPT = 20;

/** The stop of an administrator for all users, in one document. */
export interface StopAll {
  /** Returns the stop that is stored at the call or after it; null while trading goes on. */
  read(): Promise<StoppedRecord | null>;
  /** Stores the stop; an earlier one stays. Returns whether this call changed it. */
  stop(stopped: StoppedRecord): Promise<boolean>;
  /** Ends the stop. Returns whether there was one. */
  resume(): Promise<boolean>;
  /** Returns the last stops since a time (epoch ms), ended ones too, oldest first. */
  since(at: number): Promise<AllStopRecord[]>;
}

export function createStopAll(model: Model<TradingStateRecord>): StopAll {
  const joined = createJoinedReads<TradingStateRecord | null>();
  // Every order asks for it several times.
  const find = () => joined('all', () => model.findById('all').lean<TradingStateRecord>().exec());

  return {
    async read() {
      return (await find())?.stopped ?? null;
    },
    async since(at) {
      return (await find())?.stops.filter((stop) => stop.at.getTime() >= at) ?? [];
    },
    async stop(stopped) {
      await model.updateOne({ _id: 'all' }, { $setOnInsert: { stopped: null } }, { upsert: true });
      // In one write, so that no crash leaves a stop without its alerts.
      const stops = { $each: [{ id: new Types.ObjectId(), at: stopped.at }], $slice: -STOPS_KEPT };
      const { modifiedCount } = await model.updateOne(
        { _id: 'all', stopped: null },
        { $set: { stopped }, $push: { stops } },
      );
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
