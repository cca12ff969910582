import type { Stage } from '../../../common/tokens/model.ts';
import type { Reserves } from '../../tokens/record.ts';

/** Steps that are kept of a token, and for how long, ms. The one in force before them stays as well. */
export const STEPS_KEPT = 512;
export const STEPS_KEPT_FOR = 60_000;
/** Additions between two clearings of tokens that do not trade any more. */
const ADDITIONS_PER_SWEEP = 10_000;

/** A price of a pinned token: each one that was in force within a tick, also when the next trade reverted it. */
export interface PriceStep {
  readonly address: string;
  /**
   * Time the market learned of it, epoch ms; never before that of the previous step of the token, nor before the tick that merged
   * the observations before.
   */
  readonly at: number;
  /** SOL for one whole token; null when unknown. */
  readonly price: number | null;
  readonly reserves: Readonly<Reserves> | null;
  readonly stage: Stage;
  /** Where the reserves are. */
  readonly venue: 'curve' | 'pool';
}

/** Creates the recent price steps of pinned tokens, so that a trade can be computed at a time that has passed. Times epoch ms. */
export function createStepHistory() {
  const byAddress = new Map<string, PriceStep[]>();
  let additions = 0;

  /** Drops steps that are too many or too old at `now`, but the last of those before. */
  function prune(address: string, steps: readonly PriceStep[], now: number): PriceStep[] {
    const firstRecent = steps.findIndex((step) => step.at > now - STEPS_KEPT_FOR);
    const inForce = (firstRecent < 0 ? steps.length : firstRecent) - 1;
    const kept = steps.slice(Math.max(0, inForce, steps.length - STEPS_KEPT));
    byAddress.set(address, kept);
    return kept;
  }

  function sweep(now: number): void {
    for (const [address, steps] of byAddress) prune(address, steps, now);
  }

  return {
    has: (address: string): boolean => byAddress.has(address),
    /** Adds a step, whose time is not before those of the earlier ones of its token. */
    add(step: PriceStep): void {
      const { address, at } = step;
      const steps = byAddress.get(address) ?? [];
      byAddress.set(address, steps);
      steps.push(step);
      // Copied only now and then, since most tokens trade less often.
      if (steps.length >= 2 * STEPS_KEPT) prune(address, steps, at);
      additions += 1;
      if (additions % ADDITIONS_PER_SWEEP === 0) sweep(at);
    },
    /** Returns the step in force at a time; null when it is too long ago, or before the first one. */
    at: (address: string, at: number): PriceStep | null =>
      byAddress.get(address)?.findLast((step) => step.at <= at) ?? null,
    /** Returns the steps after a time, oldest first. */
    since: (address: string, at: number): PriceStep[] => byAddress.get(address)?.filter((step) => step.at > at) ?? [],
    /** Drops the steps of a token. */
    forget: (address: string): void => void byAddress.delete(address),
  };
}
