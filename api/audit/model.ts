import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { type AuditAction, auditActions } from '../../common/audit/model.ts';

/** An entry of the audit log. Contains no secret and is never changed. */
export interface AuditRecord {
  _id: Types.ObjectId;
  at: Date;
  action: AuditAction;
  /** The acting user with its name at that time; null for one of `namelessActors`, whose name is then in `actorName`. */
  actorId: Types.ObjectId | null;
  actorName: string;
  /** The affected user, or null. */
  subjectId: Types.ObjectId | null;
  /** Object of the action, such as a wallet's address or a call's path, or null. */
  object: string | null;
  /** Network address of the actor (`addressKey`). */
  address: string;
}

const RETENTION_SECONDS = 365 * 86_400;

const auditSchema = new Schema<AuditRecord>(
  {
    at: { type: Date, required: true },
    action: { type: String, required: true, enum: Object.keys(auditActions) },
    actorId: { type: Schema.Types.ObjectId, default: null },
    actorName: { type: String, required: true },
    subjectId: { type: Schema.Types.ObjectId, default: null },
    object: { type: String, default: null },
    address: { type: String, required: true },
  },
  { versionKey: false, collection: 'audit' },
);
// Newest first, by each filter and by both.
auditSchema.index({ action: 1, _id: -1 });
auditSchema.index({ subjectId: 1, _id: -1 });
auditSchema.index({ subjectId: 1, action: 1, _id: -1 });
auditSchema.index({ actorId: 1, _id: -1 });
auditSchema.index({ actorId: 1, action: 1, _id: -1 });
// Nameless actors.
auditSchema.index({ actorName: 1, _id: -1 });
auditSchema.index({ actorName: 1, action: 1, _id: -1 });
auditSchema.index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

export function auditModel(connection: Connection): Model<AuditRecord> {
  return connection.model<AuditRecord>('Audit', auditSchema);
}
