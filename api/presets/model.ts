import { type Connection, type Model, Schema } from 'mongoose';
import { type UserDocument, userDocumentSchema } from '../users/user-documents.ts';

/** A preset of a list as stored in `presets`, beside the fields of every user document. */
export interface PresetFields {
  name: string;
  /** Limits and order by name. A later version may not know all of them. */
  choice: Record<string, string>;
}

const presetSchema = userDocumentSchema('presets', {
  name: { type: String, required: true },
  choice: { type: Schema.Types.Mixed, required: true },
});

// A user has one preset of a name.
presetSchema.index({ userId: 1, name: 1 }, { unique: true });

export function presetModel(connection: Connection): Model<UserDocument> {
  return connection.model<UserDocument>('Preset', presetSchema);
}
