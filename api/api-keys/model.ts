import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { ApiKeyLimits, ApiKeyScope } from '../../common/api-keys/model.ts';

/** A key as stored: its secret is not, only the digest. */
export interface ApiKeyRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  name: string;
  scope: ApiKeyScope;
  hint: string;
  /** SHA-256 of the secret, which has 256 random bits: nothing slower is needed. */
  digest: string;
  /** Digest of the password's stored hash at the creation: another password ends the key, also one that was set beside the server. */
  password: string;
  limits: ApiKeyLimits | null;
  /**
   * Sum of the purchases of one day (UTC, such as `2026-11-28`), in lamports with the most that they pay to the network; a refused
   * purchase is subtracted again.
   */
  spent: { day: string; lamports: number };
  createdAt: Date;
  lastUsedAt: Date | null;
}

const apiKeySchema = new Schema<ApiKeyRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    scope: { type: String, required: true },
    hint: { type: String, required: true },
    digest: { type: String, required: true },
    password: { type: String, required: true },
    limits: { type: Schema.Types.Mixed, default: null },
    spent: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'apiKeys' },
);
apiKeySchema.index({ digest: 1 }, { unique: true });
// Keys of a user, newest first.
apiKeySchema.index({ userId: 1, _id: -1 });

export function apiKeyModel(connection: Connection): Model<ApiKeyRecord> {
  return connection.model<ApiKeyRecord>('ApiKey', apiKeySchema);
}
