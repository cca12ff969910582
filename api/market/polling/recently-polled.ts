import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../common/time.ts';

/** Time before a source is polled about the same token again, ms, so that other tokens get their turn. */
const PAUSE = 20 * 60_000;
/** Tokens remembered per source. */
const MAX_TOKENS = 5_000;

/** Tokens that each source was polled about recently. */
export interface RecentlyPolled {
  /** Returns the addresses that the source was not polled about recently. */
  exclude(source: string, addresses: readonly string[]): string[];
  add(source: string, addresses: readonly string[]): void;
  /** Removes addresses that were not polled after all. */
  remove(source: string, addresses: readonly string[]): void;
}

export function createRecentlyPolled(clock: Clock): RecentlyPolled {
  /** By source: address → time of the poll. */
  const bySource = new Map<string, LRUCache<string, number>>();
  return {
    exclude(source, addresses) {
      const polled = bySource.get(source);
      const after = clock.now() - PAUSE;
      return addresses.filter((address) => (polled?.peek(address) ?? Number.NEGATIVE_INFINITY) <= after);
    },
    add(source, addresses) {
      const polled = bySource.get(source) ?? new LRUCache<string, number>({ max: MAX_TOKENS });
      bySource.set(source, polled);
      for (const address of addresses) polled.set(address, clock.now());
    },
    remove(source, addresses) {
      for (const address of addresses) bySource.get(source)?.delete(address);
    },
  };
}
