import type { RouterInstance } from '@koa/router';
import { ruleCalls } from '../../common/rules/http.ts';
import { register } from '../http/route.ts';
import { type Rules, ruleChange, ruleFields } from './service.ts';

export function ruleRoutes(router: RouterInstance, { rules }: { rules: Rules }): void {
  register(router, ruleCalls.list, (_input, { user }) => rules.list(user, user._id.toHexString()));

  register(router, ruleCalls.create, ({ body }, { user }) =>
    rules.create(user, user._id.toHexString(), ruleFields(body)),
  );

  register(router, ruleCalls.update, ({ params, body }, { user }) => rules.change(user, params.id, ruleChange(body)));

  register(router, ruleCalls.remove, async ({ params }, { user }) => {
    await rules.remove(user, params.id);
    return { ok: true as const };
  });
}
