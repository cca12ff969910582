import type { RouterInstance } from '@koa/router';
import { adminCalls } from '../../common/admin/http.ts';
import { TOTAL_COUNT_HEADER } from '../../common/live/protocol.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import type { UserAdmin } from './users.ts';

/** Administrators' calls about users. */
export function adminUserRoutes(router: RouterInstance, { userAdmin }: { userAdmin: UserAdmin }): void {
  register(router, adminCalls.users, async ({ query }, { ctx }) => {
    const { users, total } = await userAdmin.list(query);
    ctx.set(TOTAL_COUNT_HEADER, String(total));
    return users;
  });

  register(router, adminCalls.userStats, () => userAdmin.stats());

  register(router, adminCalls.changeUser, ({ params: { id }, body: { isAdmin } }, { user, ctx }) =>
    userAdmin.setAdmin(id, isAdmin, { user, address: addressKey(ctx.ip) }),
  );
}
