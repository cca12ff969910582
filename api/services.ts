import type { Server } from 'node:http';
import Koa from 'koa';
import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../common/errors.ts';
import { idSchema } from '../common/users/model.ts';
import { createGateway, type Gateway } from '../realtime/gateway/gateway.ts';
import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { setTransportHeaders } from './http/edge/security.ts';
import { addressKey } from './http/limits/rate-limits.ts';
import { createHttpServer } from './http/listen.ts';
import type { Source } from './market/sources/source.ts';
import type { Lifecycle } from './platform/lifecycle.ts';
import type { ServerOptions } from './process.ts';
import { openAccounts } from './services/accounts.ts';
import { openAdministration } from './services/administration.ts';
import { openCore } from './services/core.ts';
import { openMarketServices } from './services/market.ts';
import { openMessaging } from './services/messaging.ts';
import { openTradingServices } from './services/trading.ts';
import { openUserData } from './services/user-data.ts';
import type { LiveIndex } from './tokens/list-index/live-index.ts';

export interface Services {
  server: Server;
  gateway: Gateway;
  sources: readonly Source[];
  index: LiveIndex;
}

/** Gateway figures before the gateway exists. */
const NO_CLIENTS = { connections: 0, stalled: 0, queuedBytes: 0, closedSlow: 0 };

/**
 * The composition root: opens every service once, each stage with what the stages before it opened, and wires the app and
 * the live gateway to them. Nothing runs before `lifecycle.start()`, nothing listens yet.
 */
export async function openServices(deps: {
  config: Config;
  options: ServerOptions;
  lifecycle: Lifecycle;
  log: Logger;
}): Promise<Services> {
  const { log } = deps;
  const koa = new Koa();
  let gateway: Gateway | undefined;
  const core = await openCore({ ...deps, koa, hasMembers: (room) => gateway?.hasMembers(room) ?? false });
  const accounts = await openAccounts(core);
  const market = await openMarketServices({ ...core, ...accounts });
  const userData = await openUserData({ ...core, ...accounts, ...market });
  const trading = await openTradingServices({ ...core, ...accounts, ...market, ...userData });
  const messaging = await openMessaging({ ...core, ...accounts, ...market, ...userData, ...trading });
  const all = { ...core, ...accounts, ...market, ...userData, ...trading, ...messaging };
  const administration = await openAdministration({ ...all, clients: () => gateway?.stats() ?? NO_CLIENTS });

  const stages = [accounts, market, userData, trading, messaging, administration];
  const app = await createApp({
    ...all,
    koa,
    publicRoutes: administration.publicRoutes,
    metrics: administration.metrics,
    routes: stages.flatMap(({ routes }) => routes),
  });
  const server = createHttpServer(app, core.forwarding);
  gateway = createGateway(server, {
    feedLog: core.feedLog,
    authenticate: accounts.sessions.authenticate,
    aliveSessions: accounts.sessions.aliveSessions,
    clientAddress: (request) => addressKey(core.forwarding.clientAddress(request)),
    requestedHost: core.forwarding.requestedHost,
    acceptsHost: core.hosts.accepts,
    async recordWatch({ id, username, isAdmin }, address, userId) {
      if (!idSchema.safeParse(userId).success) throw new PublicError('unknown-topic');
      const by = { user: { _id: new Types.ObjectId(id), username, isAdmin }, address };
      await accounts.adminActions.authorizeLook(by, userId, 'live changes');
    },
    log,
    clock: core.clock,
  });
  setTransportHeaders(server, core.config.isHttps);
  core.bus.on('session-ended', ({ sessionId }) => gateway?.endSession(sessionId));
  for (const part of [
    ...userData.parts,
    ...trading.parts,
    ...messaging.parts,
    ...administration.parts,
    ...market.parts,
  ]) {
    core.lifecycle.add(part);
  }
  return { server, gateway, sources: core.sources, index: market.index };
}
