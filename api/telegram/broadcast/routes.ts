import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { telegramCalls } from '../../../common/telegram/http.ts';
import type { BroadcastResult, NotificationStats } from '../../../common/telegram/model.ts';
import { actorOf, type RequestUser } from '../../http/caller.ts';
import type { Forwarding } from '../../http/forwarding.ts';
import { register } from '../../http/route.ts';
import { requireOwnPage } from '../own-page.ts';
import type { Broadcasts } from './service.ts';

interface BroadcastRouteDeps {
  broadcasts: Broadcasts;
  notificationStats: { read(): Promise<NotificationStats> };
  forwarding: Pick<Forwarding, 'requestedHost'>;
}

export function broadcastRoutes(
  router: RouterInstance,
  { broadcasts, notificationStats, forwarding }: BroadcastRouteDeps,
): void {
  function send(message: string, { ctx, user }: { ctx: Koa.Context; user: RequestUser }): Promise<BroadcastResult> {
    ctx.state.isLongRunning = true;
    return broadcasts.send(message, actorOf(user, ctx));
  }

  register(router, telegramCalls.notificationStats, () => notificationStats.read());

  register(router, telegramCalls.broadcast, ({ body }, caller) => send(body.message, caller));

  register(router, telegramCalls.broadcastByAddress, ({ params }, caller) => {
    requireOwnPage(caller.ctx, forwarding);
    return send(params.message, caller);
  });
}
