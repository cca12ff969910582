import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { authCalls } from '../../common/auth/http.ts';
import { PublicError } from '../../common/errors.ts';
import type { EventSink } from '../events/bus.ts';
import { addressKey } from '../http/rate-limits.ts';
import { register } from '../http/route.ts';
import { beginSession, SESSION_COOKIE } from '../http/session.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import type { Auth } from './service.ts';
import { presentSessionUser } from './sessions.ts';

interface AuthRoutesDeps {
  auth: Auth;
  users: Pick<Users, 'findActive'>;
  bus: EventSink;
}

export function authRoutes(router: RouterInstance, { auth, users, bus }: AuthRoutesDeps): void {
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
    // Without a cookie there is nothing to remove, neither stored nor in the browser.
    if (ctx.cookies.get(SESSION_COOKIE, { signed: false })) {
      emitEnd(ctx);
      ctx.session = null;
    }
    return { ok: true as const };
  });

  async function signIn(ctx: Koa.Context, user: UserRecord) {
    emitEnd(ctx);
    const id = user._id.toHexString();
    await beginSession(ctx, id);
    // A password reset ends the sessions afterwards: a session stored too late for that sees the new password here.
    const present = await users.findActive(id);
    if (present?.passwordHash !== user.passwordHash) {
      ctx.session = null;
      throw new PublicError('wrong-credentials');
    }
    bus.emit('signed-in', { userId: id });
    return presentSessionUser(present);
  }

  /** Emits the end of the session of this request, whose live connections must close. */
  function emitEnd(ctx: Koa.Context): void {
    const { userId, externalKey } = ctx.session ?? {};
    if (userId && externalKey) bus.emit('session-ended', { sessionId: externalKey });
  }
}
