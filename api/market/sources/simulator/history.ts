import { HOUR, MINUTE, type Random } from '../../../../common/time.ts';
import type { Observation } from '../observation.ts';
import { createLauncher, type OnLaunch } from './lives/launches.ts';
import { createWorld, type MarketShape, type World } from './world/world.ts';

/** Length of the simulated past at the first start, ms. */
export const HISTORY_SPAN = 8 * HOUR;
/** Past stars begin this long before the present, ms: older ones are over, and their trades would fill the store. */
const PAST_STARS = 118 * MINUTE;
/** Simulated time of one chunk, ms. */
const SLICE = 20_000;
/** Delay of the first live launch, ms: short, so that a new visitor sees it. */
const FIRST_LAUNCH_AFTER = 800;

/** Launches a minute in the past: thinned, rising towards the present, and never above the live rate. */
const PAST_RATES = [
  { within: 20 * MINUTE, rate: 6 },
  { within: HOUR, rate: 2.5 },
] as const;
const DISTANT_RATE = 0.4;

/** Returns the thinned rate of launches `before` ms before the present. */
function pastRate(rate: number, before: number): number {
  const thinned = PAST_RATES.find((span) => before <= span.within)?.rate ?? DISTANT_RATE;
  return Math.min(rate, thinned);
}

/** Creates a world with a thinned past from `from` to `present`, and launches at `rate` from then on. */
export function worldWithPast(options: {
  random: Random;
  from: number;
  present: number;
  rate: number;
  solUsd: number | null;
  shape?: MarketShape | undefined;
  onLaunch?: OnLaunch | undefined;
}): World {
  const { random, from, present, rate, solUsd, shape, onLaunch } = options;
  const world = createWorld({ random, from, solUsd, shape });
  const launch = createLauncher(world, Math.max(from, present - PAST_STARS), onLaunch);
  if (from < present) launch({ from, until: present, rateAt: (at) => pastRate(rate, present - at) });
  launch({ from: present + FIRST_LAUNCH_AFTER, until: null, rateAt: () => rate });
  return world;
}

/** Runs a world up to `until` and yields its observations in chunks in time order, received as they happened. */
export function* observationsUntil(world: World, until: number): Generator<Observation[]> {
  while (world.now < until) {
    const chunk = world.advance(Math.min(until, world.now + SLICE));
    if (chunk.length > 0) yield chunk;
  }
}
