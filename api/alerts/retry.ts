import type { Logger } from 'pino';
import type { Random } from '../../common/time.ts';
import { isUnavailable } from '../platform/database.ts';
import { retry } from '../platform/resilience.ts';

/** Delay while the database is unavailable, ms. */
const BACKOFF = { base: 250, max: 5_000 };
/** Attempts after any other error. */
const ATTEMPTS = 3;

export type DatabaseRetry = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Retries work until the database is available again or `signal` aborts; after other errors three
 * attempts are made. A match may not be found a second time, so it must not be lost.
 */
export function createDatabaseRetry(deps: {
  /** Names the waiting items in the log. */
  what: string;
  random: Random;
  log: Logger;
  signal: AbortSignal;
}): DatabaseRetry {
  const { what, random, log, signal } = deps;
  const policy = {
    ...{ retries: Number.POSITIVE_INFINITY, random, ...BACKOFF },
    delay(error: unknown, backoffMs: number, attempt: number) {
      if (attempt === 1) log.info({ error }, `database work on ${what} failed, retrying`);
      return isUnavailable(error) || attempt < ATTEMPTS ? backoffMs : null;
    },
  };
  return (work) => retry(policy, work, signal);
}
