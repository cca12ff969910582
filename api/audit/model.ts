import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { type AuditAction, auditActions } from '../../common/audit/model.ts';

/** Who did what to whom; never a secret. Written once and never changed. */
export interface AuditRecord {
  _id: Types.ObjectId;
  at: Date;
  action: AuditAction;
  /** Who did it, with the name of that time; null: no user, and the name says what then (`namelessActors`). */
  actorId: Types.ObjectId | null;
  actorName: string;
  /** The user whose things it concerns; null: nobody's. */
  subjectId: Types.ObjectId | null;
  /** What it was done to, such as a wallet's address or a call's path; null: nothing in particular. */
  object: string | null;
  /** Where it came from, see `addressKey`. */
  address: string;
}

const KEPT_SECONDS = 365 * 86_400;

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
// Newest first: each filter alone, and both of them.
auditSchema.index({ action: 1, _id: -1 });
auditSchema.index({ subjectId: 1, _id: -1 });
auditSchema.index({ subjectId: 1, action: 1, _id: -1 });
auditSchema.index({ actorId: 1, _id: -1 });
auditSchema.index({ actorId: 1, action: 1, _id: -1 });
// Who is no user.
auditSchema.index({ actorName: 1, _id: -1 });
auditSchema.index({ actorName: 1, action: 1, _id: -1 });
auditSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export function auditModel(connection: Connection): Model<AuditRecord> {
  return connection.model<AuditRecord>('Audit', auditSchema);
}
