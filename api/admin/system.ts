import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { SystemStatus } from '../../common/admin/model.ts';
import type { DirectAdmin } from '../../common/maintenance/model.ts';
import { type Clock, iso, SECOND } from '../../common/time.ts';
import { alertModel } from '../alerts/model.ts';
import type { NetworkFact, NetworkFactSet, NetworkFacts } from '../chain/network-facts.ts';
import type { EventSink, EventSource } from '../events/bus.ts';
import type { Market } from '../market/market.ts';
import type { Aggregator } from '../market/polling/aggregator.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { isResponsive } from '../platform/database.ts';
import type { SocialScanner } from '../social/scanner.ts';
import type { Telegram } from '../telegram/telegram.ts';
import { createAdminLive } from './live.ts';
import { createEventLoopMeter, createFeedMeter } from './meters.ts';
import { createServerStarts } from './server-starts.ts';
import { createAdminStats, createAutoBuyCounts } from './stats.ts';
import { createSystemMonitor, type FeedClients, type SystemParts } from './system-status.ts';

const QUEUED_REUSE = 2 * SECOND;

interface Scanners {
  market: Pick<Market, 'status' | 'firstSeenBy'>;
  aggregator: Pick<Aggregator, 'status' | 'scanner'>;
  social: Pick<SocialScanner, 'state'>;
}

export interface SystemDeps extends Scanners {
  connection: Connection;
  market: Pick<Market, 'status' | 'firstSeenBy' | 'sourceHealth' | 'latency'>;
  telegram: Pick<Telegram, 'status'>;
  /** Returns figures of the live gateway. */
  clients: () => FeedClients;
  network: Pick<NetworkFacts, 'known'>;
  /** Returns the number of the newest feed event. */
  newestEvent: () => number;
  bus: EventSink & EventSource;
  /** Returns false when no administrator watches. */
  isWatched(): boolean;
  version: string;
  clock: Clock;
  log: Logger;
}

/** Statistics and status of the whole system for administrators. */
export type System = ReturnType<typeof createSystem>;

export function createSystem(deps: SystemDeps) {
  const { connection, market, social, version, bus, isWatched, clock } = deps;
  const log = deps.log.child({ part: 'system' });
  const feedMeter = createFeedMeter(deps.newestEvent);
  const eventLoop = createEventLoopMeter();
  const adminStats = createAdminStats({
    connection,
    scanners: () => ({
      lastTokenScan: latest([chainScanner(deps).lastRunAt, ...eventTimes(market)]),
      lastXPostScan: social.state().lastScanAt,
    }),
    clock,
  });
  const unsubscribe = bus.on('token-removed', () => adminStats.clear());
  const monitor = createSystemMonitor({ parts: systemParts(deps), feedMeter, eventLoop, version, clock, log });
  const starts = createServerStarts({ connection, clock, log });
  const live = createAdminLive({ stats: adminStats, system: monitor, eventLoop, feedMeter, bus, isWatched, log });
  return {
    adminStats,
    monitor,
    starts: starts.ofDay,
    scanners: (): DirectAdmin['scanners'] => publicScanners(deps),
    /** Starts the events and the history of minutes, and records the start. */
    async start(): Promise<void> {
      live.start();
      await starts.record();
    },
    stop(): void {
      unsubscribe();
      live.stop();
      eventLoop.stop();
    },
  };
}

function systemParts(deps: SystemDeps): SystemParts {
  const { connection, market, aggregator, social, telegram, clock } = deps;
  const alerts = alertModel(connection);
  // Partial index { telegram.at: 1 } where queued.
  const queued = cachedValue(
    () => alerts.countDocuments({ 'telegram.state': 'queued' }).hint({ 'telegram.at': 1 }).exec(),
    { maxAge: QUEUED_REUSE, clock },
  );
  return {
    async bot() {
      const [status, queuedAlerts] = await Promise.all([telegram.status(true), queued.read()]);
      const { configured, connected, error, activeUserCount } = status;
      return { configured, connected, error, chats: activeUserCount ?? 0, queued: queuedAlerts };
    },
    chainScanner: () => chainScanner(deps),
    social() {
      const { state, reason, accounts, lastScanAt, posts, mentions } = social.state();
      return { state, reason, accounts, lastScanAt, posts, mentions };
    },
    autoBuy: createAutoBuyCounts(connection, clock),
    aggregator: () => aggregator.status(),
    sources: () => market.sourceHealth(),
    clients: deps.clients,
    lag: () => market.latency(),
    network: () => presentNetwork(deps.network.known()),
    async ping() {
      const startedAt = performance.now();
      return (await isResponsive(connection)) ? Math.round((performance.now() - startedAt) * 10) / 10 : null;
    },
  };
}

function presentNetwork({ slotMs, rentPerByte, isAlpenglow, versions }: NetworkFactSet): SystemStatus['network'] {
  const fact = <Value>(known: NetworkFact<Value> | null) => known && { value: known.value, at: iso(known.at) };
  return {
    slotMs: fact(slotMs),
    rentPerByteLamports: fact(rentPerByte),
    isAlpenglow: fact(isAlpenglow),
    versions: versions && { value: [...versions.value], at: iso(versions.at) },
  };
}

/** Returns the scanner's state. Streams scan all the time, polled sources every five minutes. */
function chainScanner({ aggregator, market }: Scanners): SystemStatus['chainScanner'] {
  // Streams find most tokens, and a scan of the polled sources only the tokens that it reported first.
  const scanner = { ...aggregator.scanner(), found: market.firstSeenBy(null) };
  if (scanner.state !== 'off') return scanner;
  const isStreaming = market.status().some(({ state }) => state === 'live');
  return { ...scanner, state: isStreaming ? 'running' : 'off', lastRunAt: latest(eventTimes(market)) };
}

function eventTimes(market: Pick<Market, 'status'>): (string | null)[] {
  return market.status().map(({ lastEventAt }) => lastEventAt);
}

/** Returns the latest of some ISO 8601 times in UTC, which sort as text. */
function latest(times: readonly (string | null)[]): string | null {
  return times.reduce((last, at) => (last === null || (at !== null && at > last) ? at : last), null);
}

/** Returns the scanners' states for everyone: no figures, no reasons. */
function publicScanners(deps: Scanners): DirectAdmin['scanners'] {
  const chain = chainScanner(deps);
  const aggregator = deps.aggregator.status();
  const social = deps.social.state();
  const isSilent = chain.state === 'off' && deps.market.status().length > 0;
  const isScheduled = aggregator.nextRunAt !== null || aggregator.running;
  return [
    {
      name: 'Chain scanner',
      state: isSilent ? 'down' : chain.state,
      lastRunAt: chain.lastRunAt,
    },
    {
      name: 'Social-feed scanner',
      state: social.state === 'live' ? 'running' : social.state,
      lastRunAt: social.lastScanAt,
    },
    {
      name: 'Multi-source aggregator',
      state: aggregator.running ? 'running' : isScheduled ? 'idle' : 'off',
      lastRunAt: aggregator.lastRunAt,
    },
  ];
}
