import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A broadcast with its outcome; its text is not stored. */
export interface BroadcastRecord {
  _id: Types.ObjectId;
  at: Date;
  /** Chats. Those neither sent nor failed wait while the broadcast runs. */
  total: number;
  sent: number;
  failed: number;
  /** Null while it runs. */
  endedAt: Date | null;
}

const RETENTION_SECONDS = 30 * 86_400;

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
// Retention, and the broadcasts of the last day.
broadcastSchema.index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export function broadcastModel(connection: Connection): Model<BroadcastRecord> {
  return connection.model<BroadcastRecord>('Broadcast', broadcastSchema);
}
