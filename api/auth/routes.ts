import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { authCalls } from '../../common/auth/http.ts';
import { errors, PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import type { Audit } from '../audit/service.ts';
import type { EventSink } from '../events/bus.ts';
import { actorOf } from '../http/caller.ts';
import { addressKey } from '../http/limits/rate-limits.ts';
import { register } from '../http/route.ts';
import { beginSession, SECURE_SESSION_COOKIE, SESSION_COOKIE } from '../http/session.ts';
import { loginKey, type UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';
import { deviceName } from './device-name.ts';
import { knownBrowser, rememberBrowser } from './known-browser.ts';
import type { Auth } from './service.ts';
import { presentSessionUser } from './sessions.ts';
import type { UserSessions } from './user-sessions.ts';

export function authRoutes(
  router: RouterInstance,
  deps: {
    auth: Auth;
    users: Pick<Users, 'findActive'>;
    userSessions: Pick<UserSessions, 'trim'>;
    audit: Pick<Audit, 'record'>;
    bus: EventSink;
    clock: Clock;
  },
): void {
  const { auth, users, userSessions, audit, bus, clock } = deps;
  register(router, authCalls.me, async (_input, { ctx }) => {
    const user = await ctx.state.currentUser();
    if (!user) throw new PublicError('unauthenticated');
    return presentSessionUser(user);
  });

  register(router, authCalls.login, async ({ body }, { ctx }) => {
    const browser = knownBrowser(ctx, loginKey(body.username));
    const device = deviceName(ctx.get('User-Agent'));
    return signIn(ctx, await auth.login(body, { address: addressKey(ctx.ip), browser, device }));
  });

  register(router, authCalls.register, async ({ body }, { ctx }) => {
    const user = await auth.register(body, addressKey(ctx.ip));
    return signIn(ctx, user);
  });

  register(router, authCalls.logout, async (_input, { ctx }) => {
    // Without a cookie there is nothing to remove, neither stored nor in the browser.
    if ([SESSION_COOKIE, SECURE_SESSION_COOKIE].some((name) => ctx.cookies.get(name, { signed: false }))) {
      const user = await ctx.state.currentUser();
      if (user) await audit.record('logout', actorOf(user, ctx), user._id.toHexString());
      emitEnd(ctx);
      ctx.session = null;
    }
    // What the browser keeps of this user's pages.
    ctx.set('Clear-Site-Data', '"cache"');
    return { ok: true as const };
  });

  async function signIn(ctx: Koa.Context, user: UserRecord) {
    emitEnd(ctx);
    const id = user._id.toHexString();
    await beginSession(ctx, { userId: id, since: clock.now() });
    // A new password ends the sessions afterwards: a session stored too late for that sees the new password here.
    const present = await users.findActive(id);
    if (present?.passwordHash !== user.passwordHash) {
      ctx.session = null;
      throw new PublicError('wrong-credentials');
    }
    // Likewise two-step login, when it was switched on during this login without a code.
    if (present.secondFactor && !user.secondFactor) {
      ctx.session = null;
      throw new PublicError('code-needed', { details: { code: [errors['code-needed'].text] } });
    }
    rememberBrowser(ctx, loginKey(user.username));
    await userSessions.trim(id);
    bus.emit('signed-in', { userId: id });
    return presentSessionUser(present);
  }

  /** Emits the end of the session of this request, whose live connections must close. */
  function emitEnd(ctx: Koa.Context): void {
    const { userId, externalKey } = ctx.session ?? {};
    if (userId && externalKey) bus.emit('session-ended', { sessionId: externalKey });
  }
}
