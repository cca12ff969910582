import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { SourceHealth, SourceStatus } from '../../common/sources/model.ts';
import { type Clock, isoOrNull, type Random } from '../../common/time.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { EventBus } from '../events/bus.ts';
import { pause, withTimeout } from '../platform/resilience.ts';
import { createEngine, type Engine } from './engine.ts';
import { createEventMeter, healthOf, sourcesOff, statusOf } from './health.ts';
import { createSourceContext, type OnObserved } from './ingest/queue.ts';
import { createLossCounts, type MarketLosses, watchChains } from './losses.ts';
import { type Analyze, createAnalyze } from './operations/analysis.ts';
import { createRemove, createRemoving, type OnRemoving, type Remove } from './operations/removal.ts';
import { createRescoring } from './operations/rescoring.ts';
import { createMarketStore, type IdentityFields } from './publish/store.ts';
import type { SourceName } from './sources/observation.ts';
import { createUsageCounter } from './sources/polled/allowance.ts';
import { isNamed, type Source } from './sources/source.ts';
import { createLiveToken } from './token/state/live-token.ts';
import { createFollowing, type Following } from './traded/follow.ts';
import { type TradedCoin, tradedCoin } from './traded/traded-coin.ts';

/** Time between two ticks, ms: all changes within one cost one write and one patch. */
const TICK = 100;
/** Least time left to the rest of the process after a long tick, ms. */
const LEAST_PAUSE = 5;
/** Time limits of a stop, ms: one second for the sources, the rest of two for storing. */
const STOP_SOURCES = 1_000;
const STOP_STORING = 900;
/** With a last tick older than this (ms), or more observations in the queue, the figures are not of now. */
const LATE_TICK = 2_000;
const LONG_QUEUE = 1_000;
/** Longest wait for a merge, ms: a stopped market merges nothing. */
const MERGE_TIMEOUT = 2_000;

/** The calls of the engine that the market hands on. */
type EngineCalls =
  | 'pollCandidates'
  | 'firstSeenBy'
  | 'solUsd'
  | 'has'
  | 'pin'
  | 'unpin'
  | 'hasMerged'
  | 'stepAt'
  | 'stepsSince'
  | 'onMoved'
  | 'latency'
  | 'stored';

/** Detects, merges, scores, stores and publishes tokens. */
export interface Market extends Following, Pick<Engine, EngineCalls> {
  /** Resolves when the stored state is loaded and every source has started. */
  start(): Promise<void>;
  /** Stops the sources, and stores and publishes their last observations, within two seconds. */
  stop(): Promise<void>;
  status(): SourceStatus[];
  /** Returns every supported source for System Status: those of `MARKET`, and the others as `off`. */
  sourceHealth(): SourceHealth[];
  /** Returns the losses that the market counted for a source, since the start. */
  losses(source: string): Readonly<MarketLosses>;
  /** Resolves when the observations handed over so far are merged, and after two seconds in any case. */
  merged(): Promise<void>;
  /** Returns true while the simulator is one of the sources. */
  simulated(): boolean;
  /** Removes tokens for good, see operations/removal.ts. */
  remove: Remove;
  /** Subscribes to the pinned tokens of a removal, before it: it waits for the listener. Returns a function that ends the subscription. */
  onRemoving(listener: OnRemoving): () => void;
  /** Checks the lists of all tokens, see operations/analysis.ts. */
  analyze: Analyze;
  /** Returns the next page of token identities after `address`; empty at the end. */
  identities(after: string): Promise<IdentityFields[]>;
  /** Returns a token as trading reads it: from memory, or else its stored record. null when unknown. Rejects while the database is away. */
  coin(address: string): Promise<TradedCoin | null>;
  /** Returns the same for a token in memory; null for any other. */
  liveCoin(address: string): TradedCoin | null;
}

export interface MarketDeps {
  sources: readonly Source[];
  connection: Connection;
  publisher: Publisher;
  bus: Pick<EventBus, 'emit' | 'hasSubscribers'>;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Dollars for 1 SOL until a source reports a rate; null when not configured. */
  solUsd: number | null;
  /** Returns the key state of a source that is not among `sources`. */
  keyOf?: (source: string) => SourceHealth['key'];
  onObserved?: OnObserved;
}

export function createMarket(deps: MarketDeps): Market {
  const { sources, clock, onObserved = () => undefined } = deps;
  const log = deps.log.child({ part: 'market' });
  const store = createMarketStore(deps.connection, log);
  const losses = createLossCounts();
  const engine = createEngine({ ...deps, store, log, chainWatch: watchChains(sources, losses, log) });
  const loop = createLoop(engine, log);
  const rescoring = createRescoring({ ...deps, engine, store, log });
  const meter = createEventMeter(clock);
  const usage = createUsageCounter(deps.connection);
  const removing = createRemoving();
  const isCurrent = createCurrentCheck({ sources, engine, clock });
  const onRefused = (source: string, count: number) => losses.add(source, 'refused', count);
  const contextDeps = {
    queue: engine.queue,
    store,
    has: engine.has,
    pinned: engine.pinnedAddresses,
    usage,
    meter,
    clock,
    log,
    onObserved,
    onRefused,
  };
  return {
    async start() {
      await store.prepare();
      await usage.createIndexes();
      await engine.load();
      loop.start();
      for (const source of sources) await source.start(createSourceContext(source, contextDeps));
      rescoring.start();
    },
    async stop() {
      await withTimeout(Promise.all([rescoring.stop(), ...sources.map((source) => source.stop())]), STOP_SOURCES);
      await loop.stop();
      await drain(engine);
    },
    status: () =>
      sources.map((source) => {
        const { state, lastEventAt } = statusOf(source, clock.now());
        return { source: source.name, state, lastEventAt: isoOrNull(lastEventAt) };
      }),
    sourceHealth: () => [
      ...sources.map((source) => healthOf(source, meter, clock.now())),
      ...sourcesOff(sources, deps.keyOf ?? (() => 'none')),
    ],
    pollCandidates: engine.pollCandidates,
    firstSeenBy: engine.firstSeenBy,
    losses: (source) => losses.read(source),
    merged: async () => void (await withTimeout(twoTicks(engine), MERGE_TIMEOUT)),
    solUsd: engine.solUsd,
    simulated: () => sources.some(({ name }) => name === 'simulator'),
    remove: createRemove({ engine, store, sources, beforeRemoval: removing.emit, clock }),
    onRemoving: removing.subscribe,
    analyze: createAnalyze({ engine, store, clock }),
    identities: (after) => store.identityFields(after),
    has: engine.has,
    async coin(address) {
      const live = engine.live(address);
      if (live !== undefined) return tradedCoin(live, isCurrent);
      const [record] = await store.tokens([address]);
      return record === undefined ? null : tradedCoin(createLiveToken(record, true, clock.now()), isCurrent);
    },
    liveCoin(address) {
      const live = engine.live(address);
      return live === undefined ? null : tradedCoin(live, isCurrent);
    },
    pin: engine.pin,
    unpin: engine.unpin,
    hasMerged: engine.hasMerged,
    stepAt: engine.stepAt,
    stepsSince: engine.stepsSince,
    onMoved: engine.onMoved,
    ...createFollowing({ engine, isCurrent, clock, lateTick: LATE_TICK }),
    latency: engine.latency,
    stored: engine.stored,
  };
}

/**
 * Returns a check of whether the figures of a source are of now: it is live, the last tick is recent and the ingest queue is
 * short.
 */
function createCurrentCheck({ sources, engine, clock }: { sources: readonly Source[]; engine: Engine; clock: Clock }) {
  return (name: SourceName): boolean => {
    const now = clock.now();
    if (engine.tickedAt === null || now - engine.tickedAt > LATE_TICK || engine.queue.size > LONG_QUEUE) return false;
    return sources.some((source) => isNamed(source, name) && statusOf(source, now).state === 'live');
  };
}

/** Resolves after the tick between two pauses, which merged everything that waited before. */
async function twoTicks(engine: Engine): Promise<void> {
  await engine.betweenTicks(() => undefined);
  await engine.betweenTicks(() => undefined);
}

/** Runs ticks one after the other. A slow write makes the next tick later and larger; ticks never overlap. */
function createLoop(engine: Engine, log: Logger) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = true;

  async function tick(): Promise<void> {
    const startedAt = performance.now();
    try {
      await engine.tick();
    } catch (error) {
      // A failed tick must not end the market; unwritten and unpublished changes are still marked.
      log.error({ error }, 'tick failed');
    }
    if (!isStopped) schedule(Math.max(LEAST_PAUSE, TICK - (performance.now() - startedAt)));
  }

  function schedule(after: number): void {
    timer = setTimeout(() => {
      running = tick();
    }, after);
  }

  return {
    start() {
      isStopped = false;
      schedule(0);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      // A write to an unavailable database may take longer than a stop.
      await withTimeout(running, STOP_SOURCES);
    },
  };
}

/** Ticks until everything is merged, published and stored, or the time is up. */
async function drain(engine: Engine): Promise<void> {
  const until = performance.now() + STOP_STORING;
  do {
    await withTimeout(engine.tick(), until - performance.now());
    await withTimeout(engine.settled(), until - performance.now());
    if (engine.idle) return;
    // Yields to the write in progress.
    await pause(LEAST_PAUSE);
  } while (performance.now() < until);
}
