import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { authCalls } from '../../common/auth/http.ts';
import { PublicError } from '../../common/errors.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import { beginSession, SESSION_COOKIE } from '../http/session.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import { presentSessionUser } from './present.ts';
import type { Auth } from './service.ts';
import type { Sessions } from './sessions.ts';

interface AuthRoutesDeps {
  auth: Auth;
  sessions: Pick<Sessions, 'ended'>;
  users: Pick<Users, 'active'>;
}

export function authRoutes(router: RouterInstance, { auth, sessions, users }: AuthRoutesDeps): void {
  register(router, authCalls.me, async (_input, { ctx }) => {
    const user = await ctx.state.currentUser();
    if (!user) throw new PublicError('unauthenticated');
    return presentSessionUser(user);
  });

  register(router, authCalls.login, async ({ body }, { ctx }) => {
    const user = await auth.login(body, addressKey(ctx.ip));
    return signIn(ctx, user);
  });

  register(router, authCalls.register, async ({ body }, { ctx }) => {
    const user = await auth.register(body, addressKey(ctx.ip));
    return signIn(ctx, user);
  });

  register(router, authCalls.logout, (_input, { ctx }) => {
    // Only with a cookie is there anything to remove, in the store or in the browser.
    if (ctx.cookies.get(SESSION_COOKIE, { signed: false })) {
      endCurrent(ctx);
      ctx.session = null;
    }
    return { ok: true as const };
  });

  async function signIn(ctx: Koa.Context, user: UserRecord) {
    endCurrent(ctx);
    const id = user._id.toHexString();
    await beginSession(ctx, id);
    // Whoever resets a password ends the sessions after it: one that is stored too late for that sees the new password here.
    const present = await users.active(id);
    if (present?.passwordHash !== user.passwordHash) {
      ctx.session = null;
      throw new PublicError('wrong-credentials');
    }
    return presentSessionUser(present);
  }

  /** The session this request came with is about to go; whoever listens through it must hear of that. */
  function endCurrent(ctx: Koa.Context): void {
    const { userId, externalKey } = ctx.session ?? {};
    if (userId && externalKey) sessions.ended(externalKey);
  }
}
