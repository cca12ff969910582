import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** The webhook of a user. */
export interface WebhookRecord {
  /** The user's id. */
  _id: Types.ObjectId;
  host: string;
  /** Address and secret, sealed with the user's data key, base64: an address may hold a secret of its service. */
  sealed: string;
  createdAt: Date;
  /** The last delivery; null before the first one. */
  lastAt: Date | null;
  /** Null after a success. */
  problem: string | null;
}

const webhookSchema = new Schema<WebhookRecord>(
  {
    host: { type: String, required: true },
    sealed: { type: String, required: true },
    createdAt: { type: Date, required: true },
    lastAt: { type: Date, default: null },
    problem: { type: String, default: null },
  },
  { versionKey: false, collection: 'webhooks' },
);

export function webhookModel(connection: Connection): Model<WebhookRecord> {
  return connection.model<WebhookRecord>('Webhook', webhookSchema);
}
