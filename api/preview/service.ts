import type { Connection } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { BuyPlan } from '../../common/strategies/conditions.ts';
import type { Preview } from '../../common/strategies/preview.ts';
import { type Clock, SECOND } from '../../common/time.ts';
import type { Exits } from '../../common/trading/account.ts';
import { createLimiter, type Limit } from '../http/limits/rate-limits.ts';
import { cachedValue } from '../platform/cached-value.ts';
import { loadPaths, type PathBounds } from './paths.ts';
import { type Lists, runPreview } from './run.ts';

/** All previews share the paths for this long (ms): a moving slider must not read them each time. */
const SHARED_FOR = 30 * SECOND;
/** Limit of concurrent previews: they share the processor with the live feed. */
const MAX_RUNNING = 2;
/** Seconds after which a refused caller may retry: longer than a preview takes. */
const RETRY_AFTER = 3;
/** About 20 MB of memory. */
const BOUNDS: PathBounds = { tokens: 3000, points: 200_000 };

export interface Previews {
  /**
   * Simulates the purchases of a plan over the last 8 h with the user's lists. Throws `already-running` while a preview of the
   * same user runs, `too-many-requests` while previews of others run or beyond the rate limit, and the reason of `signal` once
   * aborted.
   */
  run(userId: string, plan: BuyPlan, exits: Exits, signal: AbortSignal): Promise<Preview>;
}

export interface PreviewDeps {
  connection: Connection;
  clock: Clock;
  watchlists: { of(userId: string): Promise<Lists> };
  limits: { previewPerUser: Limit };
  bounds?: PathBounds;
}

export async function createPreviews(deps: PreviewDeps): Promise<Previews> {
  const { connection, clock, watchlists, bounds = BOUNDS } = deps;
  const paths = cachedValue(() => loadPaths(connection, clock.now(), bounds), { maxAge: SHARED_FOR, clock });
  const limiter = await createLimiter(connection, 'previewPerUser', deps.limits.previewPerUser);
  /** Users with a running preview. */
  const running = new Set<string>();

  return {
    async run(userId, plan, exits, signal) {
      if (running.has(userId)) throw new PublicError('already-running', { retryAfter: RETRY_AFTER });
      if (running.size >= MAX_RUNNING) {
        const text = 'Too many previews are running. Please try again in a moment.';
        throw new PublicError('too-many-requests', { text, retryAfter: RETRY_AFTER });
      }
      running.add(userId);
      try {
        await limiter.count(userId);
        const [found, lists] = await Promise.all([paths.read(), watchlists.of(userId)]);
        signal.throwIfAborted();
        return await runPreview(found, plan, { exits, lists, signal });
      } finally {
        running.delete(userId);
      }
    },
  };
}
