import type { Logger } from 'pino';
import type { SystemMinute, SystemStatus } from '../../common/admin/model.ts';
import { type Clock, SECOND } from '../../common/time.ts';
import type { PublishLatency } from '../market/publish/latency.ts';
import { withTimeout } from '../platform/resilience.ts';
import type { EventLoopMeter, FeedMeter } from './meters.ts';

/** Time limit of each part, ms: the others must not wait for it. A late part keeps its last value. */
const PART_TIMEOUT = SECOND;
/** Seconds over which the rate of events is averaged. */
const RATE_SPAN = 10;
/** Minutes of history. */
const HISTORY = 60;
/** Minutes of a point of the day, and points of it. */
const DAY_STEP = 10;
const DAY_POINTS = 144;

/** Clients of the live gateway: connections, slow ones, and bytes queued for them. */
export interface FeedClients {
  connections: number;
  stalled: number;
  queuedBytes: number;
  closedSlow: number;
}

/** Last values of the parts of the status. */
type LastValues = Pick<
  SystemStatus,
  'bot' | 'chainScanner' | 'social' | 'autoBuy' | 'aggregator' | 'sources' | 'network'
> & {
  clients: FeedClients;
  lag: PublishLatency;
};

/** Reads the parts of the status. Any of them may fail; `bot` and `autoBuy` query MongoDB. */
export type SystemParts = { [Name in keyof LastValues]: () => LastValues[Name] | Promise<LastValues[Name]> } & {
  /** Resolves with the response time of MongoDB, ms; null while it is away. */
  ping: () => Promise<number | null>;
};

export type SystemMonitor = ReturnType<typeof createSystemMonitor>;

/** Values of parts before their first result. */
const initialValues: LastValues = {
  bot: { configured: false, connected: false, error: null, chats: 0, queued: 0 },
  chainScanner: { state: 'off', intervalMs: 0, lastRunAt: null, nextRunAt: null, found: 0 },
  social: { state: 'off', reason: null, accounts: [], lastScanAt: null, posts: 0, mentions: 0 },
  autoBuy: { activeRules: 0, activeStrategies: 0, transactionsToday: 0 },
  aggregator: { running: false, intervalMs: 0, lastRunAt: null, nextRunAt: null, lastResult: null },
  sources: [],
  network: { slotMs: null, rentPerByteLamports: null, isAlpenglow: null, versions: null },
  clients: { connections: 0, stalled: 0, queuedBytes: 0, closedSlow: 0 },
  lag: { p50: null, p99: null },
};

export function createSystemMonitor(deps: {
  parts: SystemParts;
  feedMeter: FeedMeter;
  eventLoop: EventLoopMeter;
  version: string;
  clock: Clock;
  log: Logger;
}) {
  const { parts, feedMeter, eventLoop, version, clock } = deps;
  const { values, update } = createLastValues(deps.log);
  let history: SystemMinute[] = [];
  let day: SystemMinute[] = [];
  let minutes = 0;
  let errorsBefore: ReadonlyMap<string, number> = new Map();

  async function status(): Promise<SystemStatus> {
    const pinged = await withTimeout(Promise.resolve().then(parts.ping), PART_TIMEOUT);
    const pingMs = pinged?.value ?? null;
    await Promise.all([
      update('chainScanner', parts.chainScanner),
      update('social', parts.social),
      update('aggregator', parts.aggregator),
      update('sources', parts.sources),
      update('clients', parts.clients),
      update('lag', parts.lag),
      update('network', parts.network),
      // Without the database these would only delay everything else.
      ...(pingMs === null ? [] : [update('bot', parts.bot), update('autoBuy', parts.autoBuy)]),
    ]);
    const { clients, lag, ...rest } = values;
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
    /** Returns the minutes of the last hour since the start, oldest first. */
    history: (): SystemMinute[] => [...history],
    /** Returns the last day since the start in spans of ten minutes, oldest first; the running span is left out. */
    day: (): SystemMinute[] => [...day],
    /** Adds a minute to the history; to be called once a minute. */
    async endMinute(): Promise<void> {
      const current = await status();
      const minute = minuteOf(current, errorsBefore, feedMeter.perSecond(60));
      errorsBefore = new Map(current.sources.map(({ source, errors }) => [source, errors]));
      history = [...history, minute].slice(-HISTORY);
      minutes += 1;
      if (minutes % DAY_STEP === 0) day = [...day, joined(minute, history.slice(-DAY_STEP))].slice(-DAY_POINTS);
    },
  };
}

/** Creates the last values of the parts, and the function that updates one unless its part fails or takes too long. */
function createLastValues(log: Logger) {
  const values: LastValues = structuredClone(initialValues);
  const failing = new Set<string>();

  async function update<Name extends keyof LastValues>(
    name: Name,
    read: () => LastValues[Name] | Promise<LastValues[Name]>,
  ): Promise<void> {
    const result = await withTimeout(
      Promise.resolve()
        .then(read)
        .catch((error: unknown) => {
          // Logged once, not every second.
          if (!failing.has(name)) log.warn({ part: name, error }, 'part of the system status failed');
          failing.add(name);
          throw error;
        }),
      PART_TIMEOUT,
    );
    if (!result) return;
    failing.delete(name);
    values[name] = result.value;
  }

  return { values, update };
}

/** Returns the minute that ends with `status`. `errorsBefore`: errors by source at its start. */
function minuteOf(
  { at, feed, mongo, process: ownProcess, sources }: SystemStatus,
  errorsBefore: ReadonlyMap<string, number>,
  eventsPerSecond: number,
): SystemMinute {
  const figures = sources.map(({ source, eventsPerMinute, errors }) => {
    const increase = errors - (errorsBefore.get(source) ?? 0);
    return [source, { events: eventsPerMinute, errors: Math.max(0, increase) }] as const;
  });
  return {
    at,
    clients: feed.clients,
    eventsPerSecond,
    lagP99: feed.lagP99,
    mongoPingMs: mongo.pingMs,
    rssBytes: ownProcess.rssBytes,
    eventLoopMaxMs: ownProcess.eventLoopMaxMs,
    sources: Object.fromEntries(figures),
  };
}

/** Returns minutes as one span that ends with `last`: the highest of each figure, the mean rate, and the sums of the sources. */
function joined(last: SystemMinute, minutes: readonly SystemMinute[]): SystemMinute {
  const sources: SystemMinute['sources'] = {};
  for (const minute of minutes) {
    for (const [source, { events, errors }] of Object.entries(minute.sources)) {
      const sum = sources[source] ?? { events: 0, errors: 0 };
      sources[source] = { events: sum.events + events, errors: sum.errors + errors };
    }
  }
  return {
    at: last.at,
    clients: Math.max(...minutes.map(({ clients }) => clients)),
    eventsPerSecond: minutes.reduce((sum, { eventsPerSecond }) => sum + eventsPerSecond, 0) / minutes.length,
    lagP99: highest(minutes.map(({ lagP99 }) => lagP99)),
    mongoPingMs: highest(minutes.map(({ mongoPingMs }) => mongoPingMs)),
    rssBytes: Math.max(...minutes.map(({ rssBytes }) => rssBytes)),
    eventLoopMaxMs: Math.max(...minutes.map(({ eventLoopMaxMs }) => eventLoopMaxMs)),
    sources,
  };
}

/** Returns the highest known figure; null without one. */
function highest(figures: readonly (number | null)[]): number | null {
  const known = figures.filter((figure) => figure !== null);
  return known.length === 0 ? null : Math.max(...known);
}
