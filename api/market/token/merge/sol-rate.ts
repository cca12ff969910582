import type { SolUsd } from '../../../../common/tokens/model.ts';
import type { RateObservation } from '../../sources/observation.ts';

/** A rate that was stored longer ago than this says nothing about the moment, ms. */
const STORED_RATE_LIFETIME = 3_600_000;
/** A smaller relative change re-rates no stored figure: it would be invisible and touch every token. */
const NOTABLE_CHANGE = 0.001;

export interface Rate {
  /** Dollars for 1 SOL. */
  solUsd: number;
  /** Epoch ms. */
  at: number;
  source: string;
}

/** The SOL/USD rate in force: the newest that a source told, else the configured one. */
export class RateKeeper {
  #told: Rate | null = null;
  readonly #configured: Rate | null;
  /** The rate that figures were last made with; a notable change from it raises `generation`. */
  #applied: number | null;
  #generation = 0;

  constructor(configured: number | null, now: number) {
    this.#configured = configured === null ? null : { solUsd: configured, at: now, source: 'SOL_USD' };
    this.#applied = configured;
  }

  /** Takes up what was stored before a restart, unless it is too old. */
  restore(stored: Rate | null, now: number): void {
    if (stored !== null && now - stored.at <= STORED_RATE_LIFETIME) this.#take(stored);
  }

  /** True when the rate is a newer one. Nonsense and older news are passed over. */
  observe(rate: RateObservation): boolean {
    if (!Number.isFinite(rate.solUsd) || rate.solUsd <= 0) return false;
    // A source that only passes on the configured value has no say beside one that knows.
    if (rate.source === 'env' && this.#told !== null && this.#told.source !== 'env') return false;
    if (this.#told !== null && rate.at < this.#told.at && this.#told.source !== 'env') return false;
    this.#take({ solUsd: rate.solUsd, at: rate.at, source: rate.source });
    return true;
  }

  #take(rate: Rate): void {
    this.#told = rate;
    if (this.#applied !== null && Math.abs(rate.solUsd / this.#applied - 1) < NOTABLE_CHANGE) return;
    this.#applied = rate.solUsd;
    this.#generation += 1;
  }

  current(): Rate | null {
    return this.#told ?? this.#configured;
  }

  /** Rises with every notable change: a token whose figures were made in an older one is re-rated. */
  get generation(): number {
    return this.#generation;
  }

  /** As the wire carries it. */
  present(): SolUsd | null {
    const rate = this.current();
    return rate && { rate: rate.solUsd, at: new Date(rate.at).toISOString(), source: rate.source };
  }
}
