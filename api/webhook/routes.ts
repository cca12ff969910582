import type { RouterInstance } from '@koa/router';
import { webhookCalls } from '../../common/webhook/http.ts';
import { actorOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import type { Webhooks } from './service.ts';

export function webhookRoutes(router: RouterInstance, { webhooks }: { webhooks: Webhooks }): void {
  register(router, webhookCalls.get, (_input, { user }) => webhooks.get(user._id.toHexString()));
  register(router, webhookCalls.save, ({ body }, { user, ctx }) => webhooks.save(actorOf(user, ctx), body.url));
  register(router, webhookCalls.remove, async (_input, { user, ctx }) => {
    await webhooks.remove(actorOf(user, ctx));
    return { ok: true as const };
  });
  register(router, webhookCalls.test, (_input, { user, ctx }) => webhooks.test(actorOf(user, ctx)));
}
