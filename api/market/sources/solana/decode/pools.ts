import { createGrowingCache } from '../../../../platform/growing-cache.ts';
import type { QuoteKind } from '../../observation.ts';

/** A pool of a coin. */
export interface Pool {
  /** Mint of the coin, whichever side it is on. */
  mint: string;
  quote: QuoteKind;
  /** True for the pool that the coin moved to when its curve was complete. Only its trades make the coin's figures. */
  isMain: boolean;
  /** False when the coin is the pool's quote, e.g. in a pool whose base is wrapped SOL. */
  coinIsBase: boolean;
  /** State after its newest event, for events that carry only a part of it; null before the first. */
  state: PoolState | null;
}

/** Real reserves in base units, and the quote that counts for the price only. */
export interface PoolState {
  base: bigint;
  quote: bigint;
  virtualQuote: bigint;
}

/** The pools whose events name no mint. */
export type PoolRegistry = ReturnType<typeof createPoolRegistry>;

/** Pools remembered. An evicted one is read again with its next trade. */
const maxPools = 30_000;
/** A pool of a coin that the market did not follow is considered again after this time, ms. */
const ignoredMs = 3_600_000;

export function createPoolRegistry() {
  // Separate, so that the many pools of no interest do not evict the others.
  const pools = createGrowingCache<Pool>(maxPools);
  const ignored = createGrowingCache<true>(maxPools, { ttl: ignoredMs });
  let handleUnknown: (address: string) => void = () => {};
  return {
    /** Returns the pool; null when it is of no interest, undefined when unknown, which requests it. */
    get(address: string): Pool | null | undefined {
      const pool = pools.get(address);
      if (pool !== undefined) return pool;
      if (ignored.has(address)) return null;
      handleUnknown(address);
      return undefined;
    },
    set(address: string, pool: Pool | null): void {
      if (pool === null) {
        if (!pools.has(address)) ignored.set(address, true);
        return;
      }
      ignored.delete(address);
      // A migration and the pool's creation both name it; the state of the first stays.
      pools.set(address, { ...pool, state: pools.get(address)?.state ?? pool.state });
    },
    /** Returns whether the pool is known to be of no interest. */
    isIgnored: (address: string): boolean => ignored.has(address),
    /** Sets the handler of unknown pools. It must not throw. */
    onUnknown(handle: (address: string) => void): void {
      handleUnknown = handle;
    },
  };
}
