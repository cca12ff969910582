import type { RouterInstance } from '@koa/router';
import { auditCalls } from '../../common/audit/http.ts';
import type { AuditPage } from '../../common/audit/model.ts';
import { register } from '../server/register.ts';
import { requireOwn } from '../users/own.ts';
import type { Users } from '../users/service.ts';
import type { AuditRecord } from './model.ts';
import { presentAudit } from './present.ts';
import { type Audit, namelessActors } from './service.ts';

/** The audit log: everything for administrators, and for each user what concerns them. */
export function auditRoutes(
  router: RouterInstance,
  { audit, users }: { audit: Audit; users: Pick<Users, 'named' | 'namesOf'> },
): void {
  register(router, auditCalls.list, async ({ query: { user, ...query } }) => {
    const name = user?.trim() ?? '';
    if (name === '') return present(await audit.list(null, query), query.limit);
    const known = await users.named(name);
    if (known) return present(await audit.list({ userId: known._id.toHexString() }, query), query.limit);
    const nameless = namelessActors.find((actor) => actor === name);
    return present(nameless ? await audit.list({ name: nameless }, query) : [], query.limit);
  });

  register(router, auditCalls.ofUser, async ({ params: { userId }, query }, { user }) => {
    requireOwn(user, userId);
    return present(await audit.concerning(userId, query), query.limit);
  });

  async function present(records: AuditRecord[], limit: number): Promise<AuditPage> {
    const subjects = new Set(records.flatMap(({ subjectId }) => subjectId?.toHexString() ?? []));
    return presentAudit(records, await users.namesOf([...subjects]), limit);
  }
}
