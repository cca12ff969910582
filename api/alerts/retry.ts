import type { Logger } from 'pino';
import type { Random } from '../../common/time.ts';
import { isUnavailable } from '../platform/database.ts';
import { backoff, pause } from '../platform/resilience.ts';

/** While the database is away, ms. What was found waits, since it would not be found again. */
const AWAY = { base: 250, max: 5_000 };
/** How often something is tried that fails for another reason. */
const TRIES = 3;

export type Persist = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Repeats a work until the database is there, or the signal says that nobody needs it any more. */
export function createPersist(deps: { what: string; random: Random; log: Logger; signal: AbortSignal }): Persist {
  const { what, random, log, signal } = deps;

  async function mayTryAgain(error: unknown, tries: number): Promise<boolean> {
    if (tries === 1) log.info(`${what} wait for the database`);
    if (signal.aborted || (!isUnavailable(error) && tries >= TRIES)) return false;
    await pause(backoff(tries - 1, { ...AWAY, random }), signal);
    return !signal.aborted;
  }

  return async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!(await mayTryAgain(error, tries))) throw error;
      }
    }
  };
}
