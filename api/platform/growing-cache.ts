import { LRUCache } from 'lru-cache';

/**
 * Creates an LRU cache of at most `max` entries that grows as it fills. It is bounded by the library's `maxSize`, since the
 * library's `max` allocates all places at once: 11 ms of processor time for 50,000.
 */
export function createGrowingCache<Value extends NonNullable<unknown>>(
  max: number,
  options?: Omit<LRUCache.Options<string, Value, unknown>, 'max' | 'maxSize' | 'sizeCalculation'>,
): LRUCache<string, Value> {
  return new LRUCache<string, Value>({ ...options, maxSize: max, sizeCalculation: () => 1 });
}
