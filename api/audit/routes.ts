import type { RouterInstance } from '@koa/router';
import type { Types } from 'mongoose';
import { auditCalls } from '../../common/audit/http.ts';
import { type AuditPage, namelessActors } from '../../common/audit/model.ts';
import { actorOf, requireOwnerOrAdmin } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { AdminActions } from './admin-actions.ts';
import type { AuditRecord } from './model.ts';
import type { Audit, AuditScope } from './service.ts';

/** The part of the users that the audit log needs. */
export interface AuditUsers {
  findById(id: string): Promise<object | null>;
  findByName(username: string): Promise<{ _id: Types.ObjectId } | null>;
  /** Returns usernames by user id. */
  namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

interface Reader {
  _id: Types.ObjectId;
  isAdmin: boolean;
}

/** Registers the calls of the audit log: the whole log for administrators, and each user's own part. */
export function auditRoutes(
  router: RouterInstance,
  { audit, adminActions, users }: { audit: Audit; adminActions: AdminActions; users: AuditUsers },
): void {
  async function present(records: readonly AuditRecord[], limit: number, reader: Reader): Promise<AuditPage> {
    const subjects = new Set(records.flatMap(({ subjectId }) => subjectId?.toHexString() ?? []));
    return presentAudit(records, await users.namesOf([...subjects]), { limit, reader });
  }

  register(router, auditCalls.list, async ({ query: { user: username, ...query } }, { user: reader, ctx }) => {
    const name = username?.trim() ?? '';
    const of = await scopeOf(name);
    const page = await present(of === undefined ? [] : await audit.list(of, query), query.limit, reader);
    // Recorded after the entries are read, so that they do not begin with this look, and before they are sent.
    const by = actorOf(reader, ctx);
    if (of === undefined) return page;
    if (of !== null && 'userId' in of) await adminActions.authorizeLook(by, of.userId, 'audit log');
    // The entries of a nameless actor, such as failed logins, concern users of every kind.
    else await adminActions.recordListing(by, 'audit log');
    return page;
  });

  /** Returns whose entries `name` filters by: null for all, undefined for an unknown name. */
  async function scopeOf(name: string): Promise<AuditScope | undefined> {
    if (name === '') return null;
    const found = await users.findByName(name);
    if (found) return { userId: found._id.toHexString() };
    const nameless = namelessActors.find((actor) => actor === name);
    return nameless && { name: nameless };
  }

  register(router, auditCalls.ofUser, async ({ params: { userId }, query }, { user, ctx }) => {
    requireOwnerOrAdmin(user, userId);
    const isOwn = user._id.toHexString() === userId;
    // The first page counts as a look; further pages belong to the same one.
    if (!isOwn && (await users.findById(userId))) {
      await adminActions.authorizeLook(actorOf(user, ctx), userId, 'audit log');
    }
    return present(await audit.listAbout(userId, query), query.limit, user);
  });
}

/** Returns a page of at most `limit` entries for `reader`. `names`: usernames by user id. */
function presentAudit(
  records: readonly AuditRecord[],
  names: ReadonlyMap<string, string>,
  { limit, reader }: { limit: number; reader: Reader },
): AuditPage {
  const entries = records.map(({ _id, at, action, actorId, actorName, subjectId, object, address }) => ({
    id: _id.toHexString(),
    at: at.toISOString(),
    action,
    actor: actorName,
    subject: subjectId === null ? null : (names.get(subjectId.toHexString()) ?? null),
    object,
    address: maySeeAddress(reader, actorId) ? address : null,
  }));
  return { entries, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}

/** An entry about a user by another user was made by an administrator, whose address is hidden from that user. */
function maySeeAddress(reader: Reader, actorId: AuditRecord['actorId']): boolean {
  return reader.isAdmin || actorId === null || actorId.equals(reader._id);
}
