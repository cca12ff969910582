import { type Connection, type Model, Schema } from 'mongoose';

/** Until when the trades of this database have their alerts. */
interface CheckpointRecord {
  _id: 'trades';
  at: Date;
}

const checkpointSchema = new Schema<CheckpointRecord>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { versionKey: false, collection: 'alertCheckpoints' },
);

/** Needs no index: read and written by `_id` only. */
function checkpointModel(connection: Connection): Model<CheckpointRecord> {
  return connection.model<CheckpointRecord>('AlertCheckpoint', checkpointSchema);
}

/** The time before which every trade has its alert. */
export interface Checkpoint {
  /** Returns the time, epoch ms; at the first call in a database: `now`, which is stored. */
  read(now: number): Promise<number>;
  /** Moves it to a later time. */
  move(at: number): Promise<void>;
}

export function openCheckpoint(connection: Connection): Checkpoint {
  const model = checkpointModel(connection);
  return {
    async read(now) {
      const at = new Date(now);
      await model.updateOne({ _id: 'trades' }, { $setOnInsert: { at } }, { upsert: true });
      const found = await model.findById('trades').lean<CheckpointRecord>();
      return (found?.at ?? at).getTime();
    },
    async move(at) {
      await model.updateOne({ _id: 'trades' }, { $max: { at: new Date(at) } });
    },
  };
}
