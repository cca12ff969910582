import type { Server } from 'node:http';
import Koa from 'koa';
import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../common/errors.ts';
import { idSchema } from '../common/users/model.ts';
import { createGateway, type Gateway } from '../realtime/gateway/gateway.ts';
import type { ListWatch } from '../realtime/list-watch.ts';
import { createApp } from './app.ts';
import type { Config } from './config/config.ts';
import { setTransportHeaders } from './http/edge/security.ts';
import { addressKey } from './http/limits/rate-limits.ts';
import { createHttpServer } from './http/listen.ts';
import type { Source } from './market/sources/source.ts';
import type { Lifecycle } from './platform/lifecycle.ts';
import type { ServerOptions } from './process.ts';
import { createChannelServer } from './processes/channel.ts';
import type { Lease, MarketFacts } from './processes/lease.ts';
import { type Accounts, openAccounts } from './services/accounts.ts';
import type { AdministrationClients } from './services/administration.ts';
import { type Core, openCore } from './services/core.ts';
import { openFront } from './services/front.ts';
import { openSockets } from './services/sockets.ts';
import { openWorker } from './services/worker.ts';
import type { LiveIndex } from './tokens/list-index/live-index.ts';

export interface Services {
  /** The server of clients; null in a process of the worker alone. */
  server: Server | null;
  /** The internal server for other processes; null without the worker, and without a secret. */
  channel: Server | null;
  gateway: Gateway | null;
  sources: readonly Source[];
  /** Null without the worker. */
  index: LiveIndex | null;
  /** Returns the facts of the market that other processes show; null without the worker. */
  marketFacts: (() => MarketFacts) | null;
  lease: Lease;
}

/** Gateway figures without a gateway. */
const NO_CLIENTS = { connections: 0, stalled: 0, queuedBytes: 0, closedSlow: 0 };

/**
 * The composition root: opens every service of this process's roles once, each stage with what the stages before it opened, and
 * wires the app and the live gateway to them. Nothing runs before `lifecycle.start()`, nothing listens yet.
 */
export async function openServices(deps: {
  config: Config;
  options: ServerOptions;
  lifecycle: Lifecycle;
  log: Logger;
}): Promise<Services> {
  const { roles, channel } = deps.config;
  const koa = new Koa();
  let gateway: Gateway | null = null;
  const hasMembers = (room: string) => gateway?.hasMembers(room) ?? false;
  const core = await openCore({ ...deps, koa, hasMembers });
  const accounts = await openAccounts(core);
  const clients = () => gateway?.stats() ?? NO_CLIENTS;
  const base = { ...core, ...accounts };
  const opened = await openRoles({ ...base, clients });
  const app = await createApp({ ...base, ...opened });
  const isOpen = roles.has('http') || roles.has('realtime');
  const server = isOpen ? createHttpServer(app, core.forwarding) : null;
  if (server && roles.has('realtime')) gateway = openGateway(server, { ...base, lists: opened.lists });
  if (server) setTransportHeaders(server, core.config.isHttps);
  for (const part of opened.parts) core.lifecycle.add(part);
  const { secret } = channel;
  const isHolder = roles.has('worker') && secret !== null;
  return {
    server,
    channel: isHolder ? createChannelServer(app, { secret, forwarding: core.forwarding }) : null,
    gateway,
    sources: core.sources,
    index: opened.index,
    marketFacts: opened.marketFacts,
    lease: core.lease,
  };
}

/** Opens what the roles of this process serve besides live updates. */
function openRoles(base: Core & Accounts & AdministrationClients) {
  const { roles } = base.config;
  if (roles.has('worker')) return openWorker(base);
  return roles.has('http') ? openFront(base) : openSockets(base);
}

/** Opens the gateway of the live clients that connect to `server`. */
function openGateway(
  server: Server,
  { sessions, adminActions, lists, ...core }: Core & Accounts & { lists: ListWatch | null },
): Gateway {
  const gateway = createGateway(server, {
    feedLog: core.feedLog,
    authenticate: sessions.authenticate,
    aliveSessions: sessions.aliveSessions,
    clientAddress: (request) => addressKey(core.forwarding.clientAddress(request)),
    requestedHost: core.forwarding.requestedHost,
    acceptsHost: core.hosts.accepts,
    async recordWatch({ id, username, isAdmin }, address, userId) {
      if (!idSchema.safeParse(userId).success) throw new PublicError('unknown-topic');
      const by = { user: { _id: new Types.ObjectId(id), username, isAdmin }, address };
      await adminActions.authorizeLook(by, userId, 'live changes');
    },
    lists,
    log: core.log,
    clock: core.clock,
  });
  core.bus.on('session-ended', ({ sessionId }) => gateway.endSession(sessionId));
  return gateway;
}
