import { LRUCache } from 'lru-cache';
import type { Clock } from '../../common/time.ts';

/** A value that is loaded on demand and then reused. */
export interface CachedValue<Value> {
  /** Resolves with the value; concurrent callers share one load. Rejects with the error of the load, which is not cached. */
  read(): Promise<Value>;
  /** Discards the value: the next `read` loads it again, even while an earlier load is running. */
  clear(): void;
}

export interface CachedValueOptions {
  /** How long a value is reused, ms. */
  maxAge: number;
  /**
   * Reuses a value for this multiple of the time it took to load, up to ten times `maxAge`: bounds the load on the database.
   * Default: 0.
   */
  costFactor?: number;
  clock: Clock;
}

export function cachedValue<Value extends NonNullable<unknown>>(
  load: () => Promise<Value>,
  { maxAge, costFactor = 0, clock }: CachedValueOptions,
): CachedValue<Value> {
  let generation = 0;
  const cache = new LRUCache<number, Value>({
    // The current value, and the last one while its load is still running.
    max: 2,
    ttl: maxAge,
    ttlResolution: 0,
    // Frees the memory of an unused value.
    ttlAutopurge: true,
    perf: clock,
    // Callers of a load that was discarded meanwhile still receive its value.
    ignoreFetchAbort: true,
    async fetchMethod(_generation, _stale, { options }) {
      const startedAt = performance.now();
      const value = await load();
      const cost = costFactor * (performance.now() - startedAt);
      options.ttl = Math.min(10 * maxAge, Math.max(maxAge, cost));
      return value;
    },
  });
  return {
    read: () => cache.forceFetch(generation),
    clear() {
      generation += 1;
    },
  };
}
