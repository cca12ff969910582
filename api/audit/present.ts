import type { AuditPage } from '../../common/audit/model.ts';
import type { UserRecord } from '../users/model.ts';
import type { AuditRecord } from './model.ts';

/** A page of `limit` entries, for `reader`. `names`: usernames by user id. */
export function presentAudit(
  records: readonly AuditRecord[],
  names: ReadonlyMap<string, string>,
  { limit, reader }: { limit: number; reader: UserRecord },
): AuditPage {
  const entries = records.map(({ _id, at, action, actorId, actorName, subjectId, object, address }) => ({
    id: _id.toHexString(),
    at: at.toISOString(),
    action,
    actor: actorName,
    subject: subjectId === null ? null : (names.get(subjectId.toHexString()) ?? null),
    object,
    address: mayKnowWhere(reader, actorId) ? address : null,
  }));
  return { entries, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}

/** Whoever acted on somebody else's things was an administrator, whose whereabouts are no business of that user. */
function mayKnowWhere(reader: UserRecord, actorId: AuditRecord['actorId']): boolean {
  return reader.isAdmin || actorId === null || actorId.equals(reader._id);
}
