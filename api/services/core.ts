import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import type { Logger } from 'pino';
import { createPublisher } from '../../realtime/publisher.ts';
import { writeBackup } from '../backup/backup.ts';
import { chainEndpoint, networkUrl } from '../chain/endpoint.ts';
import { createNetworkFacts } from '../chain/network-facts.ts';
import type { Config } from '../config/config.ts';
import { publishDomainEvents } from '../events/publish.ts';
import { createForwarding } from '../http/edge/forwarding.ts';
import { createKnownHosts } from '../http/edge/hosts.ts';
import { defaultLimits } from '../http/limits/rate-limits.ts';
import { createSigningKeys, openSessionKeyFile } from '../http/session-keys.ts';
import { openLaunchpad } from '../launchpad/launchpad.ts';
import { sourcesFromConfig } from '../market/sources/create-sources.ts';
import { createKeyring } from '../market/sources/keyring.ts';
import { openFormats } from '../migrations/migrations.ts';
import { checkDirectoryFormat } from '../platform/data-format.ts';
import { connectDatabase } from '../platform/database.ts';
import { createDatabaseMonitor } from '../platform/database-monitor.ts';
import type { Lifecycle } from '../platform/lifecycle.ts';
import { productVersion } from '../platform/product.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import type { ServerOptions } from '../process.ts';
import { openLive } from './live.ts';

/** Registers the calls of a subject. */
export type Routes = (router: RouterInstance) => void;

export type Core = Awaited<ReturnType<typeof openCore>>;

/** Opens what every other stage uses: database, event bus, feed log, limits, and the configured sources and chain. */
export async function openCore(deps: {
  config: Config;
  options: ServerOptions;
  lifecycle: Lifecycle;
  log: Logger;
  koa: Koa;
  /** Returns false when no client is in `room`. */
  hasMembers(room: string): boolean;
}) {
  const { config, options, lifecycle, log, koa } = deps;
  const clock = createSteadyClock();
  // Before the connection: a wrong configuration should fail at once.
  const keyring = createKeyring(config.sources.keys);
  const chain = chainEndpoint(config, options.chain);
  const network = createNetworkFacts({ url: networkUrl(config, chain), clock, random: Math.random, log });
  lifecycle.add({ name: 'network facts', stage: 'doors', start: network.start, stop: network.stop });
  const launchpad = openLaunchpad({ config, chain: options.chain, clock, random: Math.random, log });
  if (launchpad) lifecycle.add({ name: 'local launchpad', stage: 'stores', stop: launchpad.stop });
  const sources = await sourcesFromConfig(config, { clock, keyring, network, listed: launchpad?.listed ?? null });
  await checkDirectoryFormat(config.dataDir);
  const connection = await connectDatabase(options.mongoUri, log);
  lifecycle.add({ name: 'database', stage: 'stores', stop: () => connection.close() });
  // The directory is checked before anything is written.
  await openFormats({
    connection,
    dataDir: config.dataDir,
    backUp: (folder, origin, database) => writeBackup({ folder, config, database, origin }),
    now: clock.now(),
    announce: options.announce,
  });
  koa.keys = createSigningKeys(config.sessionKeys ?? (await openSessionKeyFile(config.dataDir)));
  const database = createDatabaseMonitor(connection);
  lifecycle.add({ name: 'database monitor', stage: 'stores', stop: database.stop });
  options.announce('database connected');

  const { feedLog, bus, own, close } = openLive({ ...config, installation: connection.name, clock, log });
  lifecycle.add({ name: 'feed log', stage: 'stores', stop: close });
  const publisher = createPublisher(feedLog, config.redisUrl === null ? deps.hasMembers : undefined);
  lifecycle.add({ name: 'domain events', stage: 'stores', stop: publishDomainEvents(own, publisher) });
  return {
    config,
    options,
    lifecycle,
    log,
    koa,
    clock,
    random: Math.random,
    keyring,
    sources,
    connection,
    database,
    feedLog,
    publisher,
    bus,
    limits: options.limits ?? defaultLimits,
    forwarding: createForwarding(config.trustedProxies, (address) =>
      log.warn({ address }, 'forwarding headers ignored: this address is not in TRUSTED_PROXIES (reported once)'),
    ),
    hosts: createKnownHosts(config),
    /** Chain of wallets, transfers and trades; null: none. */
    chain,
    network,
    /** Base address of the swap API for trades in pools; null: none. */
    swapUrl: config.jupiterSwapUrl ?? (config.solanaRpcUrl === null ? (options.chain?.swapUrl ?? null) : null),
    /** Coins of the simulator on the local chain; null without both. */
    listedCoins: launchpad?.listed ?? null,
    version: productVersion(),
  };
}
