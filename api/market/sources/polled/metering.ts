import { createHash } from 'node:crypto';
import type { Clock } from '../../../../common/time.ts';
import type { SourceContext } from '../source.ts';
import { type Allowance, createAllowance } from './allowance.ts';
import type { MonthlyCredits } from './service-spec.ts';

/** Monthly allowance of a source whose usage survives restarts. Usage belongs to a key: another account starts afresh. */
export interface Metering {
  /** Allowance that saves its usage after every request. */
  readonly allowance: Allowance;
  /** Returns whether a run has to wait until the allowance holds the credits of a complete one. */
  isPaced(): boolean;
  /** Continues with the stored usage of the present key. Never rejects. */
  load(context: Pick<SourceContext, 'usage' | 'log'>): Promise<void>;
  /** Starts over when the present key is not the one that was metered. */
  keyChanged(): void;
  /** Resolves when the usage is stored, or could not be. */
  saved(): Promise<void>;
}

/** Hours of a month, for the share of the allowance that may be used at once. */
const HOURS_PER_MONTH = 730;

/** Creates the meter of a plan. `currentKey` returns the key in force; null without one. */
export function createMetering(credits: MonthlyCredits, currentKey: () => string | null, clock: Clock): Metering {
  const { perMonth, listings, quotes } = credits;
  // At least one complete run; with a large plan an administrator's runs do not have to wait for each other.
  const burst = Math.max(listings + quotes, perMonth / HOURS_PER_MONTH);
  const metered = createAllowance(perMonth, burst, () => clock.now());
  let context: Pick<SourceContext, 'usage' | 'log'> | null = null;
  let key = fingerprint(currentKey());
  let saving: Promise<void> = Promise.resolve();

  function save(): void {
    const present = context;
    if (present === null) return;
    const usage = { ...metered.usage(), key };
    // One after the other, so that an older figure never replaces a newer one.
    saving = saving
      .then(() => present.usage.save(usage))
      .catch((error: unknown) => present.log.warn({ error }, 'monthly usage not stored'));
  }

  return {
    allowance: {
      ...metered,
      take(cost) {
        metered.take(cost);
        save();
      },
    },
    // Complete: requests for new tokens would otherwise use up every credit before known tokens had their turn.
    isPaced: () => metered.readyIn(listings + quotes) > 0,
    async load(given) {
      context = given;
      key = fingerprint(currentKey());
      try {
        const stored = await given.usage.load();
        if (stored !== null && stored.key === key) metered.restore(stored);
      } catch (error) {
        given.log.warn({ error }, 'monthly usage not loaded');
      }
    },
    keyChanged() {
      const present = fingerprint(currentKey());
      if (present === key) return;
      key = present;
      metered.reset();
      save();
    },
    saved: () => saving,
  };
}

/** Characters of a fingerprint: enough to tell keys apart. */
const FINGERPRINT = 16;

function fingerprint(key: string | null): string {
  return createHash('sha256')
    .update(`mintwatch usage ${key ?? ''}`)
    .digest('hex')
    .slice(0, FINGERPRINT);
}
