import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../common/errors.ts';
import type { SourceHealth, SourceStatus } from '../../common/sources/model.ts';
import { type Clock, isoOrNull } from '../../common/time.ts';
import { pause, withTimeout } from '../platform/resilience.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineDeps } from './engine-state.ts';
import { createEventMeter, healthOf, sourcesOff, statusOf } from './health.ts';
import { createSourceContext, type OnObserved } from './ingest/queue.ts';
import { createAnalyze } from './operations/analysis.ts';
import { createRemove, createRemoving } from './operations/removal.ts';
import { createRescoring } from './operations/rescoring.ts';
import { createMarketStore, type MarketStore } from './publish/store.ts';
import type { SourceName } from './sources/observation.ts';
import { createUsageCounter } from './sources/polled/allowance.ts';
import { isNamed, type Source } from './sources/source.ts';
import type { ChainWatch } from './token/merge/trade-chain.ts';
import { createEarlyWallets } from './token/state/early-wallets.ts';
import { createLiveToken } from './token/state/live-token.ts';
import { createFollowing } from './traded/follow.ts';
import { type TradedCoin, tradedCoin } from './traded/traded-coin.ts';

/** Time between two ticks, ms: all changes within one cost one entry of the journal and one patch. */
const TICK = 50;
/** Least time left to the rest of the process after a long tick, ms. */
const LEAST_PAUSE = 5;
/** Time limits of a stop, ms: one second for the sources, the rest of two for storing. */
const STOP_SOURCES = 1_000;
const STOP_STORING = 900;
/** With a last tick older than this (ms), or more observations in the queue, the figures are not of now. */
const LATE_TICK = 2_000;
const LONG_QUEUE = 1_000;
/** Longest wait for the figures of MongoDB before an epoch of the feed, ms: the next tick waits, too. */
const STORE_FIGURES = 1_000;
/** Longest wait for a merge, ms: a stopped market merges nothing. */
const MERGE_TIMEOUT = 2_000;

export type Market = ReturnType<typeof createMarket>;

interface MarketDeps extends Omit<EngineDeps, 'store' | 'chainWatch'> {
  sources: readonly Source[];
  connection: Connection;
  /** Returns the key state of a source that is not among `sources`. */
  keyOf?: (source: string) => SourceHealth['key'];
  onObserved?: OnObserved;
  /** Returns false while another process may write the market. Default: it never may. */
  mayWrite?: () => boolean;
}

/** Returns the store with each tick's write refused, as by a database that is away, while this process may not write. */
function fenced(store: MarketStore, mayWrite: () => boolean = () => true): MarketStore {
  const write: MarketStore['write'] = async (batch) => {
    if (!mayWrite()) throw new PublicError('unavailable');
    return store.write(batch);
  };
  return { ...store, write };
}

/** Detects, merges, scores, stores and publishes tokens. */
export function createMarket(deps: MarketDeps) {
  const { sources, clock, onObserved = () => undefined } = deps;
  const log = deps.log.child({ part: 'market' });
  const store = fenced(createMarketStore(deps.connection, log), deps.mayWrite);
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
    /** Brings the stored tokens up to date after a crash. Nothing may read them before. */
    recover: engine.recover,
    /** Resolves when the stored state is loaded and every source has started. */
    async start() {
      await store.prepare();
      await usage.createIndexes();
      await engine.load();
      loop.start();
      for (const source of sources) await source.start(createSourceContext(source, contextDeps));
      rescoring.start();
    },
    /** Stops the sources, and stores and publishes their last observations, within two seconds. */
    async stop() {
      await withTimeout(Promise.all([rescoring.stop(), ...sources.map((source) => source.stop())]), STOP_SOURCES);
      await loop.stop();
      await drain(engine);
    },
    status: () => sources.map((source) => presentStatus(source, clock.now())),
    /** Returns every supported source for System Status: those of `MARKET`, and the others as `off`. */
    sourceHealth: () => [
      ...sources.map((source) => healthOf(source, meter, clock.now())),
      ...sourcesOff(sources, deps.keyOf ?? (() => 'none')),
    ],
    pollCandidates: engine.pollCandidates,
    firstSeenBy: engine.firstSeenBy,
    /** Returns the losses that the market counted for a source, since the start. */
    losses: (source: string): Readonly<MarketLosses> => losses.read(source),
    /** Resolves when the observations handed over so far are merged, and after two seconds in any case. */
    merged: async () => void (await withTimeout(twoTicks(engine), MERGE_TIMEOUT)),
    solUsd: engine.solUsd,
    /** Returns true while the simulator is one of the sources. */
    simulated: () => sources.some(({ name }) => name === 'simulator'),
    /** Removes tokens for good, see operations/removal.ts. */
    remove: createRemove({ engine, store, sources, beforeRemoval: removing.emit, clock }),
    /** Subscribes to the pinned tokens of a removal, before it: it waits for the listener. Returns a function that ends the subscription. */
    onRemoving: removing.subscribe,
    /** Checks the lists of all tokens, see operations/analysis.ts. */
    analyze: createAnalyze({ engine, store, clock }),
    /** Returns the next page of token identities after `address`; empty at the end. */
    identities: (after: string) => store.identityFields(after),
    has: engine.has,
    ...createCoins({ engine, store, isCurrent, clock }),
    earlyWallets: createEarlyWallets({ live: engine.live, store, clock }),
    pin: engine.pin,
    unpin: engine.unpin,
    hasMerged: engine.hasMerged,
    stepAt: engine.stepAt,
    stepsSince: engine.stepsSince,
    onMoved: engine.onMoved,
    ...createFollowing({ engine, isCurrent, clock, lateTick: LATE_TICK }),
    latency: engine.latency,
    ...createUnstored({ engine, loop, log }),
  };
}

/** Creates the reads of what MongoDB does not have yet, and its write on demand. */
function createUnstored(deps: { engine: Engine; loop: ReturnType<typeof createLoop>; log: Logger }) {
  const { engine, loop, log } = deps;
  return {
    /**
     * Writes the figures that MongoDB does not have yet, for processes that read them there. Resolves after a few seconds in any
     * case, and at once while the market does not run.
     */
    async storeFigures(): Promise<void> {
      if (!loop.isRunning()) return;
      const stored = await withTimeout(engine.flushBeforeTick(STORE_FIGURES), STORE_FIGURES + MERGE_TIMEOUT);
      if (!stored?.value) log.warn('figures stored late, lists of other processes may be some seconds old');
    },
    published: engine.published,
    backlog: engine.backlog,
    unstored: engine.unstored,
    /** Returns the record of a token in memory, which is newer than the stored one; undefined for any other. Not to be changed. */
    liveRecord: (address: string) => engine.live(address)?.record,
  };
}

function presentStatus(source: Source, now: number): SourceStatus {
  const { state, lastEventAt } = statusOf(source, now);
  return { source: source.name, state, lastEventAt: isoOrNull(lastEventAt) };
}

/** Creates the reads of tokens as trading needs them. */
function createCoins(deps: {
  engine: Engine;
  store: Pick<MarketStore, 'tokens'>;
  isCurrent(name: SourceName): boolean;
  clock: Clock;
}) {
  const { engine, store, isCurrent, clock } = deps;
  return {
    /** Returns a token as trading reads it: from memory, or else its stored record. null when unknown. Rejects while the database is away. */
    async coin(address: string): Promise<TradedCoin | null> {
      const live = engine.live(address);
      if (live !== undefined) return tradedCoin(live, isCurrent);
      const [record] = await store.tokens([address]);
      return record === undefined ? null : tradedCoin(createLiveToken(record, true, clock.now()), isCurrent);
    },
    /** Returns the same for a token in memory; null for any other. */
    liveCoin(address: string): TradedCoin | null {
      const live = engine.live(address);
      return live === undefined ? null : tradedCoin(live, isCurrent);
    },
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
    isRunning: () => !isStopped,
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
    await withTimeout(engine.flush(), until - performance.now());
    if (engine.idle) {
      await withTimeout(engine.close(), until - performance.now());
      return;
    }
    // Yields to the write in progress.
    await pause(LEAST_PAUSE);
  } while (performance.now() < until);
}

/** Losses that the market itself counts per source, since the start. */
export interface MarketLosses {
  /** Observations with impossible times, reserves or amounts. */
  refused: number;
  /** Breaks in the reserves of coins that are not repaired, each at least one trade. */
  tradesMissed: number;
}

type LossCounts = ReturnType<typeof createLossCounts>;

const none: MarketLosses = { refused: 0, tradesMissed: 0 };

/** Creates the counters; as many as there are sources. */
function createLossCounts() {
  const counts = new Map<string, MarketLosses>();
  return {
    /** Adds to a counter; a repaired break adds -1. */
    add(source: string, kind: keyof MarketLosses, count: number): void {
      const known = counts.get(source) ?? { ...none };
      known[kind] += count;
      counts.set(source, known);
    },
    read: (source: string): Readonly<MarketLosses> => counts.get(source) ?? none,
  };
}

/** Counts the gaps in the trades of coins and refused ones, and has the source read the missing ones. */
function watchChains(sources: readonly Source[], losses: LossCounts, log: Logger): ChainWatch {
  const sourceOf = (name: SourceName) => sources.find((source) => isNamed(source, name));
  function count(name: SourceName, kind: keyof MarketLosses, added: number): void {
    const source = sourceOf(name);
    if (source !== undefined) losses.add(source.name, kind, added);
  }
  return {
    missed(name, trades) {
      count(name, 'tradesMissed', 1);
      sourceOf(name)?.fetchMissed?.(trades);
    },
    refused: (name) => count(name, 'refused', 1),
    repaired: (name) => count(name, 'tradesMissed', -1),
    // No loss unless the node lists trades: the next trade has the pool's reserves with the donation.
    donated(name, trades) {
      log.debug({ source: name, address: trades.address }, 'donation to a pool');
      sourceOf(name)?.fetchMissed?.(trades);
    },
  };
}
