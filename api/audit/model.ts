import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** What is recorded. */
export const auditActions = [
  'wallet-saved',
  'wallet-replaced',
  'wallet-recovered',
  'wallet-recover-refused',
  'key-revealed',
  'key-reveal-refused',
  'admin-key-used',
  'admin-key-refused',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Who did what to whom; never a secret. Written once and never changed. */
export interface AuditRecord {
  _id: Types.ObjectId;
  at: Date;
  action: AuditAction;
  /** Who did it, with the name of that time; null: whoever sent the direct admin key, right or wrong. */
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
    action: { type: String, required: true, enum: auditActions },
    actorId: { type: Schema.Types.ObjectId, default: null },
    actorName: { type: String, required: true },
    subjectId: { type: Schema.Types.ObjectId, default: null },
    object: { type: String, default: null },
    address: { type: String, required: true },
  },
  { versionKey: false, collection: 'audit' },
);
auditSchema.index({ subjectId: 1, at: -1 });
auditSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export function auditModel(connection: Connection): Model<AuditRecord> {
  return connection.model<AuditRecord>('Audit', auditSchema);
}
