import { type Connection, Schema, type Types } from 'mongoose';

/** A notification template. Whether it is the default of its type follows from `TypeRecord` (`defaults.ts`). */
export interface TemplateRecord {
  _id: Types.ObjectId;
  name: string;
  type: string;
  template: string;
  /** From 0 to one below the limit, each once: the unique index enforces the limit. */
  place: number;
  /** When it joined its type. */
  typeSince: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** The template chosen as the default of a type. The document of a seeded type also marks that its seeds are planted. */
export interface TypeRecord {
  /** The type. */
  _id: string;
  templateId: Types.ObjectId | null;
  /** `typeSince` of the template when it was chosen. */
  typeSince?: Date;
}

export type TemplateModels = ReturnType<typeof templateModels>;

const templateSchema = new Schema<TemplateRecord>(
  {
    name: { type: String, required: true },
    type: { type: String, required: true },
    template: { type: String, required: true },
    place: { type: Number, required: true },
    typeSince: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false, collection: 'notificationTemplates' },
);
templateSchema.index({ place: 1 }, { unique: true });
// The templates of a type, the one that joined first leading.
templateSchema.index({ type: 1, typeSince: 1, _id: 1 });
// The order of the list.
templateSchema.index({ type: 1, name: 1, _id: 1 });

const typeSchema = new Schema<TypeRecord>(
  {
    _id: { type: String, required: true },
    templateId: { type: Schema.Types.ObjectId, default: null },
    typeSince: Date,
  },
  { versionKey: false, collection: 'notificationTypes' },
);

export function templateModels(connection: Connection) {
  return {
    templates: connection.model<TemplateRecord>('NotificationTemplate', templateSchema),
    types: connection.model<TypeRecord>('NotificationType', typeSchema),
  };
}
