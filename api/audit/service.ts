import { type Connection, Types } from 'mongoose';
import type { Clock } from '../market/sources/source.ts';
import { ensureIndexes } from '../server/database.ts';
import type { UserRecord } from '../users/model.ts';
import { type AuditAction, type AuditRecord, auditModel } from './model.ts';

/** Who is acting, and from where (`addressKey`). */
export interface Actor {
  user: Pick<UserRecord, '_id' | 'username'>;
  address: string;
}

/** Nobody by name, but whoever sends the direct admin key. */
export interface KeyActor {
  user: null;
  address: string;
}

const KEY_ACTOR_NAME = 'direct-admin-key';

/** The record of what was done with secrets and rights. It only grows, and forgets after a year. */
export interface Audit {
  /** Resolves when it is stored. `subjectId` null: it concerns no user. `object`: what it was done to; never a secret. */
  record(action: AuditAction, by: Actor | KeyActor, subjectId: string | null, object?: string | null): Promise<void>;
  /** What concerns this user, newest first. */
  concerning(subjectId: string, limit: number): Promise<AuditRecord[]>;
}

/** The audit of this database, with its indexes made. */
export async function openAudit(connection: Connection, clock: Clock): Promise<Audit> {
  const records = auditModel(connection);
  await ensureIndexes(records);
  return {
    async record(action, { user, address }, subjectId, object = null) {
      await records.create({
        _id: new Types.ObjectId(),
        at: new Date(clock.now()),
        action,
        actorId: user?._id ?? null,
        actorName: user?.username ?? KEY_ACTOR_NAME,
        subjectId: subjectId === null ? null : new Types.ObjectId(subjectId),
        object,
        address,
      });
    },
    // Index: subjectId, at.
    concerning: (subjectId, limit) =>
      records
        .find({ subjectId: new Types.ObjectId(subjectId) })
        .sort({ at: -1 })
        .limit(limit)
        .lean<AuditRecord[]>(),
  };
}
