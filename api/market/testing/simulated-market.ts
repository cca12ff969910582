import { HOUR } from '../../../common/time.ts';
import type { CreatedObservation, Observation, TradeObservation } from '../sources/observation.ts';
import { HISTORY_SPAN, observationsUntil, worldWithPast } from '../sources/simulator/history.ts';
import type { Fate } from '../sources/simulator/lives/fates.ts';
import { seededRandom } from '../sources/simulator/random.ts';
import type { MarketShape } from '../sources/simulator/world/world.ts';

/** Present of the simulated markets of tests, epoch ms. */
export const PRESENT = Date.UTC(2026, 6, 4, 12);

interface MarketOptions {
  seed?: string;
  /** Length of the past, ms. */
  span?: number;
  /** Launches a minute. */
  rate?: number;
  solUsd?: number | null;
  /** ms at the full rate after the present. */
  beyond?: number;
  shape?: MarketShape;
}

/** Returns the observations of a simulated market in time order, and the fate of each launched coin. */
export function simulateMarket(options: MarketOptions = {}): { all: Observation[]; fates: Map<string, Fate> } {
  const { seed = 'test', span = HISTORY_SPAN, rate = 20, solUsd = null, beyond = 0, shape } = options;
  const fates = new Map<string, Fate>();
  const world = worldWithPast({
    random: seededRandom(seed),
    from: PRESENT - span,
    present: PRESENT,
    rate,
    solUsd,
    shape,
    onLaunch: ({ address, fate }) => fates.set(address, fate),
  });
  return { all: [...observationsUntil(world, PRESENT + beyond)].flat(), fates };
}

/** Returns one hour at the full rate, without a past. */
export function hourOf(seed: string, rate = 20): Observation[] {
  return simulateMarket({ seed, rate, span: 0, beyond: HOUR }).all;
}

export function created(observations: readonly Observation[]): CreatedObservation[] {
  return observations.filter((one) => one.kind === 'created');
}

export function trades(observations: readonly Observation[]): TradeObservation[] {
  return observations.filter((one) => one.kind === 'trade');
}

/** Returns the share 0–1 of the items for which `holds` is true. */
export function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length / items.length;
}
