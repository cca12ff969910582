import type { Logger } from 'pino';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock, Random } from '../../common/time.ts';
import { GROWTH_WINDOW } from '../../common/tokens/growth.ts';
import type { SolUsd, TokenPatch } from '../../common/tokens/model.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { EventBus } from '../events/bus.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { createIngestQueue, type IngestQueue } from './ingest/queue.ts';
import { pollCandidates } from './polling/poll-candidates.ts';
import type { PublishLatency } from './publish/latency.ts';
import { createOutbox, type Outbox, type RemovedTokens } from './publish/outbox.ts';
import { createPublishPipeline, type PublishPipeline } from './publish/publish-pipeline.ts';
import type { MarketStore } from './publish/store.ts';
import { createWriter, type Writer } from './publish/writer.ts';
import { type MergeContext, merge, type TokenObservation } from './token/merge/merge.ts';
import { createSolRate, type SolRate } from './token/merge/sol-rate.ts';
import { type ChainWatch, noChainWatch } from './token/merge/trade-chain.ts';
import type { Launch } from './token/score/creator-history.ts';
import { createHistories, type Histories, type Identity, identityOf } from './token/score/histories.ts';
import {
  isRefreshDue,
  type RefreshBudget,
  type RefreshContext,
  refresh,
  writeDueSamples,
} from './token/score/refresh.ts';
import type { AppliedRate } from './token/score/score.ts';
import { createHydrator, type Hydrator } from './token/state/hydrate.ts';
import type { LiveToken } from './token/state/live-token.ts';
import { createLiveTokens, type LiveTokens } from './token/state/live-tokens.ts';
import { restoreMomentum } from './token/state/restore-momentum.ts';
import { fullSample } from './token/state/samples.ts';

/** Share of the tokens checked in each tick, so that all are checked once a second. */
const REFRESH_SHARE = 0.1;
/** Ticks between two checks of the memory bounds, which walk over every token. */
const TICKS_PER_TRIM = 10;
/** Refreshes in one tick: 20,000 tokens are re-rated or sampled within twenty seconds. */
const BUDGET: RefreshBudget = { rerates: 100, samples: 100, growths: 100 };

export interface EngineDeps {
  store: MarketStore;
  publisher: Publisher;
  bus: Pick<EventBus, 'emit' | 'hasSubscribers'>;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Configured dollars for 1 SOL; null without. */
  solUsd: number | null;
  /** Receives gaps in the trades of coins. */
  chainWatch?: ChainWatch;
}

/** The market without sources and timer: takes observations, and with every tick merges, stores and publishes them. */
export interface Engine {
  /** Observations that wait; sources add to it. */
  readonly queue: IngestQueue;
  /** Number of tokens in memory. */
  readonly size: number;
  /** True with nothing to merge and nothing to store. */
  readonly idle: boolean;
  /** Loads the state from MongoDB: tokens whose lists may still change, their momentum, and the launches. */
  load(): Promise<void>;
  /**
   * Runs one round: merges the queue, refreshes a tenth of the tokens, and starts to store and publish. Rounds must not
   * overlap, but the next one may start while the database is still writing.
   */
  tick(): Promise<void>;
  /** Resolves when the changes of the last tick are published. */
  settled(): Promise<void>;
  /** Runs `job` before the next tick, while nothing is being merged, stored or published. */
  betweenTicks<Result>(job: () => Result | Promise<Result>): Promise<Result>;
  /** Returns whether the token is in memory, where its figures are newer than in MongoDB. */
  has(address: string): boolean;
  /**
   * Drops matching tokens completely. Returns the addresses of those that are not in MongoDB. To be called between two
   * ticks, while observations that would bring them back are filtered.
   */
  evict(matches: (record: TokenRecord) => boolean): string[];
  /**
   * Publishes removals after the deletion. `launches` are those left, from which the histories are built again; null keeps
   * the present histories. To be called between two ticks.
   */
  publishRemoved(removals: readonly RemovedTokens[], launches: readonly Launch[] | null): Promise<void>;
  /** Publishes changes of stored tokens that are not in memory. To be called between two ticks, after they were written. */
  publishPatches(patches: readonly TokenPatch[]): Promise<void>;
  /**
   * Computes growth, score and lists of tokens now; changes are stored and published as usual. `stored` are records to load
   * for it. To be called between two ticks.
   */
  recompute(addresses: readonly string[], stored: readonly TokenRecord[]): TokenRecord[];
  /** Returns addresses of mainnet tokens that data services should be polled about, most wanted first. */
  pollCandidates(limit: number): string[];
  /** Returns the number of tokens that this source was the first to report, since the start; null: any source. */
  firstSeenBy(source: string | null): number;
  solUsd(): SolUsd | null;
  /** Returns the publishing latencies of the last minute. */
  latency(): PublishLatency;
  /** Returns the last feed position up to which MongoDB contains everything. */
  stored(): FeedCursor;
}

/** Parts and state of an engine. */
interface EngineState {
  deps: EngineDeps;
  queue: IngestQueue;
  tokens: LiveTokens;
  writer: Writer;
  outbox: Outbox;
  pipeline: PublishPipeline;
  hydrator: Hydrator;
  histories: Histories;
  rate: SolRate;
  /** Receive times (epoch ms) of the observations merged in this tick. */
  received: number[];
  ticks: number;
  /** Jobs that run before the next tick. */
  jobs: (() => Promise<void>)[];
}

export function createEngine(deps: EngineDeps): Engine {
  const state = createState(deps);
  const { queue, tokens, writer, outbox, pipeline, hydrator, histories, rate } = state;
  return {
    queue,
    get size() {
      return tokens.size;
    },
    get idle() {
      return queue.size === 0 && writer.clean;
    },
    load: () => load(state),
    tick: () => tick(state),
    settled: () => pipeline.settled,
    betweenTicks: (job) =>
      new Promise((resolve, reject) => {
        state.jobs.push(async () => {
          try {
            await pipeline.settled;
            await writer.idle();
            resolve(await job());
          } catch (error) {
            reject(error);
          }
        });
      }),
    has: (address) => tokens.get(address) !== undefined,
    evict(matches) {
      const removed = tokens.remove(matches);
      hydrator.forget(removed);
      writer.forget(removed);
      outbox.forget(removed);
      return [...removed].filter(({ stored }) => !stored).map(({ record }) => record._id);
    },
    async publishRemoved(removals, launches) {
      if (launches !== null) histories.replace(launches, deps.clock.now());
      await pipeline.publishRemoved(removals);
    },
    publishPatches: (patches) =>
      pipeline.publishPatches(patches, { at: deps.clock.now(), solUsd: appliedRate(state).solUsd }),
    recompute: (addresses, stored) => recompute(state, addresses, stored),
    pollCandidates: (limit) => pollCandidates(tokens.values(), limit),
    firstSeenBy: (source) => hydrator.firstSeenBy(source),
    solUsd: () => rate.present(),
    latency: () => pipeline.latency(),
    stored: () => pipeline.stored,
  };
}

function createState(deps: EngineDeps): EngineState {
  const { store, publisher, clock, log } = deps;
  const tokens = createLiveTokens();
  const writer = createWriter(deps);
  const outbox = createOutbox(deps);
  return {
    deps,
    queue: createIngestQueue(log),
    tokens,
    writer,
    outbox,
    pipeline: createPublishPipeline({ writer, outbox, clock, cursor: publisher.cursor() }),
    hydrator: createHydrator({ tokens, store, writer }),
    histories: createHistories(tokens, (live) => markChanged({ writer, outbox }, live)),
    rate: createSolRate(deps.solUsd, clock.now()),
    received: [],
    ticks: 0,
    jobs: [],
  };
}

async function load({ deps, queue, tokens, histories, rate }: EngineState): Promise<void> {
  const now = deps.clock.now();
  const stored = await deps.store.loadState(now, GROWTH_WINDOW);
  rate.restore(stored.rate, now);
  for (const launch of stored.launches) histories.add(launch);
  for (const id of stored.tradeIds) queue.markSeen(id);
  for (const record of stored.tokens) tokens.load(record, now);
  restoreMomentum(tokens, stored.trades);
}

async function tick(state: EngineState): Promise<void> {
  const { deps, queue, outbox, pipeline, hydrator, histories } = state;
  for (const job of state.jobs.splice(0)) await job();
  const now = deps.clock.now();
  const batch = queue.take();
  for (const observation of batch.rates) {
    const rate = state.rate.observe(observation) ? state.rate.current() : null;
    if (rate !== null) state.writer.setRate(rate);
  }
  histories.addKnownSymbols(batch.symbols, now);
  for (const live of await hydrator.hydrate(batch.tokens, now)) markChanged(state, live);
  for (const { receivedAt } of batch.tokens) state.received.push(receivedAt);
  const rate = appliedRate(state);
  const context = mergeContext(state, now, rate);
  for (const observation of batch.tokens) mergeObservation(state, observation, context);
  for (const live of outbox.tokens) refreshToken(state, live, now, rate);
  for (const live of outbox.tokens) fullSample(live, context);
  refreshSlice(state, { now, rate, sample: context.sample });
  await pipeline.start(now, rate.solUsd, () => state.received.splice(0));
}

function appliedRate({ rate }: EngineState): AppliedRate {
  return { solUsd: rate.current()?.solUsd ?? null, generation: rate.generation };
}

function mergeContext({ deps, writer, outbox }: EngineState, now: number, { solUsd }: AppliedRate): MergeContext {
  return {
    ...(deps.chainWatch ?? noChainWatch),
    now,
    solUsd,
    trade(live, record) {
      writer.addTrade(record);
      outbox.addTrade(live, record);
    },
    sample: (record) => writer.addSample(record),
  };
}

function mergeObservation(state: EngineState, observation: TokenObservation, context: MergeContext): void {
  const live = state.hydrator.findOrCreate(observation, context.now);
  if (live === null) return;
  // Trades, which are most observations, leave the identity as it is.
  const before = observation.kind === 'trade' ? null : identityOf(live);
  if (!merge(live, observation, context)) return;
  if (before !== null && isLaunchKnown(observation, live, before)) state.histories.recordLaunch(live, before);
  markChanged(state, live);
}

/** Returns whether an observation is of a launch, or of the wallet that paid for it. */
function isLaunchKnown({ kind }: TokenObservation, { record }: LiveToken, before: Identity): boolean {
  if (kind === 'created' || kind === 'listed') return true;
  return kind === 'facts' && (record.creationFeePayer ?? null) !== before.payer;
}

/** Marks a token to be stored and published with this tick. */
function markChanged({ writer, outbox }: Pick<EngineState, 'writer' | 'outbox'>, live: LiveToken): void {
  writer.addToken(live);
  outbox.addToken(live);
}

function refreshToken(state: EngineState, live: LiveToken, now: number, rate: AppliedRate): void {
  const { changed, lists, rugged } = refresh(live, now, rate);
  if (rugged) state.histories.recordRug(live, now);
  state.outbox.addLists(lists);
  if (changed) markChanged(state, live);
  else if (live.dirty.size > 0) state.writer.addToken(live);
}

/** Refreshes the next tenth of the tokens, as far as time alone changed them. */
function refreshSlice(state: EngineState, context: RefreshContext): void {
  const { tokens, writer } = state;
  const budget = { ...BUDGET };
  for (const live of tokens.nextSlice(REFRESH_SHARE)) {
    if (writeDueSamples(live, context, budget)) writer.addToken(live);
    if (isRefreshDue(live, context, budget)) refreshToken(state, live, context.now, context.rate);
    else if (!writer.holds(live)) tokens.evictIdle(live, context.now);
  }
  state.ticks += 1;
  if (state.ticks % TICKS_PER_TRIM === 0) tokens.trim();
}

function recompute(state: EngineState, addresses: readonly string[], stored: readonly TokenRecord[]): TokenRecord[] {
  const { deps, queue, tokens } = state;
  const now = deps.clock.now();
  const rate = appliedRate(state);
  for (const record of stored) {
    if (tokens.get(record._id) === undefined && !queue.isBlocked(record._id)) tokens.load(record, now);
  }
  return addresses.flatMap((address) => {
    const live = tokens.get(address);
    if (live === undefined) return [];
    // Due at once, however recent the last score is.
    live.grownAt = live.scoredAt = Number.NEGATIVE_INFINITY;
    refreshToken(state, live, now, rate);
    return live.record;
  });
}
