import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeyRoutes } from '../api-keys/routes.ts';
import { openApiKeys } from '../api-keys/service.ts';
import { createAdminActions } from '../audit/admin-actions.ts';
import { auditRoutes } from '../audit/routes.ts';
import { openAudit } from '../audit/service.ts';
import { accountRoutes } from '../auth/account-routes.ts';
import { createAdmission } from '../auth/admission.ts';
import { createIdentity } from '../auth/identity.ts';
import { authRoutes } from '../auth/routes.ts';
import { createSecondFactors } from '../auth/second-factor/service.ts';
import { createAuth } from '../auth/service.ts';
import { openSessions } from '../auth/sessions.ts';
import { createUserSessions } from '../auth/user-sessions.ts';
import { openKeys } from '../keys/service.ts';
import { createAdminRights } from '../users/admin-rights.ts';
import { ensureFirstAdmin, openUsers, type Users } from '../users/service.ts';
import type { Core, Routes } from './core.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Interval in which the first administrator is looked for, ms. */
const ADMIN_INTERVAL = 500;

/** Codes of two-step login follow the time of day that the user's phone has, also after the clock was set back. */
const wallClock = { now: Date.now };

/** Opens users with their rights and sessions, the audit and the keys that encrypt users' secrets. */
export async function openAccounts(core: Core) {
  const { connection, config, options, clock, koa, limits, bus } = core;
  const users = await openUsers(connection, clock, bus, options.passwordHash);
  // Before the server listens: a stranger could register the administrator's name.
  const admin = { username: config.adminUsername, password: config.adminPassword };
  if (config.roles.has('worker')) await ensureFirstAdmin(users, admin, options.announce);
  else await untilAdministered(users, options.announce);
  const rights = createAdminRights(connection, bus);
  const audit = await openAudit(connection, clock);
  const adminActions = await createAdminActions({ connection, audit, limits, clock });
  const keys = await openKeys(connection, config, clock);
  const sessions = await openSessions({ app: koa, connection, users, bus, clock, isHttps: config.isHttps });
  const userSessions = createUserSessions({ connection, bus, clock });
  const secondFactors = await createSecondFactors({ connection, keys, audit, limits, clock: wallClock, bus });
  const identity = await createIdentity({ connection, users, secondFactors, audit, limits });
  const admission = createAdmission();
  const auth = await createAuth({ connection, users, secondFactors, audit, limits, admission });
  const apiKeys = await openApiKeys({ connection, users, audit, clock });
  const account = { users, identity, userSessions, secondFactors, audit, clock };
  const routes: Routes[] = [
    (router) => authRoutes(router, { auth, users, userSessions, audit, bus, clock }),
    (router) => accountRoutes(router, account),
    (router) => auditRoutes(router, { audit, adminActions, users }),
    (router) => apiKeyRoutes(router, { apiKeys }),
  ];
  return { users, rights, audit, adminActions, keys, sessions, userSessions, secondFactors, auth, apiKeys, routes };
}

/** Resolves once there is an administrator, whom the worker creates at its first start. */
async function untilAdministered(users: Pick<Users, 'hasAdmin'>, announce: (line: string) => void): Promise<void> {
  if (await users.hasAdmin()) return;
  announce('waiting for the first start of the worker');
  do await sleep(ADMIN_INTERVAL);
  while (!(await users.hasAdmin()));
}
