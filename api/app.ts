import type { IncomingMessage, RequestListener } from 'node:http';
import Router, { type RouterInstance } from '@koa/router';
import type Koa from 'koa';
import compress from 'koa-compress';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../common/errors.ts';
import type { Clock } from '../common/time.ts';
import type { ApiKeys } from './api-keys/service.ts';
import type { Audit } from './audit/service.ts';
import type { Sessions } from './auth/sessions.ts';
import type { UserSessions } from './auth/user-sessions.ts';
import { browserChain, type ChainEndpoint } from './chain/endpoint.ts';
import type { Config } from './config/config.ts';
import type { EventSource } from './events/bus.ts';
import { type AdminKeyDeps, adminKey } from './http/admin-key.ts';
import { createCallerFinder, currentUser, recentUsers } from './http/caller.ts';
import { type Forwarding, trustProxies } from './http/edge/forwarding.ts';
import type { KnownHosts } from './http/edge/hosts.ts';
import { refuseForeignOrigin, refuseUnknownHost, securityHeaders, setHeaders } from './http/edge/security.ts';
import { errorBody } from './http/errors.ts';
import { keyCaller } from './http/key-caller.ts';
import { createLimiter, type Limits, type QuickLimits } from './http/limits/rate-limits.ts';
import { createReadCount, limitReads } from './http/limits/read-limits.ts';
import { requestLog } from './http/request-log.ts';
import { sharedReads } from './http/shared-reads.ts';
import { clientPage, staticClient } from './http/static-client.ts';
import type { Metrics } from './metrics/metrics.ts';
import { type DatabaseMonitor, requireDatabase } from './platform/database-monitor.ts';
import type { ServerOptions } from './process.ts';
import type { Routes } from './services/core.ts';
import type { Users } from './users/service.ts';

interface AppDeps {
  /** The Koa app that the session middleware was made for. */
  koa: Koa;
  sessions: Pick<Sessions, 'middleware' | 'peek'>;
  userSessions: Pick<UserSessions, 'requireConfirmation'>;
  apiKeys: Pick<ApiKeys, 'find'>;
  /** Routes of every subject. */
  routes: readonly Routes[];
  /** Routes that work without the database and sessions. */
  publicRoutes: readonly Routes[];
  /** Null: there is no page `/metrics`. */
  metrics: Metrics | null;
  /** Passes requests that need the worker on to it; null: this process is the worker. */
  forward: Koa.Middleware | null;
  connection: Connection;
  database: DatabaseMonitor;
  users: Users;
  bus: EventSource;
  audit: Pick<Audit, 'record'>;
  chain: ChainEndpoint | null;
  forwarding: Forwarding;
  hosts: KnownHosts;
  limits: Limits;
  quickLimits: QuickLimits;
  clock: Clock;
  config: Config;
  options: Pick<ServerOptions, 'webRoot'>;
  log: Logger;
}

/** The REST service and the client's files: middleware in order, then the routes. */
export async function createApp(deps: AppDeps): Promise<RequestListener> {
  const { koa: app, connection, forwarding, config, log } = deps;
  app.on('error', (error: unknown) => log.debug({ error }, 'response failed'));
  const open = routerOf(deps.publicRoutes);
  const api = routerOf(deps.routes);
  const users = recentUsers(deps.users.findActive);
  deps.bus.on('rights-changed', ({ userId }) => users.drop(userId));
  deps.bus.on('account-changed', ({ userId }) => users.drop(userId));
  const findCaller = createCallerFinder(users, deps.clock);
  const reads = deps.quickLimits.limiter('read', deps.limits.readPerUser);
  const chain = browserChain(config, deps.chain);
  const headers = securityHeaders(chain === null ? [] : [chain.rpcUrl, chain.wsUrl], config.isHttps);
  const isOwnHost = (request: IncomingMessage) => deps.hosts.accepts(forwarding.requestedHost(request));
  const attempts = {
    perAddress: await createLimiter(connection, 'admin-key-address', deps.limits.adminKeyPerAddress),
    inAll: await createLimiter(connection, 'admin-key', deps.limits.adminKey),
  };
  const keyLimits = {
    perKey: deps.quickLimits.limiter('api-key', deps.limits.requestPerApiKey),
    wrong: deps.quickLimits.limiter('api-key-address', deps.limits.apiKeyPerAddress),
  };

  const record: AdminKeyDeps['record'] = (action, address, path) =>
    deps.audit.record(action, { user: null, address }, null, path);

  app.use(trustProxies(app, forwarding, config.isHttps));
  app.use(requestLog(log, forwarding.believes));
  if (deps.metrics) app.use(deps.metrics.count);
  app.use(
    sharedReads({ headers, isOwnHost, database: deps.database, peekSession: deps.sessions.peek, findCaller, reads }),
  );
  app.use(setHeaders(headers));
  if (deps.metrics) app.use(deps.metrics.page);
  app.use(errorBody(log));
  app.use(refuseUnknownHost(isOwnHost));
  if (deps.forward) app.use(deps.forward);
  app.use(compress());
  app.use(refuseForeignOrigin(forwarding));
  app.use(dispatch(open));
  app.use(onlyUnder('/api', requireDatabase(deps.database)));
  app.use(onlyUnder('/api', deps.sessions.middleware));
  app.use(limitReads(createReadCount(reads)));
  app.use(currentUser(findCaller));
  app.use(onlyUnder('/api', keyCaller(deps.apiKeys.find, keyLimits)));
  app.use(confirmation(deps.userSessions));
  app.use(adminKey({ key: config.directAdminKey, attempts, record, log }));
  app.use(dispatch(api));
  app.use(onlyUnder('/api', refuseUnknown([open, api])));
  app.use(onlyUnder('/metrics', refuseUnknown([])));
  // A process without pages serves calls only, if any.
  if (!config.roles.has('http')) app.use(refuseUnknown([]));
  app.use(staticClient(deps.options.webRoot));
  app.use(clientPage(deps.options.webRoot));
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

/** Puts `requireConfirmation` on the request. */
function confirmation({ requireConfirmation }: AppDeps['userSessions']): Koa.Middleware {
  return (ctx, next) => {
    ctx.state.requireConfirmation = () => requireConfirmation(ctx.session?.externalKey);
    return next();
  };
}

function routerOf(routes: readonly Routes[]): RouterInstance {
  const router = new Router({ sensitive: true, strict: true });
  for (const register of routes) register(router);
  return router;
}

/** Returns the routes of `router`. Those without parameters are looked up: the router tries every pattern with every request. */
function dispatch(router: RouterInstance): ReturnType<RouterInstance['routes']> {
  const routes = router.routes();
  const fixed = new Map<string, typeof routes>();
  for (const layer of router.stack) {
    if (typeof layer.path !== 'string' || layer.paramNames.length > 0) continue;
    const only = routerOf([]);
    only.stack.push(layer);
    for (const method of layer.methods) fixed.set(`${method} ${layer.path}`, only.routes());
  }
  const choose = (...[ctx, next]: Parameters<typeof routes>) =>
    (fixed.get(`${ctx.method} ${ctx.path}`) ?? routes)(ctx, next);
  return Object.assign(choose, { router });
}

function onlyUnder(prefix: string, middleware: Koa.Middleware): Koa.Middleware {
  return (ctx, next) => (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next());
}

/** Responds 405 with the methods that the address accepts, else 404. */
function refuseUnknown(routers: readonly RouterInstance[]): Koa.Middleware {
  return (ctx) => {
    const methods = new Set(
      routers.flatMap((router) => router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)),
    );
    if (methods.size === 0) throw new PublicError('not-found');
    ctx.set('Allow', [...methods].join(', '));
    throw new PublicError('method-not-allowed');
  };
}
