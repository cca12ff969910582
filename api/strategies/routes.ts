import type { RouterInstance } from '@koa/router';
import { strategyCalls } from '../../common/strategies/http.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import { type Strategies, strategyFields } from './service.ts';

export function strategyRoutes(
  router: RouterInstance,
  { strategies, adminActions }: { strategies: Strategies; adminActions: AdminActions },
): void {
  register(router, strategyCalls.list, async ({ query }, { user, ctx }) => {
    const userId = query.userId ?? user._id.toHexString();
    await adminActions.authorizeLook(actorOf(user, ctx), userId, 'strategies');
    return strategies.list(user, userId);
  });

  register(router, strategyCalls.create, ({ body: { userId, ...form } }, { user }) =>
    strategies.create(user, userId, strategyFields(form)),
  );

  register(router, strategyCalls.update, ({ params, body }, { user }) => strategies.change(user, params.id, body));

  register(router, strategyCalls.remove, async ({ params }, { user }) => {
    await strategies.remove(user, params.id);
    return { ok: true as const };
  });
}
