import type { Logger } from 'pino';
import type { SystemMinute, SystemStatus } from '../../common/admin/model.ts';
import type { SourceHealth } from '../../common/sources/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Lag } from '../market/publish/latency.ts';
import { withTimeout } from '../platform/resilience.ts';
import type { EventLoopMeter } from './event-loop.ts';
import type { FeedMeter } from './feed-meter.ts';
import { createHistory } from './history.ts';

/** A part that says nothing within this, ms, is shown as it was last: the others must not wait for it. */
const PART_PATIENCE = 1_000;
/** Events a second are those of the last ten seconds. */
const RATE_SPAN = 10;

/** The clients of the live gateway: how many, how many of them do not keep up, and what waits for them. */
export interface FeedClients {
  connections: number;
  stalled: number;
  queuedBytes: number;
  closedSlow: number;
}

/** What the status is put together from. Any of them may fail. */
export interface SystemParts {
  bot(): Promise<SystemStatus['bot']>;
  chainScanner(): SystemStatus['chainScanner'];
  social(): SystemStatus['social'];
  /** Asks MongoDB, as `bot` may. */
  autoBuy(): Promise<SystemStatus['autoBuy']>;
  aggregator(): SystemStatus['aggregator'];
  sources(): SourceHealth[];
  clients(): FeedClients;
  lag(): Lag;
  /** How long MongoDB takes to answer, ms; null while it does not. */
  ping(): Promise<number | null>;
}

export interface SystemStatusDeps {
  parts: SystemParts;
  feedMeter: FeedMeter;
  eventLoop: EventLoopMeter;
  version: string;
  clock: Clock;
  log: Logger;
}

export interface SystemMonitor {
  status(): Promise<SystemStatus>;
  history(): SystemMinute[];
  /** Ends a minute: what it was goes into the history. To be called once a minute. */
  endMinute(): Promise<void>;
}

type Told = Pick<SystemStatus, 'bot' | 'chainScanner' | 'social' | 'autoBuy' | 'aggregator' | 'sources'> & {
  clients: FeedClients;
  lag: Lag;
};

/** What is shown of a part that has not told anything yet. */
const nothingTold: Told = {
  bot: { configured: false, connected: false, error: null, chats: 0, queued: 0 },
  chainScanner: { state: 'off', intervalMs: 0, lastRunAt: null, nextRunAt: null, found: 0 },
  social: { state: 'off', reason: null, accounts: [], lastScanAt: null, posts: 0, mentions: 0 },
  autoBuy: { activeRules: 0, activeStrategies: 0, transactionsToday: 0 },
  aggregator: { running: false, intervalMs: 0, lastRunAt: null, nextRunAt: null, lastResult: null },
  sources: [],
  clients: { connections: 0, stalled: 0, queuedBytes: 0, closedSlow: 0 },
  lag: { p50: null, p99: null },
};

export function createSystemMonitor(deps: SystemStatusDeps): SystemMonitor {
  const { parts, feedMeter, eventLoop, version, clock } = deps;
  const history = createHistory();
  const told: Told = structuredClone(nothingTold);
  const failing = new Set<string>();
  let errorsBefore = new Map<string, number>();

  /** Takes what a part says. One that fails, or takes too long, is left as it was. */
  async function take<Name extends keyof Told>(
    name: Name,
    read: () => Told[Name] | Promise<Told[Name]>,
  ): Promise<void> {
    const answer = await withTimeout(
      Promise.resolve()
        .then(read)
        .catch((error: unknown) => {
          // Said once, not every second.
          if (!failing.has(name)) deps.log.warn({ part: name, error }, 'a part of the system status fails');
          failing.add(name);
          throw error;
        }),
      PART_PATIENCE,
    );
    if (!answer) return;
    failing.delete(name);
    told[name] = answer.value;
  }

  async function status(): Promise<SystemStatus> {
    const pinged = await withTimeout(Promise.resolve().then(parts.ping), PART_PATIENCE);
    const pingMs = pinged?.value ?? null;
    await Promise.all([
      take('chainScanner', parts.chainScanner),
      take('social', parts.social),
      take('aggregator', parts.aggregator),
      take('sources', parts.sources),
      take('clients', parts.clients),
      take('lag', parts.lag),
      // Without the database these would only make everything else wait.
      ...(pingMs === null ? [] : [take('bot', parts.bot), take('autoBuy', parts.autoBuy)]),
    ]);
    const { clients, lag, ...rest } = told;
    const memory = process.memoryUsage();
    return {
      at: new Date(clock.now()).toISOString(),
      version,
      uptime: Math.round(process.uptime()),
      ...rest,
      feed: {
        clients: clients.connections,
        stalled: clients.stalled,
        queuedBytes: clients.queuedBytes,
        closedSlow: clients.closedSlow,
        eventsPerSecond: feedMeter.perSecond(RATE_SPAN),
        lagP50: lag.p50,
        lagP99: lag.p99,
      },
      mongo: { up: pingMs !== null, pingMs },
      process: { rssBytes: memory.rss, heapBytes: memory.heapUsed, eventLoopMaxMs: eventLoop.longest() },
    };
  }

  return {
    status,
    history: () => history.list(),
    async endMinute() {
      const { at, feed, mongo, process: own, sources } = await status();
      const { clients, lagP99 } = feed;
      const { pingMs: mongoPingMs } = mongo;
      const { rssBytes, eventLoopMaxMs } = own;
      const figures = sources.map(({ source, eventsPerMinute, errors }) => {
        const since = errors - (errorsBefore.get(source) ?? 0);
        return [source, { events: eventsPerMinute, errors: Math.max(0, since) }] as const;
      });
      errorsBefore = new Map(sources.map(({ source, errors }) => [source, errors]));
      const eventsPerSecond = feedMeter.perSecond(60);
      const minute = { at, clients, eventsPerSecond, lagP99, mongoPingMs, rssBytes, eventLoopMaxMs };
      history.push({ ...minute, sources: Object.fromEntries(figures) });
    },
  };
}
