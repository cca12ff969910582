import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { SCRIPT_HEADER, SCRIPT_HEADER_VALUE } from '../../common/http.ts';
import { telegramCalls } from '../../common/telegram/http.ts';
import type { BroadcastResult, NotificationStats } from '../../common/telegram/model.ts';
import { isOwnOrigin } from '../../realtime/origin.ts';
import { actorOf, type RequestUser } from '../http/caller.ts';
import type { Forwarding } from '../http/edge/forwarding.ts';
import { register } from '../http/route.ts';
import type { Broadcasts } from './broadcast.ts';
import type { Telegram } from './telegram.ts';

export function telegramRoutes(router: RouterInstance, { telegram }: { telegram: Telegram }): void {
  const { links } = telegram;

  register(router, telegramCalls.status, (_input, { user }) => telegram.status(user.isAdmin));

  register(router, telegramCalls.link, (_input, { user }) => links.of(user._id.toHexString()));

  register(router, telegramCalls.linkCode, async (_input, { user }) => {
    if (!telegram.isConnected()) throw new PublicError('bot-not-connected');
    const { code, expiresAt } = await links.newCode(user._id.toHexString());
    const username = telegram.username();
    const url = username === null ? null : `https://t.me/${username}?start=${code}`;
    return { code, url, expiresAt: expiresAt.toISOString() };
  });

  register(router, telegramCalls.unlink, async (_input, { user, ctx }) => {
    await links.unlink(user._id.toHexString(), actorOf(user, ctx));
    return { linked: null };
  });
}

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
    requireScriptedCall(caller.ctx, forwarding);
    return send(params.message, caller);
  });
}

/**
 * Refuses a GET call with effects unless a script of our own page or a program sends it (decision 15): a link in a mail, a typed
 * address and a prefetch are navigations. Browsers state the origin and the purpose of a request; one that does not state them
 * must send a header that no navigation carries. Throws `foreign-origin`.
 */
function requireScriptedCall({ req }: Koa.Context, { requestedHost }: Pick<Forwarding, 'requestedHost'>): void {
  const { headers } = req;
  const host = requestedHost(req);
  const { referer, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers;
  const statesNothing = site === undefined && destination === undefined;
  const isScripted = statesNothing
    ? headers[SCRIPT_HEADER.toLowerCase()] === SCRIPT_HEADER_VALUE
    : site === 'same-origin' && destination === 'empty';
  const isOwn =
    isScripted &&
    isOwnOrigin(headers, host) &&
    headers['sec-purpose'] === undefined &&
    headers.purpose === undefined &&
    (referer === undefined || isOwnOrigin({ origin: referer }, host));
  if (!isOwn) throw new PublicError('foreign-origin');
}
