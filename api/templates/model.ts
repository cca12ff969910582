import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** A notification template. Whether it is its type's default is not kept in it: see `TypeRecord`. */
export interface TemplateRecord {
  _id: Types.ObjectId;
  name: string;
  type: string;
  template: string;
  /** 0 to one less than there may be, each of them once: the unique index on it is what keeps the limit. */
  place: number;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * Which template is the default of a type: one document a type, so that a new default takes the place of the old one in one
 * atomic update. When it names no template of the type, the type's oldest one is the default (`defaults.ts`).
 */
export interface TypeRecord {
  /** The type. */
  _id: string;
  templateId: Types.ObjectId | null;
}

export interface TemplateModels {
  templates: Model<TemplateRecord>;
  types: Model<TypeRecord>;
}

const templateSchema = new Schema<TemplateRecord>(
  {
    name: { type: String, required: true },
    type: { type: String, required: true },
    template: { type: String, required: true },
    place: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'notificationTemplates' },
);
templateSchema.index({ place: 1 }, { unique: true });
// Oldest of a type first.
templateSchema.index({ type: 1, createdAt: 1, _id: 1 });
// The order of the list.
templateSchema.index({ type: 1, name: 1, _id: 1 });

const typeSchema = new Schema<TypeRecord>(
  { _id: { type: String, required: true }, templateId: { type: Schema.Types.ObjectId, default: null } },
  { versionKey: false, collection: 'notificationTypes' },
);

export function templateModels(connection: Connection): TemplateModels {
  return {
    templates: connection.model<TemplateRecord>('NotificationTemplate', templateSchema),
    types: connection.model<TypeRecord>('NotificationType', typeSchema),
  };
}
