import { type Connection, Schema } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, DAY, iso } from '../../common/time.ts';

/** Starts that are kept. */
const STARTS_MAX = 100;

/** The newest starts of the server on this database, oldest first. Needs no index: read and written by `_id` only. */
interface StartsRecord {
  _id: 'starts';
  at: Date[];
}

const startsSchema = new Schema<StartsRecord>(
  { _id: { type: String, required: true }, at: [Date] },
  { versionKey: false, collection: 'serverStarts' },
);

/** Records the start of the server beside earlier ones. */
export function createServerStarts({ connection, clock, log }: { connection: Connection; clock: Clock; log: Logger }) {
  const model = connection.model<StartsRecord>('ServerStarts', startsSchema);
  let starts = [new Date(clock.now())];
  return {
    /** Stores this start. A failure is logged: then only this one is known. */
    async record(): Promise<void> {
      const push = { $push: { at: { $each: starts, $slice: -STARTS_MAX } } };
      const options = { upsert: true, returnDocument: 'after' } as const;
      try {
        const stored = await model.findOneAndUpdate({ _id: 'starts' }, push, options).lean<StartsRecord>();
        starts = stored?.at ?? starts;
      } catch (error) {
        log.warn({ error }, 'the start of the server could not be recorded');
      }
    },
    /** Returns the starts of the last day, oldest first. */
    ofDay(): string[] {
      const since = clock.now() - DAY;
      return starts.filter((at) => at.getTime() >= since).map((at) => iso(at.getTime()));
    },
  };
}
