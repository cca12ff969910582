import type { RouterInstance } from '@koa/router';
import { adminCalls } from '../../common/admin/http.ts';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { System } from './system.ts';
import type { UserAdmin } from './users.ts';

/** Registers the calls of administrators about users. */
export function userAdminRoutes(
  router: RouterInstance,
  { userAdmin, adminActions }: { userAdmin: UserAdmin; adminActions: AdminActions },
): void {
  register(router, adminCalls.users, async ({ query }, { user, ctx }) => {
    await adminActions.recordListing(actorOf(user, ctx), 'users');
    const { users, total } = await userAdmin.list(query);
    ctx.set(TOTAL_COUNT_HEADER, String(total));
    return users;
  });
  register(router, adminCalls.userStats, () => userAdmin.stats());
  register(router, adminCalls.changeUser, ({ params: { id }, body: { isAdmin } }, { user, ctx }) =>
    userAdmin.setAdmin(id, isAdmin, actorOf(user, ctx)),
  );
}

/** Registers the calls of administrators about the system: totals and system status. */
export function systemRoutes(
  router: RouterInstance,
  { system: { adminStats, monitor, starts } }: { system: Pick<System, 'adminStats' | 'monitor' | 'starts'> },
): void {
  register(router, adminCalls.stats, () => adminStats.read());
  register(router, adminCalls.systemStatus, async () => ({
    status: await monitor.status(),
    history: monitor.history(),
    day: monitor.day(),
    starts: starts(),
  }));
}
