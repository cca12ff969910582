import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { PublicError } from '../../common/errors.ts';
import { userCalls } from '../../common/users/http.ts';
import type { User } from '../../common/users/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Auth } from '../auth/service.ts';
import { requireOwn } from '../http/authorize.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import type { Wallets } from '../wallet/service.ts';
import { type UserRecord, usernameKey } from './model.ts';
import { presentUser } from './present.ts';
import type { Users } from './service.ts';

/** The legacy user calls. */
export function userRoutes(
  router: RouterInstance,
  deps: { users: Users; auth: Auth; wallets: Pick<Wallets, 'current'>; adminActions: AdminActions },
): void {
  const { users, auth, wallets, adminActions } = deps;

  register(router, userCalls.get, async ({ params: { id } }, { user, ctx }) => {
    requireOwn(user, id);
    return present(await lookedUp(user, await users.byId(id), ctx));
  });

  register(router, userCalls.find, async ({ query: { username } }, { user, ctx }) => {
    // The same for a name that nobody has: it must not tell which names exist.
    if (!user.isAdmin && usernameKey(username) !== user.usernameKey) throw new PublicError('forbidden');
    return present(await lookedUp(user, await users.named(username), ctx));
  });

  register(router, userCalls.create, async ({ body: { username, password } }, { ctx }) =>
    present(await auth.register({ username, password }, addressKey(ctx.ip))),
  );

  register(router, userCalls.magicPoints, async ({ params: { id }, body }, { user, ctx }) => {
    requireOwn(user, id);
    await changing(user, id, `magic points: ${body.magicPoints}`, ctx);
    return present(await users.progress.setMagicPoints(id, body.magicPoints, user.isAdmin));
  });

  register(router, userCalls.level, async ({ params: { id }, body }, { user, ctx }) => {
    requireOwn(user, id);
    await changing(user, id, `level: ${body.level}`, ctx);
    return present(await users.progress.levelUp(id, body.level));
  });

  /** What is found, once it is on record that somebody else looked at it. */
  async function lookedUp(caller: UserRecord, found: UserRecord | null, ctx: Koa.Context): Promise<UserRecord | null> {
    const id = found?._id.toHexString() ?? null;
    if (id !== null && id !== caller._id.toHexString()) {
      await adminActions.record('user-looked-up', { user: caller, address: addressKey(ctx.ip) }, id);
    }
    return found;
  }

  /** Puts on record, beforehand, what an administrator is about to set of somebody else. Throws `not-found`. */
  async function changing(caller: UserRecord, id: string, what: string, ctx: Koa.Context): Promise<void> {
    if (id === caller._id.toHexString()) return;
    if (!(await users.byId(id))) throw new PublicError('not-found');
    await adminActions.record('user-changed', { user: caller, address: addressKey(ctx.ip) }, id, what);
  }

  async function present(record: UserRecord | null): Promise<User> {
    if (!record) throw new PublicError('not-found');
    const wallet = await wallets.current(record._id.toHexString());
    return presentUser(record, wallet?.walletAddress ?? null);
  }
}
