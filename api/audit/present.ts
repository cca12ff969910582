import type { AuditPage } from '../../common/audit/model.ts';
import type { AuditRecord } from './model.ts';

/** A page of `limit` entries. `names`: usernames by user id. */
export function presentAudit(
  records: readonly AuditRecord[],
  names: ReadonlyMap<string, string>,
  limit: number,
): AuditPage {
  const entries = records.map(({ _id, at, action, actorName, subjectId, object, address }) => ({
    id: _id.toHexString(),
    at: at.toISOString(),
    action,
    actor: actorName,
    subject: subjectId === null ? null : (names.get(subjectId.toHexString()) ?? null),
    object,
    address,
  }));
  return { entries, next: entries.length < limit ? null : (entries.at(-1)?.id ?? null) };
}
