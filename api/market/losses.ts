import type { Logger } from 'pino';
import type { SourceName } from './sources/observation.ts';
import { isNamed, type Source } from './sources/source.ts';
import type { ChainWatch } from './token/merge/trade-chain.ts';

/** Losses that the market itself counts per source, since the start. */
export interface MarketLosses {
  /** Observations with impossible times, reserves or amounts. */
  refused: number;
  /** Breaks in the reserves of coins that are not repaired, each at least one trade. */
  tradesMissed: number;
}

type LossCounts = ReturnType<typeof createLossCounts>;

const none: MarketLosses = { refused: 0, tradesMissed: 0 };

/** Creates the counters; as many as there are sources. */
export function createLossCounts() {
  const counts = new Map<string, MarketLosses>();
  return {
    /** Adds to a counter; a repaired break adds -1. */
    add(source: string, kind: keyof MarketLosses, count: number): void {
      const known = counts.get(source) ?? { ...none };
      known[kind] += count;
      counts.set(source, known);
    },
    read: (source: string): Readonly<MarketLosses> => counts.get(source) ?? none,
  };
}

/** Counts the gaps in the trades of coins and refused ones, and has the source read the missing ones. */
export function watchChains(sources: readonly Source[], losses: LossCounts, log: Logger): ChainWatch {
  const sourceOf = (name: SourceName) => sources.find((source) => isNamed(source, name));
  function count(name: SourceName, kind: keyof MarketLosses, added: number): void {
    const source = sourceOf(name);
    if (source !== undefined) losses.add(source.name, kind, added);
  }
  return {
    missed(name, trades) {
      count(name, 'tradesMissed', 1);
      sourceOf(name)?.fetchMissed?.(trades);
    },
    refused: (name) => count(name, 'refused', 1),
    repaired: (name) => count(name, 'tradesMissed', -1),
    // No loss unless the node lists trades: the next trade has the pool's reserves with the donation.
    donated(name, trades) {
      log.debug({ source: name, address: trades.address }, 'donation to a pool');
      sourceOf(name)?.fetchMissed?.(trades);
    },
  };
}
