import type { RouterInstance } from '@koa/router';
import { auditCalls } from '../../common/audit/http.ts';
import type { AuditPage } from '../../common/audit/model.ts';
import { requireOwn } from '../http/authorize.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import type { AdminActions } from './admin-actions.ts';
import type { AuditRecord } from './model.ts';
import { presentAudit } from './present.ts';
import { type Audit, namelessActors } from './service.ts';

/** The audit log: everything for administrators, and for each user what concerns them. */
export function auditRoutes(
  router: RouterInstance,
  deps: { audit: Audit; adminActions: AdminActions; users: Pick<Users, 'byId' | 'named' | 'namesOf'> },
): void {
  const { audit, adminActions, users } = deps;
  register(router, auditCalls.list, async ({ query: { user: of, ...query } }, { user: reader }) => {
    const reading = { limit: query.limit, reader };
    const name = of?.trim() ?? '';
    if (name === '') return present(await audit.list(null, query), reading);
    const known = await users.named(name);
    if (known) return present(await audit.list({ userId: known._id.toHexString() }, query), reading);
    const nameless = namelessActors.find((actor) => actor === name);
    return present(nameless ? await audit.list({ name: nameless }, query) : [], reading);
  });

  register(router, auditCalls.ofUser, async ({ params: { userId }, query }, { user, ctx }) => {
    requireOwn(user, userId);
    const isOwn = user._id.toHexString() === userId;
    // With the first page: the others belong to the same look.
    if (!isOwn && query.before === undefined && (await users.byId(userId))) {
      await adminActions.record('user-looked-up', { user, address: addressKey(ctx.ip) }, userId);
    }
    return present(await audit.concerning(userId, query), { limit: query.limit, reader: user });
  });

  async function present(records: AuditRecord[], reading: { limit: number; reader: UserRecord }): Promise<AuditPage> {
    const subjects = new Set(records.flatMap(({ subjectId }) => subjectId?.toHexString() ?? []));
    return presentAudit(records, await users.namesOf([...subjects]), reading);
  }
}
