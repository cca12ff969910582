import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** The data key of one user, wrapped: values encrypted with it stay valid when the master key changes. */
export interface DataKeyRecord {
  /** Id of the user. */
  _id: Types.ObjectId;
  /** Id of the wrapping master key. */
  masterKeyId: string;
  /** Sealed, base64. */
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
// Finds keys to rewrap, and the master keys in use.
dataKeySchema.index({ masterKeyId: 1 });

export function dataKeyModel(connection: Connection): Model<DataKeyRecord> {
  return connection.model<DataKeyRecord>('DataKey', dataKeySchema);
}
