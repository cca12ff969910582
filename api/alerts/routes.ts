import type { RouterInstance } from '@koa/router';
import { alertCalls } from '../../common/alerts/http.ts';
import { register } from '../http/route.ts';
import type { Alerts } from './service.ts';

export function alertRoutes(router: RouterInstance, { alerts }: { alerts: Pick<Alerts, 'list' | 'hour'> }): void {
  register(router, alertCalls.list, ({ query }, { user }) => alerts.list(user._id.toHexString(), query.limit));
  register(router, alertCalls.hour, (_input, { user }) => alerts.hour(user._id.toHexString()));
}
