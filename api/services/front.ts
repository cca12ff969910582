import { userAdminRoutes } from '../admin/routes.ts';
import { createUserAdmin } from '../admin/users.ts';
import { StartError } from '../config/config.ts';
import type { Part } from '../platform/lifecycle.ts';
import { createForward } from '../processes/forward.ts';
import { openTelegramLinks } from '../telegram/links.ts';
import { userModel } from '../users/model.ts';
import type { Accounts } from './accounts.ts';
import type { Core, Routes } from './core.ts';
import { openFeedTokens } from './feed-tokens.ts';
import { publicRoutes } from './public.ts';
import { openUserData } from './user-data.ts';

/**
 * Opens what a process without the worker serves: calls that need MongoDB and the feed alone, and the way of the other ones to the
 * worker. It opens no source, node, bot or order.
 */
export async function openFront(base: Core & Accounts) {
  const { config, connection, users, audit, adminActions, bus, clock, limits, forwarding, feedLog } = base;
  const { secret } = config.channel;
  if (secret === null) throw new StartError('CHANNEL_SECRET: is needed by a process without the worker');
  const forward = createForward({ connection, secret, forwarding, isFollowing: feedLog.isFollowing });
  const tokens = await openFeedTokens(base);
  const userData = await openUserData({ ...base, ...tokens });
  const links = await openTelegramLinks({ connection, users, audit, bus, clock, limits });
  const userAdmin = createUserAdmin({ ...base, ...userData, model: userModel(connection), links });
  const routes: Routes[] = [
    ...base.routes,
    ...userData.routes,
    ...tokens.routes,
    (router) => userAdminRoutes(router, { userAdmin, adminActions }),
  ];
  const parts: Part[] = [...tokens.parts, { name: 'channel to the worker', stage: 'doors', stop: forward.stop }];
  return {
    index: null,
    marketFacts: null,
    // Clients of filtered lists poll.
    lists: null,
    routes,
    // The sources are the worker's.
    publicRoutes: publicRoutes({ ...base, market: { status: () => [] } }),
    metrics: null,
    forward: forward.middleware,
    parts,
  };
}
