import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { PublicError } from '../../../common/errors.ts';
import { telegramCalls } from '../../../common/telegram/http.ts';
import type { BroadcastResult, NotificationStats } from '../../../common/telegram/model.ts';
import { isOwnOrigin } from '../../../realtime/origin.ts';
import { actorOf, type RequestUser } from '../../http/caller.ts';
import type { Forwarding } from '../../http/forwarding.ts';
import { register } from '../../http/route.ts';
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

/** `none`: the person typed the address or opened a bookmark. */
const OWN_SITE: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/**
 * Refuses a GET call with effects when another site led to it, also by a link (decision 15). Every origin that the browser
 * states must be ours, and a prefetch of an address that is being typed is no request of the person. Throws
 * `foreign-origin`.
 */
function requireOwnPage({ req }: Koa.Context, { requestedHost }: Pick<Forwarding, 'requestedHost'>): void {
  const { headers } = req;
  const host = requestedHost(req);
  const { referer } = headers;
  const isOwn =
    OWN_SITE.has(headers['sec-fetch-site']) &&
    isOwnOrigin(headers, host) &&
    headers['sec-purpose'] === undefined &&
    headers.purpose === undefined &&
    (referer === undefined || isOwnOrigin({ origin: referer }, host));
  if (!isOwn) throw new PublicError('foreign-origin');
}
