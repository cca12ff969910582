import type { SourceState } from '../../../../common/sources/model.ts';
import type { Clock, Random } from '../../../../common/time.ts';
import type { Observation } from '../observation.ts';
import type { Source, SourceContext, StoredToken } from '../source.ts';
import { HISTORY_SPAN, happenings, worldWithPast } from './history.ts';
import { seededRandom } from './random.ts';
import { resume } from './resume-coins.ts';
import type { World } from './world/world.ts';

export interface SimulatorOptions {
  /** Launches a minute. */
  rate: number;
  /** The same seed with the same clock gives the same market. */
  seed: string | number;
  clock: Clock;
  /** Dollars for 1 SOL when configured; null: the simulated rate wanders. */
  solUsd: number | null;
  /** Random numbers to use instead of the seed's. */
  random?: Random;
}

/** ms between two looks at what is due: one timer serves all coins. */
const TICK_MS = 100;
/** History waits while more observations than this are waiting to be merged, and looks again after `LOOK_AGAIN_MS`. */
const BACKLOG_LIMIT = 4_000;
const LOOK_AGAIN_MS = 20;
/** Observations handed over at a time. */
const CHUNK = 500;
/** A pause of the process longer than this, ms, is left out instead of caught up with. */
const LONGEST_CATCH_UP = 30_000;
/** Storage may still be on its way; without its answer a second history would stand beside the first. */
const KNOWN_RETRY_MS = 1_000;
/** Time without the simulator that is filled in at the next start, ms: a shorter one is not missed. */
const GAP_WORTH_FILLING = 10 * 60_000;

/** A seeded market that behaves like the recorded figures, on no chain: launches, trades, rugs, runners and graduations. */
export function createSimulator(options: SimulatorOptions): Source {
  return new Simulator(options);
}

class Simulator implements Source {
  readonly name = 'simulator';
  readonly #options: SimulatorOptions;
  #state: SourceState = 'stopped';
  #lastEventAt: number | null = null;
  #running: Promise<void> = Promise.resolve();
  #ending = new AbortController();
  #world: World | null = null;
  /** Coins of earlier runs that are to go on. */
  #known: readonly StoredToken[] = [];
  /** Counts up when all tokens are let go of. */
  #generation = 0;

  constructor(options: SimulatorOptions) {
    this.#options = options;
  }

  async start(context: SourceContext): Promise<void> {
    if (this.#state !== 'stopped') return;
    this.#ending = new AbortController();
    this.#state = 'connecting';
    this.#running = this.#run(context).catch((error: unknown) => {
      this.#state = 'down';
      context.log.error({ err: error }, 'The simulated market stopped');
    });
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    this.#state = 'stopped';
  }

  clear(): void {
    this.#generation += 1;
    this.#known = [];
    this.#world?.forgetCoins();
  }

  status(): { state: SourceState; lastEventAt: number | null } {
    return { state: this.#state, lastEventAt: this.#lastEventAt };
  }

  async #run(context: SourceContext): Promise<void> {
    const known = await this.#askKnown(context);
    if (!known) return;
    this.#known = known;
    const { clock, rate, seed, solUsd } = this.#options;
    const present = clock.now();
    const from = historyStart(known, present);
    // The start is part of the seed: a restart must not make the same addresses again.
    const random = this.#options.random ?? seededRandom(`${seed}:${present}`);
    const world = worldWithPast({ random, from, present, rate, solUsd });
    this.#world = world;
    await this.#fill(context, world, present);
    if (this.#isStopped()) return;
    const resumed = resume(world, this.#known, present);
    this.#known = [];
    context.log.info({ resumed, historyHours: (present - from) / 3_600_000 }, 'The simulated market is live');
    this.#state = 'live';
    while (!this.#isStopped()) {
      this.#tick(context, world);
      await this.#pause(TICK_MS);
    }
  }

  /** Tokens of earlier runs; asked again until storage answers, null when stopped meanwhile. */
  async #askKnown(context: SourceContext): Promise<StoredToken[] | null> {
    while (!this.#isStopped()) {
      try {
        const generation = this.#generation;
        const known = await context.storedTokens();
        // Else it may hold tokens that were let go of while storage was asked.
        if (generation === this.#generation) return known;
      } catch (error) {
        context.log.warn({ err: error }, 'The simulated market waits for storage');
        await this.#pause(KNOWN_RETRY_MS);
      }
    }
    return null;
  }

  /** Tells the past, in chunks, waiting while the market has enough to do. */
  async #fill(context: SourceContext, world: World, present: number): Promise<void> {
    // Told before each pause, so that nothing waits here when tokens are let go of.
    let chunk: Observation[] = [];
    for (const observations of happenings(world, present)) {
      chunk.push(...observations);
      if (chunk.length < CHUNK) continue;
      this.#tell(context, chunk, 'backfill');
      chunk = [];
      await this.#pause(0);
      while (!this.#isStopped() && context.backlog() > BACKLOG_LIMIT) await this.#pause(LOOK_AGAIN_MS);
      if (this.#isStopped()) return;
    }
    this.#tell(context, chunk, 'backfill');
  }

  #tick(context: SourceContext, world: World): void {
    const now = this.#options.clock.now();
    if (now - world.now > LONGEST_CATCH_UP) world.skip(now - world.now);
    this.#tell(context, world.advance(now, now));
  }

  #tell(context: SourceContext, observations: Observation[], how?: 'backfill'): void {
    const last = observations.at(-1);
    if (this.#isStopped() || !last) return;
    this.#lastEventAt = last.receivedAt;
    context.observe(observations, how);
  }

  #isStopped(): boolean {
    return this.#ending.signal.aborted;
  }

  /** Waits, or less when the simulator is stopped. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.#ending;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, signal.aborted ? 0 : ms);
      signal.addEventListener('abort', end);
    });
  }
}

/** Where the past to be told begins: eight hours ago at a first start, after the last event known otherwise. */
function historyStart(known: readonly StoredToken[], present: number): number {
  if (known.length === 0) return present - HISTORY_SPAN;
  const last = known.reduce((latest, token) => Math.max(latest, token.lastTradeAt ?? 0, token.createdAt), 0);
  if (present - last < GAP_WORTH_FILLING) return present;
  return Math.max(last + 1, present - HISTORY_SPAN);
}
