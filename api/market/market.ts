import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { SourceStatus } from '../../common/sources/model.ts';
import { type SourceHealth, sourceNames } from '../../common/sources/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { SolUsd } from '../../common/tokens/model.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import { isoOrNull } from '../platform/iso.ts';
import { withTimeout } from '../platform/resilience.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { Engine } from './engine.ts';
import { healthOf, Meter, sourcesOff } from './health.ts';
import { type Analyze, createAnalyze } from './operations/analysis.ts';
import { createRemove, type Remove } from './operations/removal.ts';
import type { Lag } from './publish/latency.ts';
import { createMarketStore, type IdentityFields, type MarketStore } from './publish/store.ts';
import type { Observation } from './sources/observation.ts';
import type { Source, SourceContext, StoredToken } from './sources/source.ts';

/** Time between two ticks, ms: what changes within one costs one write and one patch. */
export const TICK = 100;
/** A tick that took longer than that leaves at least this, ms, to everything else in the process. */
const LEAST_PAUSE = 5;
/** Stopping: sources get one second (as they promise), the rest gets what is left of two to be stored. */
const STOP_SOURCES = 1_000;
const STOP_STORING = 900;
/** Whoever waits for observations to be merged waits so long at most, ms: a market that stopped merges nothing. */
const MERGE_PATIENCE = 2_000;

/** Detects, merges, scores, stores and publishes tokens. */
export interface Market {
  /** Resolves once what is in MongoDB is taken up and every source is on its way. */
  start(): Promise<void>;
  /** Stops the sources, stores and publishes what they said, within two seconds. */
  stop(): Promise<void>;
  status(): SourceStatus[];
  /** Every source there is, for System Status: those of `MARKET`, and those it does not name as `off`. */
  sourceHealth(): SourceHealth[];
  /** Addresses of known tokens on mainnet that a data service could tell more of, the most wanted first. */
  worthAsking(limit: number): string[];
  /** Tokens that this source was the first to tell of, since the start. */
  firstToldBy(source: string): number;
  /** Resolves once what was observed before is merged, and after two seconds in any case. */
  merged(): Promise<void>;
  solUsd(): SolUsd | null;
  /** Whether the simulator is one of the sources. */
  simulated(): boolean;
  /** Removes tokens for good, see removal.ts. */
  remove: Remove;
  /** Looks at all tokens anew for the lists, see analysis.ts. */
  analyze: Analyze;
  /** What tells whether tokens are tokens: the next ones after this address; none when there are no more. */
  identities(after: string): Promise<IdentityFields[]>;
  /** How long observations took to be published, in the last minute. */
  lag(): Lag;
  /** `listener` is called when tokens have been deleted from MongoDB, before anybody is told. */
  onDeleted(listener: () => void): void;
  /** The last place of the feed of which everything up to there is in MongoDB (F3). */
  stored(): FeedCursor;
}

export interface MarketDeps {
  sources: readonly Source[];
  connection: Connection;
  publisher: Publisher;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Dollars for 1 SOL while no source tells; null when not configured. */
  solUsd: number | null;
  /** Whether a source that is not among `sources` has the key it would need. */
  keyOf?: (source: string) => SourceHealth['key'];
  /** Hears what every source tells, before it is merged. Must be quick, and must not throw. */
  onObserved?: OnObserved;
}

/** `source`: its name. `backfilled`: it was read afterwards, rather than told as it happened. */
export type OnObserved = (source: string, observations: readonly Observation[], backfilled: boolean) => void;

export function createMarket(deps: MarketDeps): Market {
  const { sources, clock, onObserved = () => undefined } = deps;
  const log = deps.log.child({ part: 'market' });
  const store = createMarketStore(deps.connection, log);
  const engine = new Engine({ ...deps, store, log });
  const loop = createLoop(engine, log);
  const meter = new Meter(clock);
  const deletionListeners: (() => void)[] = [];

  return {
    async start() {
      await store.prepare();
      await engine.load();
      loop.start();
      for (const source of sources)
        await source.start(contextOf(source, { engine, store, clock, log, meter, onObserved }));
    },
    async stop() {
      await withTimeout(Promise.all(sources.map((source) => source.stop())), STOP_SOURCES);
      await loop.stop();
      await drain(engine);
    },
    status: () =>
      sources.map((source) => {
        const { state, lastEventAt } = source.status();
        return {
          source: source.name,
          state,
          lastEventAt: isoOrNull(lastEventAt),
        };
      }),
    sourceHealth: () => [
      ...sources.map((source) => healthOf(source, meter)),
      ...sourcesOff(sources, deps.keyOf ?? (() => 'none')),
    ],
    worthAsking: (limit) => engine.worthAsking(limit),
    firstToldBy: (source) => engine.firstToldBy(source),
    merged: async () => void (await withTimeout(twoTicks(engine), MERGE_PATIENCE)),
    solUsd: () => engine.solUsd(),
    simulated: () => sources.some(({ name }) => name === 'simulator'),
    remove: createRemove({
      engine,
      store,
      sources,
      clock,
      onDeleted: () => {
        for (const listener of deletionListeners) listener();
      },
    }),
    analyze: createAnalyze({ engine, store, clock }),
    lag: () => engine.lag(),
    identities: (after) => store.identityFields(after),
    onDeleted: (listener) => void deletionListeners.push(listener),
    stored: () => engine.stored(),
  };
}

/** Between two ticks, and between the next two: what waited at first was merged by the tick in between. */
async function twoTicks(engine: Engine): Promise<void> {
  await engine.between(() => undefined);
  await engine.between(() => undefined);
}

function contextOf(
  source: Source,
  deps: Pick<MarketDeps, 'clock' | 'log'> & {
    engine: Engine;
    store: MarketStore;
    meter: Meter;
    onObserved: OnObserved;
  },
): SourceContext {
  const { engine, store, clock, log, meter, onObserved } = deps;
  // `replay:<file>` marks its tokens as told by `replay`.
  const detectedBy = sourceNames.find((name) => source.name === name || source.name.startsWith(`${name}:`));
  return {
    observe(observations, how) {
      meter.add(source.name, observations.length);
      onObserved(source.name, observations, how === 'backfill');
      engine.observe(observations);
    },
    backlog: () => engine.backlog(),
    storedTokens: async () => (detectedBy ? (await store.known(detectedBy, clock.now())).map(storedToken) : []),
    log: log.child({ source: source.name }),
  };
}

function storedToken(record: TokenRecord): StoredToken {
  const { _id: address, symbol, creator, lastTradeAt, stage, reserves, lastSignature } = record;
  const createdAt = record.createdAt ?? record.listedAt;
  return { address, symbol, creator, createdAt, lastTradeAt, stage, reserves, lastSignature };
}

/** Ticks one after the other. A slow write makes the next tick later and larger; ticks never overlap. */
function createLoop(engine: Engine, log: Logger) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;

  async function tick(): Promise<void> {
    const begun = performance.now();
    try {
      await engine.tick();
    } catch (error) {
      // One tick's trouble must not end the market; what it did not store or publish is still marked as such.
      log.error({ error }, 'a tick failed');
    }
    if (!stopped) schedule(Math.max(LEAST_PAUSE, TICK - (performance.now() - begun)));
  }

  function schedule(after: number): void {
    timer = setTimeout(() => {
      running = tick();
    }, after);
  }

  return {
    start() {
      stopped = false;
      schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      // A write to a database that is away may take longer than a stop may.
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
    // A write on its way needs the event loop more than the next tick does.
    await pause(LEAST_PAUSE);
  } while (performance.now() < until);
}
