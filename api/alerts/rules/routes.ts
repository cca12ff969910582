import type { RouterInstance } from '@koa/router';
import { alertRuleCalls } from '../../../common/alerts/rules/http.ts';
import { register } from '../../http/route.ts';
import type { AlertRules } from './service.ts';

export function alertRuleRoutes(router: RouterInstance, { rules }: { rules: AlertRules }): void {
  register(router, alertRuleCalls.list, (_input, { user }) => rules.list(user));
  register(router, alertRuleCalls.createForPreset, ({ body }, { user }) => rules.createForPreset(user, body));
  register(router, alertRuleCalls.createAtPrice, ({ body }, { user }) => rules.createAtPrice(user, body));
  register(router, alertRuleCalls.change, ({ params, body }, { user }) => rules.change(user, params.id, body));
  register(router, alertRuleCalls.remove, async ({ params }, { user }) => {
    await rules.remove(user, params.id);
    return { ok: true as const };
  });
}
