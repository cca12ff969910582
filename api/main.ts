import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createGateway, type Gateway } from '../realtime/gateway.ts';
import { createMemoryLog } from '../realtime/memoryLog.ts';
import { createPublisher } from '../realtime/publisher.ts';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
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
import { ensureFirstAdmin } from './users/firstAdmin.ts';
import { openUsers } from './users/service.ts';

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
    const limits = options.limits ?? defaultLimits;
    const { webRoot } = options;
    const version = productVersion();
    const forwarding = createForwarding(config.trustedProxies);
    const app = await createApp({
      connection,
      users,
      market,
      feedLog,
      sessionKeys,
      limits,
      forwarding,
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

    onStop('market', 2000, () => market.stop());
    const url = await listen(server, config.host, config.port);
    onStop('server', 1900, () => Promise.all([gateway?.close(), closeServer(server)]));
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
