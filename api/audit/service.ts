import { type Connection, type QueryFilter, Types } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import type { Clock } from '../../common/time.ts';
import { ensureIndexes } from '../platform/database.ts';
import type { UserRecord } from '../users/model.ts';
import { type AuditRecord, auditModel } from './model.ts';

/** Who is acting, and from where (`addressKey`). */
export interface Actor {
  user: Pick<UserRecord, '_id' | 'username'>;
  address: string;
}

/** Who acts without being a user: whoever sends the direct admin key, whoever has the server, and whoever fails to log in. */
export const namelessActors = ['direct-admin-key', 'operator', 'unknown'] as const;
export type NamelessActor = (typeof namelessActors)[number];

export interface KeyActor {
  user: null;
  /** Left out: `direct-admin-key`. */
  name?: NamelessActor;
  address: string;
}

/** Which entries, and from where on. */
export interface AuditQuery {
  action?: AuditAction | undefined;
  /** Id of the last entry of the page before. */
  before?: string | undefined;
  limit: number;
}

/** The record of what was done with secrets and rights. It only grows, and forgets after a year. */
export interface Audit {
  /** Resolves when it is stored. `subjectId` null: it concerns no user. `object`: what it was done to; never a secret. */
  record(action: AuditAction, by: Actor | KeyActor, subjectId: string | null, object?: string | null): Promise<void>;
  /** What concerns this user, newest first. */
  concerning(subjectId: string, query: AuditQuery): Promise<AuditRecord[]>;
  /** Everything, newest first; of one user both what they did and what concerns them, of a nameless actor what it did. */
  list(who: { userId: string } | { name: NamelessActor } | null, query: AuditQuery): Promise<AuditRecord[]>;
}

/** The audit of this database, with its indexes made. */
export async function openAudit(connection: Connection, clock: Clock): Promise<Audit> {
  const records = auditModel(connection);
  await ensureIndexes(records);

  /** By the id, which grows with the time; the filter's index is one that ends with it. */
  function page(filter: QueryFilter<AuditRecord>, { action, before, limit }: AuditQuery): Promise<AuditRecord[]> {
    const rest = {
      ...(action === undefined ? {} : { action }),
      ...(before === undefined ? {} : { _id: { $lt: new Types.ObjectId(before) } }),
    };
    return records
      .find({ ...filter, ...rest })
      .sort({ _id: -1 })
      .limit(limit)
      .lean<AuditRecord[]>()
      .exec();
  }

  return {
    async record(action, by, subjectId, object = null) {
      await records.create({
        _id: new Types.ObjectId(),
        at: new Date(clock.now()),
        action,
        actorId: by.user?._id ?? null,
        actorName: by.user === null ? (by.name ?? 'direct-admin-key') : by.user.username,
        subjectId: subjectId === null ? null : new Types.ObjectId(subjectId),
        object,
        address: by.address,
      });
    },
    concerning: (subjectId, query) => page({ subjectId: new Types.ObjectId(subjectId) }, query),
    list(who, query) {
      if (who === null) return page({}, query);
      // A user may have such a name as well.
      if ('name' in who) return page({ actorName: who.name, actorId: null }, query);
      const id = new Types.ObjectId(who.userId);
      return page({ $or: [{ actorId: id }, { subjectId: id }] }, query);
    },
  };
}
