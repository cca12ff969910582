import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import type { Actor, Audit } from './service.ts';

/** Records administrator actions at a limited rate: each entry is kept for a year. */
export interface AdminActions {
  /** Stores an entry before the action. Throws `too-many-requests` instead when the rate limit is exceeded. */
  record(action: AuditAction, by: Actor, subjectId: string | null, object?: string | null): Promise<void>;
}

export async function createAdminActions(deps: {
  connection: Connection;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
}): Promise<AdminActions> {
  const limiter = await createLimiter(deps.connection, 'admin-action', deps.limits.adminActionPerUser);
  return {
    async record(action, by, subjectId, object) {
      await limiter.count(by.user._id.toHexString());
      await deps.audit.record(action, by, subjectId, object);
    },
  };
}
