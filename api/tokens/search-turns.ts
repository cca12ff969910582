import PQueue from 'p-queue';
import { PublicError } from '../../common/errors.ts';
import type { Limiter } from '../http/limits/rate-limits.ts';
import { createSlowRefusals, type Refuse } from '../http/limits/slow-refusals.ts';

/** Searches of one user at the same time. */
const AT_ONCE = 2;
/** Searches of one user that wait for these: as many as fast typing leaves behind. */
const MAX_WAITING = 8;
/** Seconds after which a refused user may retry. */
const RETRY_AFTER = 1;

export type SearchTurns = ReturnType<typeof createSearchTurns>;

/** `searches`: counts the searches of each user. */
export function createSearchTurns(searches: Pick<Limiter, 'count'>, refuse: Refuse = createSlowRefusals()) {
  /** Users with a search under way. */
  const queues = new Map<string, PQueue>();

  return {
    /** Runs `search` when it is the user's turn. Throws `too-many-requests` when too many wait, or were made lately. */
    async run<Result>(userId: string, search: () => Promise<Result>): Promise<Result> {
      const queue = queues.get(userId) ?? new PQueue({ concurrency: AT_ONCE });
      if (queue.size >= MAX_WAITING) return refuse(new PublicError('too-many-requests', { retryAfter: RETRY_AFTER }));
      queues.set(userId, queue);
      try {
        return await queue.add(async () => {
          await searches.count(userId).catch(refuse);
          return search();
        });
      } finally {
        if (queue.size === 0 && queue.pending === 0) queues.delete(userId);
      }
    },
  };
}
