import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createGateway, type Gateway } from '../realtime/gateway.ts';
import { createMemoryLog } from '../realtime/memoryLog.ts';
import { createPublisher } from '../realtime/publisher.ts';
import { createApp } from './app.ts';
import { openAudit } from './audit/service.ts';
import { browserChain, chainEndpoint } from './chain/chainEndpoint.ts';
import { readConfig } from './config.ts';
import { openKeys } from './keys/service.ts';
import { createMarket } from './market/market.ts';
import { sourcesFromConfig } from './market/sources/fromConfig.ts';
import { connectDatabase } from './server/database.ts';
import { addressKey, defaultLimits } from './server/limits.ts';
import { answerUnreadable, closeServer, listen } from './server/listen.ts';
import { createLog } from './server/log.ts';
import { productVersion } from './server/product.ts';
import { createForwarding } from './server/proxy.ts';
import type { RunningServer, ServerOptions } from './server/running.ts';
import { keptSessionKeys } from './server/sessionKeys.ts';
import { type Stop, stopInOrder } from './server/shutdown.ts';
import { startDirectly } from './server/startDirectly.ts';
import { createFollower } from './transactions/follower.ts';
import { openTransactions } from './transactions/service.ts';
import { ensureFirstAdmin } from './users/firstAdmin.ts';
import { openUsers } from './users/service.ts';
import { createTellUser } from './users/tell.ts';
import { openWallets } from './wallet/service.ts';
import { createWatchlists } from './watchlists/service.ts';

/** config → database → app, market and gateway → listen. Throws a StartError with one clear line. */
export async function main(options: ServerOptions): Promise<RunningServer> {
  const config = readConfig(options.env);
  const log = createLog(config.logLevel);
  const clock = { now: Date.now };
  const stops: Stop[] = [];
  // Market before database, so that its last tick is stored; the newest start is stopped first.
  const onStop = (name: string, ms: number, run: Stop['run']) => stops.unshift({ name, ms, run });
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= stopInOrder(stops, log));
  try {
    const sources = await sourcesFromConfig(config, clock);
    const sessionKeys = config.sessionKeys ?? (await keptSessionKeys(config.dataDir));
    const connection = await connectDatabase(options.mongoUri, log);
    onStop('database', 500, () => connection.close());
    options.announce('database connected');

    const feedLog = createMemoryLog({ clock });
    onStop('feed log', 100, () => feedLog.close());
    let gateway: Gateway | undefined;
    const publisher = createPublisher(feedLog, (room) => gateway?.listens(room) ?? false);
    const market = createMarket({
      sources,
      connection,
      publisher,
      clock,
      random: Math.random,
      log,
      solUsd: config.solUsd,
    });
    const users = await openUsers(connection, clock);
    // Before anyone can reach the server: a stranger could register the administrator's name.
    const admin = { username: config.adminUsername, password: config.adminPassword };
    await ensureFirstAdmin(users, admin, options.announce);
    const audit = await openAudit(connection, clock);
    const keys = await openKeys(connection, config, clock);
    const wallets = await openWallets(connection, { keys, audit, clock });
    const tell = createTellUser(publisher);
    const watchlists = createWatchlists({ connection, tell, clock });
    const limits = options.limits ?? defaultLimits;
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
    const forwarding = createForwarding(config.trustedProxies);
    const app = await createApp({
      connection,
      users,
      audit,
      wallets,
      watchlists,
      transactions,
      tell,
      market,
      feedLog,
      sessionKeys,
      limits,
      directAdminKey: config.directAdminKey,
      forwarding,
      chain,
      browserChain: browserChain(config, chain),
      botUsername: config.telegramBotUsername,
      clock,
      log,
      webRoot,
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

    onStop('transactions', 1000, async () => follower?.stop());
    onStop('market', 2000, () => market.stop());
    const url = await listen(server, config.host, config.port);
    onStop('server', 1900, () => Promise.all([gateway?.close(), closeServer(server)]));
    follower?.start();
    await market.start();
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
