import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Clock } from '../../common/time.ts';
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
import { checkDirectoryFormat, claimDatabase, raiseDirectory } from '../platform/data-format.ts';
import { connectDatabase } from '../platform/database.ts';
import { createDatabaseMonitor } from '../platform/database-monitor.ts';
import type { Lifecycle } from '../platform/lifecycle.ts';
import { productVersion } from '../platform/product.ts';
import { withTimeout } from '../platform/resilience.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import type { ServerOptions } from '../process.ts';
import { createLease, type Lease } from '../processes/lease.ts';
import { openLive } from './live.ts';

/** Registers the calls of a subject. */
export type Routes = (router: RouterInstance) => void;

/** Time for giving up the lease at a stop, ms. */
const RELEASE_MS = 300;

export type Core = Awaited<ReturnType<typeof openCore>>;

interface CoreDeps {
  config: Config;
  options: ServerOptions;
  lifecycle: Lifecycle;
  log: Logger;
  koa: Koa;
  /** Returns false when no client is in `room`. */
  hasMembers(room: string): boolean;
}

/** Opens what every other stage uses: database, event bus, feed log, limits, and the configured sources and chain. */
export async function openCore(deps: CoreDeps) {
  const { config, options, lifecycle, log, koa } = deps;
  const clock = createSteadyClock();
  // Before the connection: a wrong configuration should fail at once.
  const keyring = createKeyring(config.sources.keys);
  const chain = chainEndpoint(config, options.chain);
  const network = createNetworkFacts({ url: networkUrl(config, chain), clock, random: Math.random, log });
  const isWorker = config.roles.has('worker');
  if (isWorker) lifecycle.add({ name: 'network facts', stage: 'doors', start: network.start, stop: network.stop });
  const launchpad = openLaunchpad({ config, chain: options.chain, clock, random: Math.random, log });
  if (launchpad) lifecycle.add({ name: 'local launchpad', stage: 'stores', stop: launchpad.stop });
  const made = { clock, keyring, network, listed: launchpad?.listed ?? null };
  const sources = isWorker ? await sourcesFromConfig(config, made) : [];
  const { connection, database, lease } = await openDatabase(deps, clock);
  koa.keys = createSigningKeys(config.sessionKeys ?? (await openSessionKeyFile(config.dataDir)));

  const { feedLog, bus, own, quickLimits, begin, close } = openLive({
    ...config,
    installation: connection.name,
    clock,
    log,
  });
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
    lease,
    feedLog,
    /** Begins the feed. `beforeEpoch`: as in FeedLog. */
    beginFeed: (beforeEpoch: () => Promise<void>) => begin(lease.isHeld, beforeEpoch),
    publisher,
    bus,
    quickLimits,
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

/** Connects to the database, and checks the format of its data and of the data directory. */
async function openDatabase({ config, options, lifecycle, log }: CoreDeps, clock: Clock) {
  await checkDirectoryFormat(config.dataDir);
  const connection = await connectDatabase(options.mongoUri, log);
  const lease = createLease({ connection, isAlone: options.isAlone ?? false, times: { lease: config.leaseMs }, log });
  lifecycle.add({
    name: 'database',
    stage: 'stores',
    async stop() {
      // Last, when nothing works any more. Without the database the lease ends by itself.
      const released = lease.release().catch((error: unknown) => log.debug({ error }, 'lease not released'));
      await withTimeout(released, RELEASE_MS);
      await connection.close();
    },
  });
  options.announce('database connected');
  // The directory is checked before anything is written.
  if (!config.roles.has('worker')) {
    // The worker alone migrates.
    await claimDatabase(connection);
    await raiseDirectory(config.dataDir);
  } else
    await openFormats({
      connection,
      dataDir: config.dataDir,
      backUp: (folder, origin, database) => writeBackup({ folder, config, database, origin }),
      whenAlone: () => standBy(lease, options.announce),
      now: clock.now(),
      announce: options.announce,
    });
  const database = createDatabaseMonitor(connection);
  lifecycle.add({ name: 'database monitor', stage: 'stores', stop: database.stop });
  return { connection, database, lease };
}

/** Resolves when this process may work on the database: nothing of the worker is opened before. */
async function standBy(lease: Lease, announce: (line: string) => void): Promise<void> {
  let isStandby = false;
  await lease.acquire((holder) => {
    isStandby = true;
    const [host, pid] = holder.split(' ');
    announce(`standing by: process ${pid} on ${host} works on this database, and is replaced when it ends`);
  });
  if (isStandby) announce('taking over');
}
