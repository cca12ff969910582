import type { RouterInstance } from '@koa/router';
import { PublicError } from '../../common/errors.ts';
import { strategyCalls } from '../../common/strategies/http.ts';
import { requireOwnerOrAdmin } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { Users } from '../users/service.ts';
import { type Strategies, strategyFields } from './service.ts';

export function strategyRoutes(
  router: RouterInstance,
  { strategies, users }: { strategies: Strategies; users: Pick<Users, 'findById'> },
): void {
  register(router, strategyCalls.list, ({ query }, { user }) =>
    strategies.list(user, query.userId ?? user._id.toHexString()),
  );

  register(router, strategyCalls.create, async ({ body: { userId, ...form } }, { user }) => {
    requireOwnerOrAdmin(user, userId);
    // Only an administrator gets this far with another id, which may be wrong.
    if (!(await users.findById(userId))) throw new PublicError('not-found');
    return strategies.create(user, userId, strategyFields(form));
  });

  register(router, strategyCalls.update, ({ params, body }, { user }) => strategies.change(user, params.id, body));

  register(router, strategyCalls.remove, async ({ params }, { user }) => {
    await strategies.remove(user, params.id);
    return { ok: true as const };
  });
}
