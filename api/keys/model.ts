import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { MasterKey, MasterKeys } from '../config/master-key.ts';
import { placeOf, type RandomBytes, seal, unseal } from './sealed.ts';

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

/** A data key as stored. */
export type WrappedKey = Pick<DataKeyRecord, 'masterKeyId' | 'wrapped'>;

/** No known master key wrapped this data key. It opens as soon as that key is configured again. */
export class MasterKeyMissing extends Error {
  readonly masterKeyId: string;

  constructor(masterKeyId: string) {
    super(`the master key ${masterKeyId} is needed and not configured`);
    this.name = 'MasterKeyMissing';
    this.masterKeyId = masterKeyId;
  }
}

const dataKeyPlace = (userId: string) => placeOf('data key', userId);

/** Wraps a user's data key. */
export function wrapKey(dataKey: Uint8Array, userId: string, master: MasterKey, random: RandomBytes): WrappedKey {
  const wrapped = seal(master.bytes, dataKey, dataKeyPlace(userId), random).toString('base64');
  return { masterKeyId: master.id, wrapped };
}

/** Returns a user's data key; the caller overwrites it after use. Throws MasterKeyMissing, or a SealError. */
export function unwrapKey(stored: WrappedKey, userId: string, masters: MasterKeys): Buffer {
  const master = masters.find(({ id }) => id === stored.masterKeyId);
  if (!master) throw new MasterKeyMissing(stored.masterKeyId);
  return unseal(master.bytes, Buffer.from(stored.wrapped, 'base64'), dataKeyPlace(userId));
}
