/** Losses that the market itself counts per source, since the start. */
export interface MarketLosses {
  /** Observations with impossible times, reserves or amounts. */
  refused: number;
  /** Breaks in the reserves of coins that are not repaired, each at least one trade. */
  tradesMissed: number;
}

export interface LossCounts {
  /** Adds to a counter; a repaired break adds -1. */
  add(source: string, kind: keyof MarketLosses, count: number): void;
  read(source: string): Readonly<MarketLosses>;
}

const none: MarketLosses = { refused: 0, tradesMissed: 0 };

/** Creates the counters; as many as there are sources. */
export function createLossCounts(): LossCounts {
  const counts = new Map<string, MarketLosses>();
  return {
    add(source, kind, count) {
      const known = counts.get(source) ?? { ...none };
      known[kind] += count;
      counts.set(source, known);
    },
    read: (source) => counts.get(source) ?? none,
  };
}
