import type { Observation } from '../observation.ts';
import { Launches } from './lives/launches.ts';
import { seededRandom } from './random.ts';
import { World } from './world/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What is filled in at a first start: this long before it, ms. */
export const HISTORY_SPAN = 8 * HOUR;
/** Stars of the past begin this long before the present: older ones are over, and their trades would fill the store. */
const PAST_STARS = 118 * MINUTE;
/** Simulated time between two chunks. */
const SLICE = 20_000;

/** Launches a minute in the past: thinned, more of them towards the present, and never more than the live rate. */
const PAST_RATES = [
  { within: 20 * MINUTE, rate: 6 },
  { within: HOUR, rate: 2.5 },
] as const;
const DISTANT_RATE = 0.4;

/** Thinned rate of launches so long before the present. */
export function pastRate(rate: number, before: number): number {
  const thinned = PAST_RATES.find((span) => before <= span.within)?.rate ?? DISTANT_RATE;
  return Math.min(rate, thinned);
}

/** A world whose past, from `from` to `present`, is thinned and whose launches come at `rate` from then on. */
export function worldWithPast(options: {
  random: () => number;
  from: number;
  present: number;
  rate: number;
  solUsd: number | null;
}): World {
  const { random, from, present, rate, solUsd } = options;
  const world = new World({ random, from, solUsd });
  const launches = new Launches(world, Math.max(from, present - PAST_STARS));
  if (from < present) {
    launches.keepLaunching({ from, until: present, rateAt: (at) => pastRate(rate, present - at) });
  }
  launches.keepLaunching({ from: present + FIRST_LAUNCH_AFTER, until: null, rateAt: () => rate });
  return world;
}

/** A newcomer sees the first launch this soon, ms. */
const FIRST_LAUNCH_AFTER = 800;

/** Lets a world happen up to `until`, in chunks in time order; each observation is heard as it happens. */
export function* happenings(world: World, until: number): Generator<Observation[]> {
  while (world.now < until) {
    const chunk = world.advance(Math.min(until, world.now + SLICE));
    if (chunk.length > 0) yield chunk;
  }
}

export interface HistoryOptions {
  seed: string;
  /** The present, epoch ms: the thinned history ends here. */
  until: number;
  /** ms before `until` that it begins at; eight hours when absent. */
  span?: number;
  /** Launches a minute that the past is thinned from. */
  rate: number;
  solUsd?: number | null;
  /** Go on at the full rate for so many ms after `until`. */
  beyond?: number;
}

/** The market as a pure generator, for tests and benchmarks: one observation after another in time order. */
export function* simulateHistory(options: HistoryOptions): Generator<Observation> {
  const { until, rate, solUsd = null, span = HISTORY_SPAN, beyond = 0 } = options;
  const world = worldWithPast({ random: seededRandom(options.seed), from: until - span, present: until, rate, solUsd });
  for (const chunk of happenings(world, until + beyond)) yield* chunk;
}
