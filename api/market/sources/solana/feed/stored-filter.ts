import type { Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';

/** Drops observations that storage already has when a part of the chain is read again. */
export type StoredFilter = ReturnType<typeof createStoredFilter>;

/**
 * A token is stored up to its `lastSignature`: observations up to and including that transaction are dropped. Tokens whose
 * last transaction is not read again pass completely.
 *
 * @param isIncluded whether the transaction is read again
 */
export function createStoredFilter(stored: readonly StoredToken[], isIncluded: (signature: string) => boolean) {
  const dropped = new Set<string>();
  const droppedUntil = new Map<string, string[]>();
  for (const { address, lastSignature } of stored) {
    if (lastSignature === null || !isIncluded(lastSignature)) continue;
    dropped.add(address);
    droppedUntil.set(lastSignature, [...(droppedUntil.get(lastSignature) ?? []), address]);
  }
  return {
    /** Returns those of one transaction's observations, in chain order, that are not stored yet. */
    apply(signature: string, observations: Observation[]): Observation[] {
      if (dropped.size === 0) return observations;
      const passed = observations.filter((one) => !('address' in one && dropped.has(one.address)));
      for (const address of droppedUntil.get(signature) ?? []) dropped.delete(address);
      return passed;
    },
  };
}
