import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import { createLimiter, type Limits } from '../http/rate-limits.ts';
import type { Actor, Audit } from './service.ts';

/** Records what an administrator is about to do, at most so often: each record is kept for a year. */
export interface AdminActions {
  /** Resolves when it is stored. Throws `too-many-requests` instead of storing it. */
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
