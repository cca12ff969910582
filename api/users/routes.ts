import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import type { Credentials } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import { userCalls } from '../../common/users/http.ts';
import type { User } from '../../common/users/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import { actorOf, type RequestUser, requireOwnerOrAdmin } from '../http/caller.ts';
import { addressKey } from '../http/limits/rate-limits.ts';
import { register } from '../http/route.ts';
import { type UserRecord, usernameKey } from './model.ts';
import type { Users } from './service.ts';

/** The legacy user calls. */
export function userRoutes(
  router: RouterInstance,
  deps: {
    users: Users;
    /** Registers within the limits of `address`, which `addressKey` forms. */
    auth: { register(credentials: Credentials, address: string): Promise<UserRecord> };
    wallets: { current(userId: string): Promise<{ walletAddress: string } | null> };
    adminActions: AdminActions;
  },
): void {
  const { users, auth, wallets, adminActions } = deps;
  register(router, userCalls.get, async ({ params: { id } }, { user, ctx }) => {
    requireOwnerOrAdmin(user, id);
    return present(await recordLookup(user, await users.findById(id), ctx));
  });

  register(router, userCalls.find, async ({ query: { username } }, { user, ctx }) => {
    // The same for an unknown name: the response must not reveal which names exist.
    if (!user.isAdmin && usernameKey(username) !== usernameKey(user.username)) throw new PublicError('forbidden');
    return present(await recordLookup(user, await users.findByName(username), ctx));
  });

  register(router, userCalls.create, async ({ body: { username, password } }, { ctx }) =>
    present(await auth.register({ username, password }, addressKey(ctx.ip))),
  );

  register(router, userCalls.magicPoints, async ({ params: { id }, body }, { user, ctx }) => {
    requireOwnerOrAdmin(user, id);
    await recordChange(user, id, `magic points: ${body.magicPoints}`, ctx);
    return present(await users.progress.setMagicPoints(id, body.magicPoints, user.isAdmin));
  });

  register(router, userCalls.level, async ({ params: { id }, body }, { user, ctx }) => {
    requireOwnerOrAdmin(user, id);
    await recordChange(user, id, `level: ${body.level}`, ctx);
    return present(await users.progress.levelUp(id, body.level));
  });

  /** Records that an administrator looked at another user, and returns that user. */
  async function recordLookup(caller: RequestUser, found: UserRecord | null, ctx: Koa.Context) {
    const id = found?._id.toHexString() ?? null;
    if (id !== null && id !== caller._id.toHexString()) {
      await adminActions.record('user-looked-up', actorOf(caller, ctx), id);
    }
    return found;
  }

  /** Records beforehand what an administrator is about to change of another user. Throws `not-found`. */
  async function recordChange(caller: RequestUser, id: string, change: string, ctx: Koa.Context): Promise<void> {
    if (id === caller._id.toHexString()) return;
    if (!(await users.findById(id))) throw new PublicError('not-found');
    await adminActions.record('user-changed', actorOf(caller, ctx), id, change);
  }

  async function present(record: UserRecord | null): Promise<User> {
    if (!record) throw new PublicError('not-found');
    const wallet = await wallets.current(record._id.toHexString());
    return presentUser(record, wallet?.walletAddress ?? null);
  }
}

/** Presents a user without password and key. `walletAddress`: of their current wallet. */
function presentUser(record: UserRecord, walletAddress: string | null): User {
  return {
    id: record._id.toHexString(),
    username: record.username,
    isAdmin: record.isAdmin,
    isActive: record.isActive,
    level: record.level,
    magicPoints: record.magicPoints,
    walletAddress,
    createdAt: record.createdAt.toISOString(),
  };
}
