import { createLauncher } from '../../../api/market/sources/simulator/lives/launches.ts';
import { seededRandom } from '../../../api/market/sources/simulator/random.ts';
import { createWorld } from '../../../api/market/sources/simulator/world/world.ts';
import { HOUR, MINUTE, SECOND } from '../../../common/time.ts';
import { engineWithoutStorage, SOL_USD } from './engine-without-storage.ts';
import { createOutcomes, isDrained, type Span, type Truth } from './outcomes.ts';

/** Ages for scoring every coin, ms. */
export const AGES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const;
/** Age for taking the price of any coin for the base rate of the runners, ms. */
const BASE_AGE = 5 * SECOND;
/** Simulated time between two ticks, ms. The product's own is shorter, but it scores a coin at most once a second as well. */
const STEP = SECOND;
/** The same once every coin is scored, when only the runner list and the outcomes are followed, ms. */
const LATE_STEP = 5 * SECOND;
/** Launches a minute; about the rate of pump.fun in 2026. */
const RATE = 40;
/** Start of the simulated time: a whole second, as chain times are. */
const START = Date.UTC(2026, 8, 1, 12);

/** A coin at one of the ages: its score, and its true state at that moment. */
export interface Snapshot {
  age: number;
  fate: string;
  score: number | null;
  isRunner: boolean;
  isDrained: boolean;
  /** Highest liquidity so far, SOL. */
  peakLiquidity: number;
  /** Whether the product labels the coin as a rug. */
  isRugged: boolean;
  /** The hour that followed. */
  span: Span;
}

/** A coin's first entry into the runner list. */
interface RunnerEntry {
  truth: Truth;
  span: Span;
}

/** Everything that one seed gave. */
export interface MarketRun {
  seed: string;
  coins: number;
  observations: number;
  snapshots: Snapshot[];
  runners: RunnerEntry[];
  /** The hour after the fifth second of each coin. */
  base: Span[];
  graduated: number;
}

/**
 * Plays a simulated market of one seed through the product's engine, and scores each coin at every age. The market has
 * mainnet's shape (slots of `slotMs`, launchpad pump.fun, times in whole seconds, no account read) and no scheduled stars or climbers.
 */
export async function runMarket(seed: string, coins: number, slotMs: number): Promise<MarketRun> {
  const clock = { at: START, now: () => clock.at };
  const { engine, bus } = engineWithoutStorage(clock);
  const outcomes = createOutcomes();
  const world = createWorld({ random: seededRandom(seed), from: START, solUsd: SOL_USD, shape: 'mainnet', slotMs });
  const queue = createQueue();
  let launched = 0;
  const launch = createLauncher(world, Number.POSITIVE_INFINITY, ({ address, fate }) => {
    launched += 1;
    queue.add(outcomes.launch(address, fate, world.now));
  });
  const launchesEnd = START + Math.ceil((coins / RATE) * MINUTE);
  launch({ from: START, until: launchesEnd, rateAt: () => RATE });

  const run: MarketRun = { seed, coins: 0, observations: 0, snapshots: [], runners: [], base: [], graduated: 0 };
  const entered = new Set<string>();
  bus.on('token-listed', ({ list, token, active }) => {
    const truth = outcomes.get(token.address);
    if (list !== 'runner' || !active || truth === undefined || entered.has(token.address)) return;
    entered.add(token.address);
    run.runners.push({ truth, span: outcomes.follow(truth, clock.at) });
  });
  const scoredAt = launchesEnd + AGES[2] + MINUTE;
  for (clock.at = START; clock.at <= scoredAt + HOUR; clock.at += clock.at < scoredAt ? STEP : LATE_STEP) {
    const observations = world.advance(clock.at);
    run.observations += observations.length;
    for (const observation of observations) outcomes.observe(observation);
    engine.queue.add(observations);
    await engine.tick();
    await engine.settled();
    const reached = queue.take(clock.at);
    for (const truth of reached.base) run.base.push(outcomes.follow(truth, clock.at));
    for (const { truth, age } of reached.scored) {
      const [record] = engine.recompute([truth.address], []);
      run.snapshots.push({
        age,
        fate: truth.fate,
        score: record?.riskScore ?? null,
        isRunner: record?.runner ?? false,
        isDrained: isDrained(truth),
        peakLiquidity: truth.peakLiquidity,
        isRugged: record?.rugged ?? false,
        span: outcomes.follow(truth, clock.at),
      });
    }
  }
  run.coins = launched;
  for (const { isGraduated } of outcomes.values()) if (isGraduated) run.graduated += 1;
  return run;
}

/** Coins that reached an age: the one of the base rate, or one for scoring. */
interface Reached {
  base: Truth[];
  scored: { truth: Truth; age: number }[];
}

/** Hands out each coin once for each age, oldest first. */
interface Queue {
  add(truth: Truth): void;
  take(now: number): Reached;
}

function createQueue(): Queue {
  const ages = [BASE_AGE, ...AGES];
  /** Coins that wait for the age at the same place, by creation. */
  const waiting: Truth[][] = ages.map(() => []);
  return {
    add: (truth) => void waiting[0]?.push(truth),
    take(now) {
      const reached: Reached = { base: [], scored: [] };
      for (const [place, age] of ages.entries()) {
        const queue = waiting[place] ?? [];
        const first = queue.findIndex(({ createdAt }) => now - createdAt < age);
        for (const truth of queue.splice(0, first < 0 ? queue.length : first)) {
          if (place === 0) reached.base.push(truth);
          else reached.scored.push({ truth, age });
          waiting[place + 1]?.push(truth);
        }
      }
      return reached;
    },
  };
}
