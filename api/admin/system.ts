import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { AdminStats, SystemStatus } from '../../common/admin/model.ts';
import type { DirectAdmin } from '../../common/maintenance/model.ts';
import type { Clock } from '../../common/time.ts';
import type { FeedLog } from '../../realtime/feed-log/feed-log.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import { alertModel } from '../alerts/model.ts';
import type { Market } from '../market/market.ts';
import type { Aggregator } from '../market/polling/aggregator.ts';
import { answers } from '../platform/database.ts';
import type { SocialScanner } from '../social/scanner.ts';
import type { Telegram } from '../telegram/telegram.ts';
import { tokenModels } from '../tokens/model.ts';
import { createTotalCount } from '../tokens/total-count.ts';
import { userModel } from '../users/model.ts';
import { createAutoBuyCounts } from './auto-buy.ts';
import { createEventLoopMeter } from './event-loop.ts';
import { createFeedMeter } from './feed-meter.ts';
import { createAdminLive } from './live.ts';
import { type AdminStatistics, createAdminStats } from './stats.ts';
import { createSystemMonitor, type FeedClients, type SystemMonitor } from './system-status.ts';

export interface SystemDeps {
  connection: Connection;
  feedLog: FeedLog;
  publisher: Publisher;
  market: Pick<Market, 'status' | 'sourceHealth' | 'lag' | 'onDeleted'>;
  aggregator: Pick<Aggregator, 'status' | 'scanner'>;
  social: Pick<SocialScanner, 'state'>;
  telegram: Pick<Telegram, 'status'>;
  /** The live gateway's, once there is one. */
  clients: () => FeedClients;
  version: string;
  clock: Clock;
  log: Logger;
}

/** What administrators are shown of the whole. */
export interface System {
  adminStats: AdminStatistics;
  system: SystemMonitor;
  scanners(): DirectAdmin['scanners'];
  /** Begins to tell them, and to keep the minutes. */
  start(): void;
  stop(): void;
}

export function createSystem(deps: SystemDeps): System {
  const { connection, feedLog, publisher, market, aggregator, social, clock } = deps;
  const log = deps.log.child({ part: 'system' });
  const feedMeter = createFeedMeter({ feedLog, clock });
  const eventLoop = createEventLoopMeter();
  const alerts = alertModel(connection);
  // Partial index { telegram.turn: 1, _id: 1 } where queued.
  const queued = createTotalCount(
    () => alerts.countDocuments({ 'telegram.state': 'queued' }).hint({ 'telegram.turn': 1, _id: 1 }).exec(),
    clock,
  );

  const adminStats = createAdminStats({
    users: userModel(connection),
    tokens: tokenModels(connection).tokens,
    feedLog,
    scanners: (): AdminStats['scanners'] => ({
      lastTokenScan: lastHeard(chainScanner().lastRunAt, market),
      lastXPostScan: social.state().lastScanAt,
    }),
    clock,
  });
  market.onDeleted(() => adminStats.recount());

  /** Sources that are told scan all the time; those that are asked, every five minutes. */
  function chainScanner(): SystemStatus['chainScanner'] {
    const scanner = aggregator.scanner();
    const isTold = market.status().some(({ state }) => state === 'live');
    return {
      ...scanner,
      state: isTold && scanner.state === 'off' ? 'running' : scanner.state,
      lastRunAt: scanner.state === 'off' ? lastHeard(null, market) : scanner.lastRunAt,
    };
  }

  const system = createSystemMonitor({
    parts: {
      async bot() {
        const [status, waiting] = await Promise.all([deps.telegram.status(true), queued()]);
        const { configured, connected, error, activeUserCount } = status;
        return { configured, connected, error, chats: activeUserCount ?? 0, queued: waiting };
      },
      chainScanner,
      social() {
        const { state, reason, accounts, lastScanAt, posts, mentions } = social.state();
        return { state, reason, accounts, lastScanAt, posts, mentions };
      },
      autoBuy: createAutoBuyCounts(connection, clock),
      aggregator: () => aggregator.status(),
      sources: () => market.sourceHealth(),
      clients: deps.clients,
      lag: () => market.lag(),
      async ping() {
        const begun = performance.now();
        return (await answers(connection)) ? Math.round((performance.now() - begun) * 10) / 10 : null;
      },
    },
    feedMeter,
    eventLoop,
    version: deps.version,
    clock,
    log,
  });
  const live = createAdminLive({ stats: adminStats, system, eventLoop, publisher, log });

  return {
    adminStats,
    system,
    scanners: () =>
      directScanners({ chain: chainScanner(), aggregator: aggregator.status(), social: social.state() }, market),
    start: () => live.start(),
    stop() {
      live.stop();
      adminStats.stop();
      feedMeter.stop();
      eventLoop.stop();
    },
  };
}

/** The newest of a scan and of what the market's sources heard. */
function lastHeard(scanAt: string | null, market: Pick<Market, 'status'>): string | null {
  const heard = market.status().map(({ lastEventAt }) => lastEventAt);
  // ISO 8601 in UTC sorts as text.
  return [scanAt, ...heard].reduce((last, at) => (last === null || (at !== null && at > last) ? at : last), null);
}

interface Scanning {
  chain: SystemStatus['chainScanner'];
  aggregator: SystemStatus['aggregator'];
  social: Pick<SystemStatus['social'], 'state' | 'lastScanAt'>;
}

/** What anybody may know: no figures, no reasons. */
function directScanners(
  { chain, aggregator, social }: Scanning,
  market: Pick<Market, 'status'>,
): DirectAdmin['scanners'] {
  const isSilent = chain.state === 'off' && market.status().length > 0;
  const polls = aggregator.nextRunAt !== null || aggregator.running;
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
      state: aggregator.running ? 'running' : polls ? 'idle' : 'off',
      lastRunAt: aggregator.lastRunAt,
    },
  ];
}
