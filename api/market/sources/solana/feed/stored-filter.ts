import type { Observation } from '../../observation.ts';
import type { StoredToken } from '../../source.ts';

/** Leaves out what storage already holds when the same stretch of chain is told a second time. */
export interface Resume {
  /** The observations of one transaction, in chain order → those that are not stored yet. */
  fresh(signature: string, observations: Observation[]): Observation[];
}

/**
 * A token is stored up to its `lastSignature`. While a stretch that holds this signature is told again, everything of
 * the token up to and including it is dropped; tokens whose last transaction is not part of the stretch are told whole.
 *
 * @param isComing whether the signature is part of what will be told
 */
export function createResume(known: readonly StoredToken[], isComing: (signature: string) => boolean): Resume {
  const stored = new Set<string>();
  const storedUpTo = new Map<string, string[]>();
  for (const { address, lastSignature } of known) {
    if (lastSignature === null || !isComing(lastSignature)) continue;
    stored.add(address);
    storedUpTo.set(lastSignature, [...(storedUpTo.get(lastSignature) ?? []), address]);
  }
  return {
    fresh(signature, observations) {
      if (stored.size === 0) return observations;
      const fresh = observations.filter((one) => !('address' in one && stored.has(one.address)));
      for (const address of storedUpTo.get(signature) ?? []) stored.delete(address);
      return fresh;
    },
  };
}
