import { createAdminActions } from '../audit/admin-actions.ts';
import { auditRoutes } from '../audit/routes.ts';
import { openAudit } from '../audit/service.ts';
import { createAdmission, withAdmission } from '../auth/admission.ts';
import { authRoutes } from '../auth/routes.ts';
import { createAuth } from '../auth/service.ts';
import { openSessions } from '../auth/sessions.ts';
import { createMemoryLimiter } from '../http/rate-limits.ts';
import { openKeys } from '../keys/service.ts';
import { createAdminRights } from '../users/admin-rights.ts';
import { ensureFirstAdmin } from '../users/first-admin.ts';
import { openUsers } from '../users/service.ts';
import type { Core, Routes } from './core.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Opens users with their rights and sessions, the audit and the keys that encrypt users' secrets. */
export async function openAccounts(core: Core) {
  const { connection, config, options, clock, koa, limits, bus } = core;
  const users = await openUsers(connection, clock, bus);
  // Before the server listens: a stranger could register the administrator's name.
  const admin = { username: config.adminUsername, password: config.adminPassword };
  await ensureFirstAdmin(users, admin, options.announce);
  const rights = createAdminRights(connection, bus);
  const audit = await openAudit(connection, clock);
  const adminActions = await createAdminActions({ connection, audit, limits, clock });
  const keys = await openKeys(connection, config, clock);
  const sessions = await openSessions({ app: koa, connection, users, bus });
  const admission = createAdmission(createMemoryLimiter(limits.enterInAll));
  const auth = withAdmission(await createAuth({ connection, users, audit, limits }), admission);
  const routes: Routes[] = [
    (router) => authRoutes(router, { auth, users, bus }),
    (router) => auditRoutes(router, { audit, adminActions, users }),
  ];
  return { users, rights, audit, adminActions, keys, sessions, auth, routes };
}
