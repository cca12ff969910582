import type { Connection } from 'mongoose';
import type { AuditAction } from '../../common/audit/model.ts';
import { type Clock, HOUR, MINUTE } from '../../common/time.ts';
import { type RequestUser, requireOwnerOrAdmin } from '../http/caller.ts';
import { createLimiter, type Limits } from '../http/limits/rate-limits.ts';
import type { Actor, Audit } from './service.ts';

/** A repeated look at the same data of a user is recorded once in this time, ms: pages refetch their lists. */
const LOOK_WINDOW = 10 * MINUTE;
/** The same for lists that concern all users, who see each entry. */
const LISTING_WINDOW = HOUR;
/** Recorded looks that are remembered; beyond it a repeated look is recorded again. */
const REMEMBERED_MAX = 1_000;

/** Actions of looking at data of one user. */
type LookAction = Extract<AuditAction, 'user-looked-up' | 'trading-looked-up'>;

/** Records administrator actions at a limited rate: each entry is kept for a year. */
export type AdminActions = Awaited<ReturnType<typeof createAdminActions>>;

export async function createAdminActions(deps: {
  connection: Connection;
  audit: Pick<Audit, 'record'>;
  limits: Limits;
  clock: Clock;
}) {
  const limiter = await createLimiter(deps.connection, 'admin-action', deps.limits.adminActionPerUser);
  const unlessRecent = createUnlessRecent(deps.clock);

  /** Stores an entry before the action. Throws `too-many-requests` instead when the rate limit is exceeded. */
  async function record(
    action: AuditAction,
    by: Actor,
    subjectId: string | null,
    object?: string | null,
  ): Promise<void> {
    await limiter.count(by.user._id.toHexString());
    await deps.audit.record(action, by, subjectId, object);
  }

  return {
    record,
    /**
     * Requires the owner of `what` or an administrator, whose look at another user's data is recorded for that user before it
     * happens, as `action` (default: `user-looked-up`). Throws `forbidden` and `too-many-requests`.
     */
    async authorizeLook(
      by: Actor & { user: RequestUser },
      userId: string,
      what: string,
      action: LookAction = 'user-looked-up',
    ): Promise<void> {
      requireOwnerOrAdmin(by.user, userId);
      const actorId = by.user._id.toHexString();
      if (actorId === userId) return;
      await unlessRecent(`${actorId} ${userId} ${what}`, LOOK_WINDOW, () => record(action, by, userId, what));
    },
    /** Records a look at data of all users, such as a list of them; each of them sees it. Throws `too-many-requests`. */
    async recordListing(by: Actor, what: string): Promise<void> {
      const key = `${by.user._id.toHexString()} ${what}`;
      await unlessRecent(key, LISTING_WINDOW, () => record('users-listed', by, null, what));
    },
  };
}

/** Creates a function that runs `store` unless it succeeded for the same key less than `window` ms ago. */
function createUnlessRecent(clock: Clock) {
  const endOf = new Map<string, number>();
  return async (key: string, window: number, store: () => Promise<void>): Promise<void> => {
    if ((endOf.get(key) ?? 0) > clock.now()) return;
    await store();
    if (endOf.size >= REMEMBERED_MAX) endOf.clear();
    endOf.set(key, clock.now() + window);
  };
}
