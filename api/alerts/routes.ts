import type { RouterInstance } from '@koa/router';
import { alertCalls } from '../../common/alerts/http.ts';
import { register } from '../http/route.ts';
import type { AlertRules } from './rules/service.ts';
import type { Alerts } from './service.ts';

export function alertRoutes(
  router: RouterInstance,
  { alerts, rules }: { alerts: Pick<Alerts, 'list' | 'hour'>; rules: Pick<AlertRules, 'heldBack'> },
): void {
  register(router, alertCalls.list, ({ query }, { user }) => alerts.list(user._id.toHexString(), query.limit));
  register(router, alertCalls.hour, (_input, { user }) => {
    const userId = user._id.toHexString();
    return { ...alerts.hour(userId), ...rules.heldBack(userId) };
  });
}
