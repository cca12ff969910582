import { type Connection, type QueryFilter, Types } from 'mongoose';
import { type AuditAction, actionsAboutAll, type NamelessActor } from '../../common/audit/model.ts';
import type { Clock } from '../../common/time.ts';
import { ensureIndexes } from '../platform/database.ts';
import { type AuditRecord, auditModel } from './model.ts';

/** An acting user with the network address of the request (`addressKey`). */
export interface Actor {
  user: { _id: Types.ObjectId; username: string };
  address: string;
}

/** An actor without a user account. */
export interface KeyActor {
  user: null;
  /** Default: `direct-admin-key`. */
  name?: NamelessActor;
  address: string;
}

/** Filter and page of a query. */
export interface AuditQuery {
  action?: AuditAction | undefined;
  /** Id of the last entry of the previous page. */
  before?: string | undefined;
  limit: number;
}

/** Whose entries a query returns: those by or about a user, those by a nameless actor, or all (null). */
export type AuditScope = { userId: string } | { name: NamelessActor } | null;

/** Append-only log of actions with secrets and rights. Entries expire after a year. */
export type Audit = Awaited<ReturnType<typeof openAudit>>;

/** Opens the audit log of a database and creates its indexes. */
export async function openAudit(connection: Connection, clock: Clock) {
  const records = auditModel(connection);
  await ensureIndexes(records);

  /** Sorted by id, which grows with time and ends every index of this collection. */
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
    /**
     * Stores an entry. `subjectId`: the affected user, or null. `object`: the object of the action, never a secret. Rejects when
     * the entry is not stored; the caller must not act then.
     */
    async record(
      action: AuditAction,
      by: Actor | KeyActor,
      subjectId: string | null,
      object: string | null = null,
    ): Promise<void> {
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
    /** Returns entries about this user, newest first, with those about all users that exist since. */
    listAbout(subjectId: string, query: AuditQuery): Promise<AuditRecord[]> {
      const id = new Types.ObjectId(subjectId);
      // Ids grow with time: an entry with a smaller id than the user's is older than the user.
      const aboutAll = actionsAboutAll.map((action) => ({ action, _id: { $gt: id } }));
      return page({ $or: [{ subjectId: id }, ...aboutAll] }, query);
    },
    /** Returns entries of a scope, newest first. */
    list(of: AuditScope, query: AuditQuery): Promise<AuditRecord[]> {
      if (of === null) return page({}, query);
      // A user may have the name of a nameless actor as well.
      if ('name' in of) return page({ actorName: of.name, actorId: null }, query);
      const id = new Types.ObjectId(of.userId);
      return page({ $or: [{ actorId: id }, { subjectId: id }] }, query);
    },
  };
}
