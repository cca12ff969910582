import type { SolUsd } from '../../../../common/tokens/model.ts';
import type { RateRecord } from '../../../tokens/model.ts';
import type { RateObservation } from '../../sources/observation.ts';

/** Greatest age of a stored rate that is still used, ms. */
const STORED_RATE_LIFETIME = 3_600_000;
/** A smaller relative change recomputes no figure: it would be invisible and touch every token. */
const NOTABLE_CHANGE = 0.001;

export type Rate = Omit<RateRecord, '_id'>;

/** The current SOL/USD rate: the newest reported one, else the configured one. */
export type SolRate = ReturnType<typeof createSolRate>;

export function createSolRate(configuredRate: number | null, startedAt: number) {
  const configured: Rate | null =
    configuredRate === null ? null : { solUsd: configuredRate, at: startedAt, source: 'SOL_USD' };
  let reported: Rate | null = null;
  /** Rate of the last generation. */
  let applied = configuredRate;
  let generation = 0;

  function take(rate: Rate): void {
    reported = rate;
    if (applied !== null && Math.abs(rate.solUsd / applied - 1) < NOTABLE_CHANGE) return;
    applied = rate.solUsd;
    generation += 1;
  }

  const current = () => reported ?? configured;

  return {
    /** Restores the stored rate after a restart, unless it is too old. */
    restore(stored: Rate | null, now: number): void {
      if (stored !== null && now - stored.at <= STORED_RATE_LIFETIME) take(stored);
    },
    /** Takes a reported rate. Returns true when it is newer; invalid and older rates are ignored. */
    observe(rate: RateObservation): boolean {
      if (!Number.isFinite(rate.solUsd) || rate.solUsd <= 0) return false;
      // A source that only passes on the configured value never replaces a reported one.
      if (rate.source === 'env' && reported !== null && reported.source !== 'env') return false;
      if (reported !== null && rate.at < reported.at && reported.source !== 'env') return false;
      take({ solUsd: rate.solUsd, at: rate.at, source: rate.source });
      return true;
    },
    current,
    /** Incremented with every notable change: figures of an older generation are recomputed. */
    get generation(): number {
      return generation;
    },
    /** Returns the rate as the wire carries it. */
    present(): SolUsd | null {
      const rate = current();
      return rate && { rate: rate.solUsd, at: new Date(rate.at).toISOString(), source: rate.source };
    },
  };
}
