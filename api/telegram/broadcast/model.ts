import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A broadcast and what has come of it; its text is not kept. */
export interface BroadcastRecord {
  _id: Types.ObjectId;
  at: Date;
  /** Chats. What is neither sent nor failed waits, as long as it is going on. */
  total: number;
  sent: number;
  failed: number;
  /** Null while it is going on. */
  endedAt: Date | null;
}

const KEPT_SECONDS = 30 * 86_400;

const broadcastSchema = new Schema<BroadcastRecord>(
  {
    at: { type: Date, required: true },
    total: { type: Number, required: true },
    sent: { type: Number, required: true },
    failed: { type: Number, required: true },
    endedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'broadcasts' },
);
// Retention; also reads those of the last day.
broadcastSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export function broadcastModel(connection: Connection): Model<BroadcastRecord> {
  return connection.model<BroadcastRecord>('Broadcast', broadcastSchema);
}
