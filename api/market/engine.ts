import type { Logger } from 'pino';
import type { FeedCursor } from '../../common/live/protocol.ts';
import type { Clock, Random } from '../../common/time.ts';
import { GROWTH_WINDOW } from '../../common/tokens/growth.ts';
import type { SolUsd } from '../../common/tokens/model.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { TokenRecord } from '../tokens/record.ts';
import { Intake } from './ingest/queue.ts';
import { worthAsking } from './polling/poll-candidates.ts';
import type { Lag } from './publish/latency.ts';
import { Outbox, type RemovedTokens } from './publish/outbox.ts';
import { Publication } from './publish/publish-pipeline.ts';
import type { MarketStore } from './publish/store.ts';
import { Writer } from './publish/writer.ts';
import type { Observation, RateObservation } from './sources/observation.ts';
import { type MergeContext, merge, type TokenObservation } from './token/merge/merge.ts';
import { RateKeeper } from './token/merge/sol-rate.ts';
import type { Launch } from './token/score/creator-history.ts';
import { Histories, identityOf } from './token/score/launch-histories.ts';
import { isDue, refresh, type SweepBudget, type SweepContext, sweepSamples } from './token/score/refresh.ts';
import type { RateInForce } from './token/score/score.ts';
import { Admission } from './token/state/hydrate.ts';
import type { LiveToken } from './token/state/live-token.ts';
import { LiveTokens } from './token/state/live-tokens.ts';
import { fullSample } from './token/state/samples.ts';

/** Every token is looked at once a second, a tenth of them in each tick. */
const SWEEP_SHARE = 0.1;
/** Bounds of memory are looked at once in so many ticks: that walks over every token. */
const TICKS_PER_TRIM = 10;
/** What a sweep may do in one tick: 20,000 tokens are re-rated or sampled within twenty seconds. */
const BUDGET: SweepBudget = { rerates: 100, samples: 100, growths: 100 };

export interface EngineDeps {
  store: MarketStore;
  publisher: Publisher;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Dollars for 1 SOL as configured; null without. */
  solUsd: number | null;
}

/** The market without its sources and its timer: takes observations, and at every tick merges, stores and publishes them. */
export class Engine {
  readonly #deps: EngineDeps;
  readonly #tokens = new LiveTokens();
  readonly #intake: Intake;
  readonly #writer: Writer;
  readonly #outbox: Outbox;
  readonly #admission: Admission;
  readonly #histories: Histories;
  readonly #publication: Publication;
  readonly #rate: RateKeeper;
  /** When that was received which the present tick merges. */
  #received: number[] = [];
  #ticks = 0;
  #between: (() => Promise<void>)[] = [];

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    this.#intake = new Intake(deps.log);
    this.#writer = new Writer(deps);
    this.#outbox = new Outbox(deps.publisher, deps.log);
    this.#admission = new Admission({ tokens: this.#tokens, store: deps.store, writer: this.#writer });
    this.#rate = new RateKeeper(deps.solUsd, deps.clock.now());
    this.#histories = new Histories({ tokens: this.#tokens, note: (live) => this.#note(live) });
    this.#publication = new Publication({
      writer: this.#writer,
      outbox: this.#outbox,
      clock: deps.clock,
      cursor: deps.publisher.cursor(),
    });
  }

  /** Takes up what is in MongoDB: tokens that lists or time can still move, their momentum, and who launched what. */
  async load(): Promise<void> {
    const now = this.#deps.clock.now();
    const kept = await this.#deps.store.kept(now, GROWTH_WINDOW);
    this.#rate.restore(kept.rate, now);
    for (const launch of kept.launches) this.#histories.add(launch);
    for (const id of kept.tradeIds) this.#intake.isNews(id);
    for (const record of kept.tokens) this.#tokens.load(record, now);
    for (const { address, at, side, wallet, lamports, price } of kept.trades) {
      const live = this.#tokens.get(address);
      live?.momentum.add({ at: at.getTime(), side, wallet, lamports }, price, live.record.holderCount);
    }
  }

  /** Queues observations; never throws, never waits. */
  observe(observations: readonly Observation[]): void {
    this.#intake.add(observations);
  }

  /** Takes no such observations until this is called with null. */
  refuse(isUnwanted: ((observation: Observation) => boolean) | null): void {
    this.#intake.refuse(isUnwanted);
  }

  /** Takes nothing more about these tokens while this process runs. To be called before they are deleted. */
  banish(addresses: readonly string[]): void {
    this.#intake.banish(addresses);
  }

  /** Runs `job` before the next tick, when nothing is being merged, stored or published. */
  between<Result>(job: () => Result | Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#between.push(async () => {
        try {
          await this.#publication.settled;
          await this.#writer.landed();
          resolve(await job());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /**
   * Forgets tokens, as if they had never been heard of. Gives the addresses of those that were published and are not in
   * MongoDB. To be called between two ticks, while what would bring them back is refused.
   */
  forget(matches: (record: TokenRecord) => boolean): string[] {
    const removed = this.#tokens.remove(matches);
    this.#admission.forget(removed);
    this.#writer.forget(removed);
    this.#outbox.forget(removed);
    return [...removed].filter(({ stored }) => !stored).map(({ record }) => record._id);
  }

  /**
   * Says that tokens are no more, after they were deleted. `launches` are those that are left: who launched what, and which
   * coin is whose twin, is made of them anew; null keeps what was known. To be called between two ticks.
   */
  async sayRemoved(payloads: readonly RemovedTokens[], launches: readonly Launch[] | null): Promise<void> {
    if (launches !== null) this.#histories.remember(launches, this.#deps.clock.now());
    await this.#publication.sayRemoved(payloads);
  }

  /** Whether the token is in memory, where its figures are newer than those in MongoDB. */
  holds(address: string): boolean {
    return this.#tokens.get(address) !== undefined;
  }

  /**
   * Looks at tokens anew: growth, score and lists. What changed is stored and published as ever. `stored` are records of
   * tokens that are to be taken up into memory for it. To be called between two ticks.
   */
  reconsider(addresses: readonly string[], stored: readonly TokenRecord[]): TokenRecord[] {
    const now = this.#deps.clock.now();
    const rate = this.#rateInForce();
    for (const record of stored) {
      if (!this.holds(record._id) && !this.#intake.isBanished(record._id)) this.#tokens.load(record, now);
    }
    return addresses.flatMap((address) => {
      const live = this.#tokens.get(address);
      if (live === undefined) return [];
      // Made now, however lately they were made before.
      live.grownAt = live.scoredAt = Number.NEGATIVE_INFINITY;
      this.#refresh(live, now, rate);
      return live.record;
    });
  }

  backlog(): number {
    return this.#intake.size;
  }

  /** How long observations took to be published, in the last minute. */
  lag(): Lag {
    return this.#publication.lag();
  }

  /** Tokens in memory. */
  get size(): number {
    return this.#tokens.size;
  }

  worthAsking(limit: number): string[] {
    return worthAsking(this.#tokens.values(), limit);
  }

  firstToldBy(source: string): number {
    return this.#admission.firstToldBy(source);
  }

  solUsd(): SolUsd | null {
    return this.#rate.present();
  }

  /** The last place of the feed of which everything up to there is in MongoDB. */
  stored(): FeedCursor {
    return this.#publication.stored;
  }

  /** True when there is nothing to merge and nothing to store. */
  get idle(): boolean {
    return this.#intake.size === 0 && this.#writer.clean;
  }

  /**
   * One round: merge what waits, look at a tenth of the tokens, begin to store and publish. Rounds must not overlap, but the
   * next one may begin while the database is still writing.
   */
  async tick(): Promise<void> {
    for (const job of this.#between.splice(0)) await job();
    const now = this.#deps.clock.now();
    const { rates, symbols, batch } = this.#intake.take();
    for (const rate of rates) this.#takeRate(rate);
    this.#histories.known(symbols, now);
    for (const live of await this.#admission.prepare(batch, now)) this.#note(live);
    for (const { receivedAt } of batch) this.#received.push(receivedAt);
    const rate = this.#rateInForce();
    const context = this.#mergeContext(now, rate);
    for (const observation of batch) this.#merge(observation, context);
    for (const live of this.#outbox.tokens) this.#refresh(live, now, rate);
    for (const live of this.#outbox.tokens) fullSample(live, context);
    this.#sweep({ now, rate, sample: context.sample });
    await this.#publication.begin(now, rate.solUsd, () => this.#received.splice(0));
  }

  #takeRate(observation: RateObservation): void {
    const told = this.#rate.observe(observation) ? this.#rate.current() : null;
    if (told !== null) this.#writer.rate(told);
  }

  #rateInForce(): RateInForce {
    return { solUsd: this.#rate.current()?.solUsd ?? null, generation: this.#rate.generation };
  }

  #mergeContext(now: number, { solUsd }: RateInForce): MergeContext {
    return {
      now,
      solUsd,
      trade: (live, record) => {
        this.#writer.trade(record);
        this.#outbox.trade(live, record);
      },
      sample: (record) => this.#writer.sample(record),
    };
  }

  #merge(observation: TokenObservation, context: MergeContext): void {
    const live = this.#admission.find(observation, context.now);
    if (live === null) return;
    const before = identityOf(live);
    if (!merge(live, observation, context)) return;
    if (observation.kind === 'created' || observation.kind === 'listed') this.#histories.launched(live, before);
    this.#note(live);
  }

  /** Something is to be stored and published. */
  #note(live: LiveToken): void {
    this.#writer.token(live);
    this.#outbox.token(live);
  }

  #refresh(live: LiveToken, now: number, rate: RateInForce): void {
    const { changed, lists, rugged } = refresh(live, now, rate);
    if (rugged) this.#histories.rugged(live, now);
    this.#outbox.lists(lists);
    if (changed) this.#note(live);
    else if (live.dirty.size > 0) this.#writer.token(live);
  }

  #sweep(context: SweepContext): void {
    const budget = { ...BUDGET };
    for (const live of this.#tokens.nextSlice(SWEEP_SHARE)) {
      if (sweepSamples(live, context, budget)) this.#writer.token(live);
      if (isDue(live, context, budget)) this.#refresh(live, context.now, context.rate);
      else if (!this.#writer.holds(live)) this.#tokens.forgetIdle(live, context.now);
    }
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_TRIM === 0) this.#tokens.trim();
  }

  /** Resolves once what the last tick did is published. */
  settled(): Promise<void> {
    return this.#publication.settled;
  }
}
