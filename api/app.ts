import type { RequestListener } from 'node:http';
import Router, { type RouterInstance } from '@koa/router';
import Koa from 'koa';
import compress from 'koa-compress';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { ChainConfig } from '../common/client-config/model.ts';
import { PublicError } from '../common/errors.ts';
import type { Clock } from '../common/time.ts';
import type { FeedLog } from '../realtime/feed-log/feed-log.ts';
import type { System } from './admin/system.ts';
import { systemRoutes } from './admin/system-routes.ts';
import { adminUserRoutes } from './admin/user-routes.ts';
import { createUserAdmin } from './admin/users.ts';
import { createNotificationStats } from './alerts/delivery/notification-stats.ts';
import { alertRoutes } from './alerts/routes.ts';
import type { Alerts } from './alerts/service.ts';
import type { AdminActions } from './audit/admin-actions.ts';
import { auditRoutes } from './audit/routes.ts';
import type { Audit } from './audit/service.ts';
import { authRoutes } from './auth/routes.ts';
import { createAuth } from './auth/service.ts';
import { createSessions, type Sessions } from './auth/sessions.ts';
import type { ChainEndpoint } from './chain/chain-endpoint.ts';
import { configRoutes } from './client-config/routes.ts';
import { diagnosticsRoutes } from './diagnostics/routes.ts';
import type { Diagnostics } from './diagnostics/service.ts';
import { docsRoutes } from './docs/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { adminKey } from './http/admin-key.ts';
import { errorBody } from './http/errors.ts';
import { believeProxies, type Forwarding } from './http/forwarding.ts';
import { refuseForeignOrigin } from './http/origin.ts';
import { createLimiter, type Limits } from './http/rate-limits.ts';
import { requestLog } from './http/request-log.ts';
import { securityHeaders } from './http/security-headers.ts';
import { sessionMiddleware, sessionModel } from './http/session.ts';
import { clientPage, staticClient } from './http/static-client.ts';
import { maintenanceRoutes } from './maintenance/routes.ts';
import { createMaintenance } from './maintenance/service.ts';
import type { Market } from './market/market.ts';
import type { Aggregator } from './market/polling/aggregator.ts';
import type { MintLookup } from './market/sources/solana/facts/mint-lookup.ts';
import { ensureIndexes, requireDatabase } from './platform/database.ts';
import { previewRoutes } from './preview/routes.ts';
import { createPreviews } from './preview/service.ts';
import { ruleRoutes } from './rules/routes.ts';
import { openRules } from './rules/service.ts';
import type { Runs } from './runs/service.ts';
import { settingsRoutes } from './settings/routes.ts';
import { createSettings } from './settings/service.ts';
import type { PriceApi } from './source-keys/price-api.ts';
import { sourceRoutes } from './source-keys/routes.ts';
import { strategyRoutes } from './strategies/routes.ts';
import { openStrategies } from './strategies/service.ts';
import { broadcastRoutes } from './telegram/broadcast/routes.ts';
import { openBroadcasts } from './telegram/broadcast/service.ts';
import type { CommandServices } from './telegram/commands/command.ts';
import type { TelegramLinks } from './telegram/links/service.ts';
import { telegramRoutes } from './telegram/routes.ts';
import type { Telegram } from './telegram/telegram.ts';
import { templateRoutes } from './templates/routes.ts';
import type { Templates } from './templates/service.ts';
import { tokenModels } from './tokens/model.ts';
import { tokenRoutes } from './tokens/routes.ts';
import { createTokenQueries } from './tokens/service.ts';
import { transactionRoutes } from './transactions/routes.ts';
import type { Transactions } from './transactions/service.ts';
import { createRights, rightsModel } from './users/admin-rights.ts';
import { currentUser } from './users/current-user.ts';
import { userModel } from './users/model.ts';
import { userRoutes } from './users/routes.ts';
import type { Users } from './users/service.ts';
import type { TellUser } from './users/user-events.ts';
import { createOwnerCheck } from './wallet/owner-check.ts';
import { walletRoutes } from './wallet/routes.ts';
import type { Wallets } from './wallet/service.ts';
import { watchlistRoutes } from './watchlists/routes.ts';
import type { Watchlists } from './watchlists/service.ts';

export interface AppDeps {
  connection: Connection;
  users: Users;
  audit: Audit;
  adminActions: AdminActions;
  priceApi: PriceApi;
  templates: Templates;
  wallets: Wallets;
  watchlists: Watchlists;
  transactions: Transactions;
  telegramLinks: TelegramLinks;
  telegram: Telegram;
  alerts: Alerts;
  tell: TellUser;
  market: Market;
  runs: Runs;
  aggregator: Aggregator;
  system: System;
  mintLookup: () => MintLookup;
  feedLog: FeedLog;
  diagnostics: Diagnostics;
  /** Keys that sign the session cookie, newest first. */
  sessionKeys: readonly string[];
  limits: Limits;
  /** Null: direct access is off. */
  directAdminKey: string | null;
  forwarding: Forwarding;
  /** Where wallets, transfers and trades are; null: nowhere. */
  chain: ChainEndpoint | null;
  /** The same for browsers, without the server's own keys. */
  browserChain: ChainConfig | null;
  clock: Clock;
  log: Logger;
  /** The built client. */
  webRoot: string;
  /** The made user guide. */
  guideRoot: string;
  version: string;
}

export interface App {
  /** For `http.createServer`. */
  handle: RequestListener;
  sessions: Sessions;
  /** What commands of the Telegram bot ask as well. */
  services: Pick<CommandServices, 'queries' | 'settings' | 'rules'>;
  /** Everything that is routed, so that a test can see that no declared call is missing. */
  routers: readonly RouterInstance[];
}

/** The REST service and the client's files. `sessions` is what the live gateway needs of it. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { connection, forwarding, log, webRoot } = deps;
  const app = new Koa();
  app.keys = [...deps.sessionKeys];
  app.on('error', (error: unknown) => log.debug({ error }, 'response failed'));

  const sessionRecords = sessionModel(connection);
  await ensureIndexes(sessionRecords);
  const session = sessionMiddleware(app, sessionRecords);
  const sessions = createSessions({ ...deps, app, middleware: session, sessions: sessionRecords });
  const auth = await createAuth(deps);

  const open = new Router({ sensitive: true, strict: true });
  healthRoutes(open, deps);
  docsRoutes(open, deps);
  const api = new Router({ sensitive: true, strict: true });
  authRoutes(api, { ...deps, auth, sessions });
  configRoutes(api, deps);
  const ownerCheck = await createOwnerCheck(deps);
  const settings = createSettings({ ...deps, ownerCheck });
  walletRoutes(api, { ...deps, settings, ownerCheck });
  diagnosticsRoutes(api, deps);
  settingsRoutes(api, { settings });
  const queries = createTokenQueries({ ...deps, models: tokenModels(connection) });
  tokenRoutes(api, { ...deps, queries });
  watchlistRoutes(api, deps);
  userRoutes(api, { ...deps, auth });
  const userRecords = userModel(connection);
  const rights = createRights({ users: userRecords, rights: rightsModel(connection) });
  const links = deps.telegramLinks;
  adminUserRoutes(api, { userAdmin: createUserAdmin({ ...deps, model: userRecords, rights, links, sessions }) });
  auditRoutes(api, deps);
  sourceRoutes(api, deps);
  templateRoutes(api, { ...deps, queries });
  const rules = await openRules(deps);
  ruleRoutes(api, { rules });
  telegramRoutes(api, deps);
  const notificationStats = createNotificationStats(deps);
  broadcastRoutes(api, { ...deps, broadcasts: await openBroadcasts(deps), notificationStats });
  alertRoutes(api, deps);
  const countTokens = () => queries.count(undefined);
  const maintenance = createMaintenance({ ...deps, aggregation: deps.aggregator, countTokens });
  maintenanceRoutes(api, { ...deps, maintenance, scanners: deps.system.scanners });
  systemRoutes(api, deps.system);
  strategyRoutes(api, { ...deps, strategies: await openStrategies(deps) });
  previewRoutes(api, { previews: await createPreviews(deps) });
  transactionRoutes(api, deps);

  app.use(believeProxies(app, forwarding));
  app.use(requestLog(log));
  app.use(securityHeaders(deps.browserChain === null ? [] : [deps.browserChain.rpcUrl, deps.browserChain.wsUrl]));
  app.use(errorBody(log));
  app.use(compress());
  app.use(refuseForeignOrigin(forwarding));
  app.use(open.routes());
  app.use(onlyUnder('/api', requireDatabase(connection)));
  app.use(onlyUnder('/api', session));
  app.use(currentUser(deps.users));
  const tries = await createLimiter(connection, 'admin-key-address', deps.limits.adminKeyPerAddress);
  app.use(adminKey({ key: deps.directAdminKey, tries, audit: deps.audit, log }));
  app.use(api.routes());
  app.use(onlyUnder('/api', refuseUnknown([open, api])));
  app.use(staticClient(webRoot));
  app.use(clientPage(webRoot));
  const handle = app.callback();
  return {
    handle: (request, response) => void handle(request, response),
    sessions,
    services: { queries, settings, rules },
    routers: [open, api],
  };
}

function onlyUnder(prefix: string, middleware: Koa.Middleware): Koa.Middleware {
  return (ctx, next) => (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next());
}

/** 405 with the methods an address does accept, else 404. */
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
