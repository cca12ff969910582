import type { Connection } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { BuyPlan } from '../../common/strategies/conditions.ts';
import type { ExitLimits } from '../../common/strategies/exit.ts';
import type { Preview } from '../../common/strategies/preview.ts';
import type { Clock } from '../../common/time.ts';
import { createLimiter, type Limit } from '../http/rate-limits.ts';
import { loadPaths, type PathBounds, type Paths } from './paths.ts';
import { type Lists, runPreview } from './run.ts';

/** Time for which all previews share paths, ms, so that moving a slider does not read them again each time. */
const SHARED_FOR = 30_000;
/** Concurrent previews: each takes a part of the one processor that also serves the live feed. */
const AT_A_TIME = 2;
/** Seconds after which a refused caller may retry: longer than a preview takes. */
const RETRY_AFTER = 3;
/** About 20 MB of memory while they are shared. */
const BOUNDS: PathBounds = { tokens: 3000, points: 200_000 };

export interface Previews {
  /**
   * Returns the purchases of a plan in the last 8 h, with the user's own lists. Throws `already-running` while the same
   * user's
   * last one runs, `too-many-requests` while others' run or after too many. Rejects with the signal's reason once the
   * connection has closed.
   */
  run(userId: string, plan: BuyPlan, exits: ExitLimits, signal: AbortSignal): Promise<Preview>;
}

export interface PreviewDeps {
  connection: Connection;
  clock: Clock;
  watchlists: { of(userId: string): Promise<Lists> };
  limits: { previewPerUser: Limit };
  bounds?: PathBounds;
}

export async function createPreviews(deps: PreviewDeps): Promise<Previews> {
  const { connection, watchlists } = deps;
  const paths = sharedPaths(deps);
  const limiter = await createLimiter(connection, 'previewPerUser', deps.limits.previewPerUser);
  /** Users whose preview is running. */
  const running = new Set<string>();

  return {
    async run(userId, plan, exits, signal) {
      if (running.has(userId)) throw new PublicError('already-running', { retryAfter: RETRY_AFTER });
      if (running.size >= AT_A_TIME) {
        const text = 'Too many previews are running. Please try again in a moment.';
        throw new PublicError('too-many-requests', { text, retryAfter: RETRY_AFTER });
      }
      running.add(userId);
      try {
        await limiter.count(userId);
        const [found, lists] = await Promise.all([paths(), watchlists.of(userId)]);
        signal.throwIfAborted();
        return await runPreview(found, plan, { exits, lists, signal });
      } finally {
        running.delete(userId);
      }
    },
  };
}

/** Loads paths at most every 30 s, once for all concurrent callers, and drops them afterwards. */
function sharedPaths({ connection, clock, bounds = BOUNDS }: PreviewDeps): () => Promise<Paths> {
  let kept: { at: number; paths: Promise<Paths> } | null = null;

  return function paths() {
    if (kept && clock.now() - kept.at < SHARED_FOR) return kept.paths;
    const entry = { at: clock.now(), paths: loadPaths(connection, clock.now(), bounds) };
    kept = entry;
    const forget = () => {
      if (kept === entry) kept = null;
    };
    // Dropped by a timer, which does not keep the process alive.
    setTimeout(forget, SHARED_FOR).unref();
    // The callers get the error; the next one queries the database again.
    entry.paths.catch(forget);
    return entry.paths;
  };
}
