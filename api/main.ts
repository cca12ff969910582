import { createServer } from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createMemoryLog } from '../realtime/feed-log/memory.ts';
import { createGateway, type Gateway } from '../realtime/gateway/gateway.ts';
import { createPublisher } from '../realtime/publisher.ts';
import { createSystem } from './admin/system.ts';
import { openAlerting } from './alerts/open.ts';
import { createApp } from './app.ts';
import { createAdminActions } from './audit/admin-actions.ts';
import { openAudit } from './audit/service.ts';
import { browserChain, chainEndpoint } from './chain/chain-endpoint.ts';
import { readConfig } from './config/config.ts';
import { createDiagnostics } from './diagnostics/service.ts';
import { Sightings } from './diagnostics/sightings.ts';
import { watchedOf } from './diagnostics/watched.ts';
import { createEventBus } from './events/bus.ts';
import { publishDomainEvents } from './events/publish.ts';
import { createForwarding } from './http/forwarding.ts';
import { answerUnreadable, closeServer, listen } from './http/listen.ts';
import { addressKey, defaultLimits } from './http/rate-limits.ts';
import { keptSessionKeys } from './http/session-keys.ts';
import { openKeys } from './keys/service.ts';
import { createMarket } from './market/market.ts';
import { createAggregator } from './market/polling/aggregator.ts';
import { sourcesFromConfig } from './market/sources/create-sources.ts';
import { createKeyring, keyStateOf } from './market/sources/keyring.ts';
import { clusterUrls, createMintLookup } from './market/sources/solana/facts/mint-lookup.ts';
import { connectDatabase } from './platform/database.ts';
import { createLog } from './platform/log.ts';
import { loggable } from './platform/loggable.ts';
import { productRoot, productVersion } from './platform/product.ts';
import { type Stop, type StopStage, stopInOrder } from './platform/shutdown.ts';
import type { RunningServer, ServerOptions } from './running-server.ts';
import { createRuns } from './runs/service.ts';
import { createSocialScanner } from './social/scanner.ts';
import { createPriceApi } from './source-keys/price-api.ts';
import { openSourceKeys } from './source-keys/store.ts';
import { startDirectly } from './start-directly.ts';
import { createBalances } from './telegram/balance.ts';
import { openTelegramLinks } from './telegram/links/service.ts';
import { createTelegram } from './telegram/telegram.ts';
import { openTemplates } from './templates/service.ts';
import { createFollower } from './transactions/follower.ts';
import { openTransactions } from './transactions/service.ts';
import { ensureFirstAdmin } from './users/first-admin.ts';
import { openUsers } from './users/service.ts';
import { createTellUser } from './users/user-events.ts';
import { openWallets } from './wallet/service.ts';
import { createWatchlists } from './watchlists/service.ts';

/** What a gateway that is not there yet has. */
const NO_CLIENTS = { connections: 0, stalled: 0, queuedBytes: 0, closedSlow: 0 };

/** config → database → app, market and gateway → listen. Throws a StartError with one clear line. */
export async function main(options: ServerOptions): Promise<RunningServer> {
  const config = readConfig(options.env);
  const log = createLog(config.logLevel);
  const clock = { now: Date.now };
  const stops: Stop[] = [];
  const onStop = (stage: StopStage, name: string, run: Stop['run']) => stops.push({ stage, name, run });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopInOrder(stops, log));
  try {
    const keyring = createKeyring(config.sources.keys);
    const sources = await sourcesFromConfig(config, { clock, keyring });
    const sessionKeys = config.sessionKeys ?? (await keptSessionKeys(config.dataDir));
    const connection = await connectDatabase(options.mongoUri, log);
    onStop('stores', 'database', () => connection.close());
    options.announce('database connected');

    const feedLog = createMemoryLog({ clock });
    onStop('stores', 'feed log', () => feedLog.close());
    let gateway: Gateway | undefined;
    const publisher = createPublisher(feedLog, (room) => gateway?.listens(room) ?? false);
    // Every domain event passes here; subjects emit and subscribe, and `publishDomainEvents` forwards to clients.
    const bus = createEventBus((error, event) => log.error({ error: loggable(error), event }, 'event handler failed'));
    const stopPublishing = publishDomainEvents(bus, publisher);
    onStop('stores', 'domain events', async () => stopPublishing());
    const sightings = new Sightings(clock, () => watchedOf(sources));
    const market = createMarket({
      sources,
      connection,
      publisher,
      clock,
      random: Math.random,
      log,
      solUsd: config.solUsd,
      onObserved: (...told) => sightings.observed(...told),
      keyOf: (source) => keyStateOf(keyring, source),
    });
    const users = await openUsers(connection, clock);
    // Before anyone can reach the server: a stranger could register the administrator's name.
    const admin = { username: config.adminUsername, password: config.adminPassword };
    await ensureFirstAdmin(users, admin, options.announce);
    const audit = await openAudit(connection, clock);
    const runs = createRuns({ publisher, audit, clock, log });
    const keys = await openKeys(connection, config, clock);
    const wallets = await openWallets(connection, { keys, audit, clock });
    const tell = createTellUser(publisher);
    const watchlists = createWatchlists({ connection, tell, clock });
    const limits = options.limits ?? defaultLimits;
    const telegramLinks = await openTelegramLinks({ connection, users, audit, tell, clock, limits });
    const botDeps = { connection, config, links: telegramLinks, users, publisher, clock, random: Math.random, log };
    const telegram = createTelegram(botDeps);
    const adminActions = await createAdminActions({ connection, audit, limits });
    const sourceKeys = await openSourceKeys({ connection, keys, keyring, sources: ['solana-tracker'], clock, log });
    const priceApi = createPriceApi({
      keyring,
      sourceKeys,
      adminActions,
      baseUrl: config.sources.urls['solana-tracker'],
      clock,
      random: Math.random,
    });
    const templates = await openTemplates({ connection, adminActions, clock });
    const aggregator = createAggregator({ sources, market, runs, clock, log });
    const { xBearerToken, xAccounts, urls } = config.sources;
    const social = createSocialScanner({
      token: xBearerToken,
      accounts: xAccounts,
      ...(urls.x === undefined ? {} : { apiRoot: urls.x }),
      clock,
      random: Math.random,
      log,
    });
    const alerting = { connection, feedLog, publisher, templates, telegram, clock, random: Math.random, log };
    const { alerts, delivery } = await openAlerting(alerting);
    const chain = chainEndpoint(config, options.chain);
    const transactions = await openTransactions(connection, {
      chain,
      wallets,
      tell,
      clock,
      limit: limits.recordTransactionPerUser,
      onRecorded: () => follower?.wake(),
    });
    const follower = chain && createFollower({ chain, transactions, random: Math.random, log });
    const { webRoot } = options;
    const version = productVersion();
    const system = createSystem({
      connection,
      feedLog,
      publisher,
      market,
      aggregator,
      social,
      telegram,
      clients: () => gateway?.stats() ?? NO_CLIENTS,
      version,
      clock,
      log,
    });
    const mints = clusterUrls(config, chain);
    const forwarding = createForwarding(config.trustedProxies);
    const diagnostics = createDiagnostics({
      connection,
      feedLog,
      publisher,
      sightings,
      stored: () => market.stored(),
      clock,
      log,
    });
    onStop('listeners', 'diagnostics', async () => diagnostics.stop());
    const app = await createApp({
      connection,
      users,
      audit,
      adminActions,
      priceApi,
      templates,
      wallets,
      watchlists,
      transactions,
      telegramLinks,
      telegram,
      alerts,
      tell,
      market,
      runs,
      aggregator,
      system,
      mintLookup: () => createMintLookup(mints, { random: Math.random, clock }),
      feedLog,
      diagnostics,
      sessionKeys,
      limits,
      directAdminKey: config.directAdminKey,
      forwarding,
      chain,
      browserChain: browserChain(config, chain),
      clock,
      log,
      webRoot,
      guideRoot: options.guideRoot ?? path.join(productRoot(), '.build/guide'),
      version,
    });
    const server = createServer(app.handle);
    answerUnreadable(server);
    gateway = createGateway(server, {
      feedLog,
      ...app.sessions,
      clientAddress: (request) => addressKey(forwarding.clientAddress(request)),
      askedHost: forwarding.askedHost,
      log,
      clock,
    });
    app.sessions.onSessionEnded(gateway.endSession);

    onStop('doors', 'transactions', async () => follower?.stop());
    onStop('listeners', 'alerts', () => alerts.stop());
    onStop('doors', 'market', () => market.stop());
    const url = await listen(server, config.host, config.port);
    onStop('doors', 'server', () => Promise.all([gateway?.close(), closeServer(server)]));
    follower?.start();
    const balances = createBalances(chain, Math.random);
    onStop('doors', 'Telegram bot', async () => {
      balances.stop();
      // The bot first: that ends the messages on their way, which the delivery waits for.
      try {
        await telegram.stop();
      } finally {
        await delivery.stop();
      }
    });
    delivery.start();
    telegram.start({ ...app.services, market, watchlists, wallets, balance: balances.of });
    await alerts.start();
    system.start();
    onStop('work', 'system status', async () => system.stop());
    onStop('work', 'maintenance runs', () => runs.stop());
    diagnostics.start();
    await market.start();
    aggregator.start();
    social.start();
    onStop('work', 'scanners', async () => {
      aggregator.stop();
      await social.stop();
    });
    options.announce(
      config.market.length > 0 ? `market: ${sources.map(({ name }) => name).join(', ')}` : 'market: off',
    );
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await startDirectly(main);
