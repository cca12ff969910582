import type { Logger } from 'pino';
import { isAway } from '../../../common/errors.ts';
import type { Clock } from '../../../common/time.ts';
import { isUnavailable } from '../../platform/database.ts';
import { loggable } from '../../platform/loggable.ts';
import type { Matcher } from './matcher.ts';
import type { Audience } from './subscribers.ts';

/** Looks for users who have come to be, again and again: other processes make users too. */
export function createNewcomers(deps: {
  audience: Pick<Audience, 'newcomers'>;
  matcher: Pick<Matcher, 'knows' | 'put'>;
  clock: Clock;
  log: Logger;
  /** ms. */
  every: number;
}) {
  const { audience, matcher, clock, log, every } = deps;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let since = 0;
  let stopped = false;

  async function lookOnce(): Promise<void> {
    const now = clock.now();
    for (const user of await audience.newcomers(since)) if (!matcher.knows(user.id)) matcher.put(user);
    since = now;
  }

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = undefined));
    return looking;
  }

  async function lookAgain(): Promise<void> {
    // Nobody is lost: the next look begins where the last one that worked did.
    await look().catch((error: unknown) => {
      const isExpected = stopped || isAway(error) || isUnavailable(error);
      if (!isExpected) log.warn({ error: loggable(error) }, 'no look for new users');
    });
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => void lookAgain(), every);
  }

  return {
    /** `now`: everybody from before is known, epoch ms. */
    start(now: number): void {
      since = now;
      if (!stopped) schedule();
    },
    look,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await looking?.catch(() => {});
    },
  };
}
