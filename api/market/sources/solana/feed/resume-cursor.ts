import type { HeardUpTo } from './missed-transactions.ts';

/** Keeps the point from which on something may have been missed when the connection ends. */
export interface Heard {
  add(signature: string, slot: number): void;
  upTo(): HeardUpTo | null;
  /** A subscription begins. The answer gives the first slot that was heard by it; null before anything was. */
  subscribed(): () => number | null;
}

/**
 * The point is the first transaction heard of the slot before the newest one: the newest slot may have come in part
 * only, and the overlap costs little, as what was read is known by its signature.
 */
export function createHeard(): Heard {
  let previous: HeardUpTo | null = null;
  let newest: (HeardUpTo & { slot: number }) | null = null;
  let begun: { slot: number | null } = { slot: null };
  return {
    add(signature, slot) {
      begun.slot ??= slot;
      if (newest !== null && slot <= newest.slot) return;
      previous = newest;
      newest = { signature, slot, at: null };
    },
    upTo: () => previous ?? newest,
    subscribed() {
      const begins: typeof begun = { slot: null };
      begun = begins;
      return () => begins.slot;
    },
  };
}
