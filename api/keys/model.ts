import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** The data key of one user, wrapped: what is encrypted with it stays as it is when the master key changes. */
export interface DataKeyRecord {
  /** The user's. */
  _id: Types.ObjectId;
  /** Which master key wrapped it. */
  masterKeyId: string;
  /** `seal`ed, base64. */
  wrapped: string;
  createdAt: Date;
}

const dataKeySchema = new Schema<DataKeyRecord>(
  {
    masterKeyId: { type: String, required: true },
    wrapped: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'dataKeys' },
);
// Finds what is left to wrap anew, and which master keys are needed.
dataKeySchema.index({ masterKeyId: 1 });

export function dataKeyModel(connection: Connection): Model<DataKeyRecord> {
  return connection.model<DataKeyRecord>('DataKey', dataKeySchema);
}
