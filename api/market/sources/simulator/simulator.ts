import type { SourceState } from '../../../../common/sources/model.ts';
import type { Clock, Random } from '../../../../common/time.ts';
import { pause } from '../../../platform/resilience.ts';
import type { Observation } from '../observation.ts';
import type { Source, SourceContext, StoredToken } from '../source.ts';
import { HISTORY_SPAN, observationsUntil, worldWithPast } from './history.ts';
import type { ListedCoins } from './listed/listed-coins.ts';
import type { OnLaunch } from './lives/launches.ts';
import { seededRandom } from './random.ts';
import { resumeCoins } from './resume-coins.ts';
import type { MarketShape, World } from './world/world.ts';

export interface SimulatorOptions {
  /** Launches a minute. */
  rate: number;
  /** The same seed with the same clock gives the same market. */
  seed: string | number;
  clock: Clock;
  /** Configured dollars for 1 SOL; null: the simulated rate wanders. */
  solUsd: number | null;
  /** Replaces the seed's random numbers. */
  random?: Random;
  /** Form of the observations; `simulator` by default. */
  shape?: MarketShape;
  /** Receives each launch with its fate, for benches. */
  onLaunch?: OnLaunch;
  /** Coins that can trade on the local chain; null or absent: none. */
  listed?: ListedCoins | null;
}

/** ms between two ticks: one timer serves all coins. */
const TICK_MS = 100;
/** History pauses above this number of queued observations, and checks again after `BACKLOG_PAUSE_MS`. */
const BACKLOG_LIMIT = 4_000;
const BACKLOG_PAUSE_MS = 20;
/** Observations of one chunk of history. */
const CHUNK = 500;
/** A longer pause of the process, ms, is skipped instead of caught up with. */
const LONGEST_CATCH_UP = 30_000;
/** Storage may be unavailable at the start; without its tokens a second history would appear beside the first. */
const STORAGE_RETRY_MS = 1_000;
/** A longer time without the simulator, ms, is filled with history at the next start. */
const SHORTEST_FILLED_GAP = 10 * 60_000;

/**
 * Creates a seeded market with the recorded figures: launches, trades, rugs, runners and graduations. It is on no chain, except for
 * coins that orders put on the local one.
 */
export function createSimulator(options: SimulatorOptions): Source {
  let state: SourceState = 'stopped';
  let lastEventAt: number | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopping = new AbortController();
  let run: Run | null = null;
  return {
    name: 'simulator',
    async start(context) {
      if (state !== 'stopped') return;
      stopping = new AbortController();
      const { signal } = stopping;
      state = 'connecting';
      run = createRun(options, {
        ...context,
        observe(observations, how) {
          const last = observations.at(-1);
          if (signal.aborted || !last) return;
          lastEventAt = last.receivedAt;
          context.observe(observations, how);
        },
      });
      const onLive = () => {
        state = 'live';
      };
      running = run.play(signal, onLive).catch((error: unknown) => {
        state = 'down';
        context.log.error({ err: error }, 'simulator failed');
      });
    },
    async stop() {
      stopping.abort();
      await running;
      options.listed?.stop();
      state = 'stopped';
    },
    clear: () => run?.clear(),
    status: () => ({ state, lastEventAt }),
  };
}

/** One run from start to stop. */
type Run = ReturnType<typeof createRun>;

function createRun(options: SimulatorOptions, context: SourceContext) {
  const { clock, rate, seed, solUsd, random, shape, onLaunch, listed = null } = options;
  let world: World | null = null;
  /** Coins of earlier runs to resume. */
  let stored: readonly StoredToken[] = [];
  /** Incremented when all tokens are removed. */
  let generation = 0;

  /** Resolves with the tokens of earlier runs; retries until storage is available, null when stopped meanwhile. */
  async function loadStored(signal: AbortSignal, also: Iterable<string>): Promise<StoredToken[] | null> {
    while (!signal.aborted) {
      try {
        const loadedIn = generation;
        const tokens = await context.storedTokens(also);
        // Otherwise they may include tokens that were removed meanwhile.
        if (loadedIn === generation) return tokens;
      } catch (error) {
        context.log.warn({ err: error }, 'stored tokens not loaded, retrying');
        await pause(STORAGE_RETRY_MS, signal);
      }
    }
    return null;
  }

  return {
    /** Plays the history, then the live market until `signal` aborts. */
    async play(signal: AbortSignal, onLive: () => void): Promise<void> {
      const onChain = listed === null ? new Set<string>() : await listed.find();
      const tokens = await loadStored(signal, onChain ?? []);
      if (!tokens) return;
      stored = tokens;
      const present = clock.now();
      const from = historyStart(tokens, present);
      // The start is part of the seed: a restart must not repeat addresses.
      const numbers = random ?? seededRandom(`${seed}:${present}`);
      const current = worldWithPast({ random: numbers, from, present, rate, solUsd, shape, onLaunch });
      world = current;
      await playHistory(current, present, context, signal);
      if (signal.aborted) return;
      // While the chain is away, its coins are the ones that the market saw there.
      const isListed = ({ address, isListed: wasListed }: StoredToken): boolean =>
        onChain === null ? wasListed === true : onChain.has(address);
      const others = stored.filter((token) => !isListed(token));
      const resumed = resumeCoins(current, others, present);
      listed?.start({ world: current, context, stored: stored.filter(isListed), now: present });
      stored = [];
      context.log.info({ resumed, historyHours: (present - from) / 3_600_000 }, 'simulator live');
      onLive();
      while (!signal.aborted) {
        const now = clock.now();
        if (now - current.now > LONGEST_CATCH_UP) current.skip(now - current.now);
        context.observe(current.advance(now, now));
        listed?.advance(now);
        await pause(TICK_MS, signal);
      }
    },
    clear(): void {
      generation += 1;
      stored = [];
      world?.clear();
      listed?.clear();
    },
  };
}

/** Observes the past in chunks; pauses while the ingest queue is long. */
async function playHistory(world: World, present: number, context: SourceContext, signal: AbortSignal): Promise<void> {
  // Observed before each pause, so that no removed token remains in a chunk.
  let chunk: Observation[] = [];
  for (const observations of observationsUntil(world, present)) {
    chunk.push(...observations);
    if (chunk.length < CHUNK) continue;
    context.observe(chunk, 'backfill');
    chunk = [];
    await pause(0, signal);
    while (!signal.aborted && context.backlog() > BACKLOG_LIMIT) await pause(BACKLOG_PAUSE_MS, signal);
    if (signal.aborted) return;
  }
  context.observe(chunk, 'backfill');
}

/** Returns the start of the simulated past: eight hours ago at the first start, otherwise after the last stored event. */
function historyStart(stored: readonly StoredToken[], present: number): number {
  if (stored.length === 0) return present - HISTORY_SPAN;
  const last = stored.reduce((latest, token) => Math.max(latest, token.lastTradeAt ?? 0, token.createdAt), 0);
  if (present - last < SHORTEST_FILLED_GAP) return present;
  return Math.max(last + 1, present - HISTORY_SPAN);
}
