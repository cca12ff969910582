import { SECOND } from '../../common/time.ts';
import type { TokenPatch } from '../../common/tokens/model.ts';
import { withTimeout } from '../platform/resilience.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { createState, type EngineDeps, type EngineState, load, markChanged } from './engine-state.ts';
import { recover } from './operations/recovery.ts';
import type { RemovedTokens } from './publish/outbox.ts';
import { type MergeContext, merge, type TokenObservation } from './token/merge/merge.ts';
import { noChainWatch } from './token/merge/trade-chain.ts';
import type { Launch } from './token/score/creator-history.ts';
import { type Identity, identityOf } from './token/score/histories.ts';
import {
  isRefreshDue,
  type RefreshBudget,
  type RefreshContext,
  refresh,
  writeDueSamples,
} from './token/score/refresh.ts';
import type { AppliedRate } from './token/score/score.ts';
import { AT_ONCE, type LiveToken } from './token/state/live-token.ts';
import { fullSample } from './token/state/samples.ts';
import type { OnMoved } from './traded/price-steps.ts';

/** Every token is checked once in this time, ms. */
const REFRESH_SPAN = SECOND;
/** Time between two checks of the memory bounds, which walk over every token, ms. */
const TRIM_INTERVAL = SECOND;
/** Refreshes of each kind in one ms: 20,000 tokens are re-rated or sampled within twenty seconds. */
const REFRESHES_PER_MS = 1;
/** Scores of changed tokens in one ms, several times those of the busiest hours. Beyond it the others wait for their turn of `REFRESH_SPAN`. */
const SCORES_PER_MS = 2;
/** Most of them in one tick, however long the time since the last one. */
const MAX_REFRESHES = 200;

export type Engine = ReturnType<typeof createEngine>;

/** The market without sources and timer: takes observations, and with every tick merges, stores and publishes them. */
export function createEngine(deps: EngineDeps) {
  const state = createState(deps);
  const { queue, tokens, writer, pipeline, hydrator, rate } = state;
  /** Addresses of tokens that a crash had left behind. */
  const recovered: string[] = [];
  return {
    /** Observations that wait; sources add to it. */
    queue,
    /** Number of tokens in memory. */
    get size() {
      return tokens.size;
    },
    /** True with nothing to merge and nothing to store. */
    get idle() {
      return queue.size === 0 && writer.backlog() === 0;
    },
    /** Brings the stored tokens up to date after a crash, see operations/recovery.ts. Nothing may read them before. */
    async recover(): Promise<void> {
      recovered.push(...(await recover(deps)));
    },
    /** Loads the state from MongoDB: tokens whose lists may still change, their momentum, and the launches. */
    async load(): Promise<void> {
      recovered.push(...(await recover(deps)));
      await load(state, recovered.splice(0));
    },
    /**
     * Runs one round: merges the queue, refreshes the next tokens, and starts to store and publish. Rounds must not overlap; the
     * next one waits for the journal of this one.
     */
    tick: () => tick(state),
    /** Resolves when the changes of the last tick are published. */
    settled: () => pipeline.settled(),
    /** Writes everything that MongoDB does not have yet, unless it is away. To be called between two ticks. */
    flush: () => flush(state),
    /**
     * Does the same before the next tick, which waits for it, but at most `ms`. Resolves with false when the time was not enough.
     */
    flushBeforeTick: (ms: number): Promise<boolean> =>
      new Promise((resolve) => {
        state.jobs.push(async () => resolve((await withTimeout(flush(state), ms)) !== null));
      }),
    /** Ends the journal, if MongoDB has everything. To be called after the last tick. */
    close: writer.close,
    /** Returns the number of tokens, ticks, trades and samples that MongoDB does not have yet. */
    backlog: writer.backlog,
    /** Returns the trades and samples of a token that may not be in MongoDB yet, oldest first. */
    unstored: writer.unstored,
    /** Returns whether the token is in memory, where its figures are newer than in MongoDB. */
    has: (address: string) => tokens.get(address) !== undefined,
    /** Returns the token in memory; undefined when it is not there. Its state is not to be changed. */
    live: (address: string) => tokens.get(address),
    /** Hands every tick to a listener, with the changes of new tokens that were detected at or after `from` (epoch ms). */
    follow: state.feed.follow,
    unfollow: () => state.feed.unfollow(tokens.values()),
    /** Start of the last tick, epoch ms; null before the first. */
    get tickedAt() {
      return state.tickedAt;
    },
    ...createPinned(state),
    ...createRepairs(state),
    /** Returns addresses of mainnet tokens that data services should be polled about, most wanted first. */
    pollCandidates: (limit: number) => pollCandidates(tokens.values(), limit),
    /** Returns the number of tokens that this source was the first to report, since the start; null: any source. */
    firstSeenBy: (source: string | null) => hydrator.firstSeenBy(source),
    solUsd: () => rate.present(),
    /** Returns the publishing latencies of the last minute. */
    latency: () => pipeline.latency(),
    /** Returns the last feed position: tokens in memory, and stored ones that are not, contain everything up to it (F3). */
    published: () => pipeline.published,
  };
}

/** Creates the calls about pinned tokens and their price steps. */
function createPinned({ queue, tokens, steps }: EngineState) {
  return {
    /**
     * Keeps a token in memory until it is unpinned as many times, reports its price steps, and has the sources follow it first. A
     * token that is not in memory is loaded with the next tick. A removed token stays removed.
     */
    pin(address: string) {
      tokens.pin(address);
      const live = tokens.get(address);
      if (live !== undefined) steps.follow(live);
      if (queue.isBlocked(address)) tokens.unloadedPins.delete(address);
    },
    unpin(address: string) {
      if (tokens.unpin(address)) steps.history.forget(address);
    },
    /** Returns whether no price step up to a time (epoch ms) can follow: everything that was received until then is merged. */
    hasMerged: (at: number) => steps.mergedAt > at,
    /** Returns the price step of a pinned token in force at a time; null when it was not pinned then, or that is too long ago. */
    stepAt: (address: string, at: number) => steps.history.at(address, at),
    /** Returns the recent price steps of a pinned token after a time, oldest first. */
    stepsSince: (address: string, at: number) => steps.history.since(address, at),
    pinnedAddresses: () => [...tokens.pinnedAddresses()],
    /**
     * Subscribes to the price steps of pinned tokens, once a tick, after its merge and before it is stored. Returns a function
     * that ends the subscription.
     */
    onMoved: (listener: OnMoved) => steps.subscribe(listener),
  };
}

/** Creates the changes of stored tokens beside the ticks. */
function createRepairs(state: EngineState) {
  const { deps, tokens, hydrator, writer, outbox, pipeline, histories } = state;
  return {
    /** Runs `job` before the next tick, while nothing is being merged, stored or published. */
    betweenTicks: <Result>(job: () => Result | Promise<Result>): Promise<Result> =>
      new Promise((resolve, reject) => {
        state.jobs.push(async () => {
          try {
            await pipeline.handedOver;
            await writer.idle();
            resolve(await job());
          } catch (error) {
            reject(error);
          }
        });
      }),
    /**
     * Drops matching tokens completely. Returns the addresses of the ones missing in MongoDB. To be called between two
     * ticks, while observations that would bring them back are filtered.
     */
    evict(matches: (record: TokenRecord) => boolean) {
      const removed = tokens.remove(matches);
      hydrator.forget(removed);
      writer.forget(removed);
      outbox.forget(removed);
      return [...removed].filter(({ stored }) => !stored).map(({ record }) => record._id);
    },
    /**
     * Publishes removals after the deletion. `launches` are those left, from which the histories are built again; null keeps
     * the present histories. To be called between two ticks.
     */
    publishRemoved(removals: readonly RemovedTokens[], launches: readonly Launch[] | null): void {
      if (launches !== null) histories.replace(launches, deps.clock.now());
      pipeline.publishRemoved(removals);
    },
    /** Publishes changes of stored tokens that are not in memory. To be called between two ticks, after they were written. */
    publishPatches: (patches: readonly TokenPatch[]) =>
      pipeline.publishPatches(patches, { at: deps.clock.now(), solUsd: appliedRate(state).solUsd }),
    /**
     * Computes growth, score and lists of tokens now; changes are stored and published as usual. `stored` are records to load
     * for it. To be called between two ticks.
     */
    recompute: (addresses: readonly string[], stored: readonly TokenRecord[]) => recompute(state, addresses, stored),
  };
}

async function flush({ pipeline, writer }: EngineState): Promise<void> {
  await pipeline.handedOver;
  await writer.flush();
}

async function tick(state: EngineState): Promise<void> {
  const { deps, queue, outbox, pipeline, hydrator, histories, writer } = state;
  for (const job of state.jobs.splice(0)) await job();
  // Nothing is merged before the last tick is journaled, so that no checkpoint contains a trade that the journal lacks.
  await pipeline.handedOver;
  void writer.startRows();
  await writer.room();
  const now = deps.clock.now();
  const elapsed = now - (state.tickedAt ?? now - MAX_REFRESHES);
  state.tickedAt = now;
  const batch = queue.take();
  for (const observation of batch.rates) {
    const rate = state.rate.observe(observation) ? state.rate.current() : null;
    if (rate !== null) state.writer.setRate(rate);
  }
  histories.addKnownSymbols(batch.symbols, now);
  for (const live of await hydrator.hydrate(batch.tokens, now)) markChanged(state, live);
  for (const receivedAt of batch.received) state.received.push(receivedAt);
  const rate = appliedRate(state);
  const context = mergeContext(state, now, rate);
  for (const observation of batch.tokens) mergeObservation(state, observation, context);
  let scores = Math.ceil(Math.min(elapsed, MAX_REFRESHES) * SCORES_PER_MS);
  for (const live of outbox.tokens) {
    const isDue = now >= live.due.scoreFrom;
    refreshToken(state, live, now, rate, scores > 0);
    if (isDue) scores -= 1;
  }
  for (const live of outbox.tokens) fullSample(live, context);
  refreshSlice(state, { now, rate, sample: context.sample }, elapsed);
  flushSteps(state, now);
  state.feed.flush(now, outbox.tokens, () => state.tokens.values());
  pipeline.start(now, rate.solUsd, state.received.splice(0));
}

function appliedRate({ rate }: EngineState): AppliedRate {
  return { solUsd: rate.current()?.solUsd ?? null, generation: rate.generation };
}

function mergeContext({ deps, writer, outbox }: EngineState, now: number, { solUsd }: AppliedRate): MergeContext {
  return {
    ...(deps.chainWatch ?? noChainWatch),
    now,
    solUsd,
    trade(live, record, observation) {
      writer.addTrade(observation, record);
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
  if (observation.kind !== 'trade') live.observed = true;
  if (live.pin !== null) state.steps.add(live, observation.receivedAt, context.now);
  if (state.feed.isFollowed) state.feed.add(live, observation.receivedAt, context.now);
  if (before !== null && isLaunchKnown(observation, live, before))
    state.histories.recordLaunch(live, before, context.now);
  markChanged(state, live);
}

/** Returns whether an observation is of a launch, or of the wallet that paid for it. */
function isLaunchKnown({ kind }: TokenObservation, { record }: LiveToken, before: Identity): boolean {
  if (kind === 'created' || kind === 'listed') return true;
  return kind === 'facts' && (record.creationFeePayer ?? null) !== before.payer;
}

function refreshToken(state: EngineState, live: LiveToken, now: number, rate: AppliedRate, mayScore = true): void {
  const { changed, lists, rugged } = refresh(live, now, rate, mayScore);
  if (rugged) state.histories.recordRug(live, now);
  state.outbox.addLists(lists);
  if (changed) markChanged(state, live);
  else if (live.dirty.size > 0) state.writer.addToken(live);
}

/** Refreshes the changes that time alone made to the next tokens, as many as the time since the last tick (ms) asks for. */
function refreshSlice(state: EngineState, context: RefreshContext, elapsed: number): void {
  const { tokens, writer } = state;
  const count = Math.min(MAX_REFRESHES, Math.ceil(elapsed * REFRESHES_PER_MS));
  const budget: RefreshBudget = { scores: count, rerates: count, samples: count, growths: count };
  for (const live of tokens.nextSlice(Math.min(1, elapsed / REFRESH_SPAN))) {
    if (writeDueSamples(live, context, budget)) writer.addToken(live);
    if (isRefreshDue(live, context, budget)) refreshToken(state, live, context.now, context.rate);
    else tokens.evictIdle(live, context.now);
  }
  if (context.now - state.trimmedAt < TRIM_INTERVAL) return;
  state.trimmedAt = context.now;
  tokens.trim();
}

/** Hands over the price steps of the tick, and the steps that a new rate made. */
function flushSteps({ tokens, steps }: EngineState, now: number): void {
  for (const address of tokens.pinnedAddresses()) {
    const live = tokens.get(address);
    if (live === undefined) continue;
    steps.add(live, now, now);
    // Loaded with this tick.
    steps.follow(live);
  }
  steps.flush(now);
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
    live.due.growth = live.due.scoreFrom = AT_ONCE;
    refreshToken(state, live, now, rate);
    return live.record;
  });
}

/** Before the ranks of `rankOf`. */
const PINNED_RANK = -1;

/**
 * Returns addresses of tokens worth polling, most wanted first: pinned ones, listed ones, incomplete ones, then the
 * rest, each by latest trade. Mainnet only, since data services cover no other cluster.
 */
function pollCandidates(tokens: Iterable<LiveToken>, limit: number): string[] {
  const wanted: { address: string; rank: number; at: number }[] = [];
  for (const { record, pin } of tokens) {
    if (record.cluster !== 'mainnet') continue;
    wanted.push({
      address: record._id,
      rank: pin === null ? rankOf(record) : PINNED_RANK,
      at: record.lastTradeAt ?? record.listedAt,
    });
  }
  wanted.sort((a, b) => a.rank - b.rank || b.at - a.at);
  return wanted.slice(0, limit).map(({ address }) => address);
}

function rankOf(record: TokenRecord): number {
  if (record.runner || record.mightRun) return 0;
  return isIncomplete(record) ? 1 : 2;
}

function isIncomplete({ name, creator, createdAt, price, holderCount, stage, facts }: TokenRecord): boolean {
  const lp = stage === 'pool' && facts.lpUnlocked === null;
  return lp || [name, creator, createdAt, price, holderCount, facts.mintAuthorityLive].includes(null);
}
