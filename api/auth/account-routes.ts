import type { RouterInstance } from '@koa/router';
import type Koa from 'koa';
import { authCalls } from '../../common/auth/http.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import type { Audit } from '../audit/service.ts';
import { actorOf, type RequestUser, sessionActorOf, sessionIdOf } from '../http/caller.ts';
import { register } from '../http/route.ts';
import { beginSession } from '../http/session.ts';
import type { Users } from '../users/service.ts';
import { requireStrongPassword } from '../users/weak-passwords.ts';
import type { Identity } from './identity.ts';
import type { SecondFactors } from './second-factor/service.ts';
import type { UserSessions } from './user-sessions.ts';

interface AccountRoutesDeps {
  users: Pick<Users, 'setPassword'>;
  identity: Identity;
  userSessions: UserSessions;
  secondFactors: SecondFactors;
  audit: Pick<Audit, 'record'>;
  clock: Clock;
}

const OK = { ok: true as const };

/** Registers the calls for a user's own account: password, sessions and two-step login. */
export function accountRoutes(router: RouterInstance, deps: AccountRoutesDeps): void {
  sessionRoutes(router, deps);
  secondFactorRoutes(router, deps);
  const { users, identity, userSessions, audit, clock } = deps;

  register(router, authCalls.confirm, async ({ body }, { user, ctx }) => {
    await identity.require(sessionActorOf(user, ctx), body);
    await userSessions.confirm(sessionIdOf(ctx));
    return OK;
  });

  register(router, authCalls.changePassword, async ({ body }, { user, ctx }) => {
    const by = sessionActorOf(user, ctx);
    const id = user._id.toHexString();
    requireStrongPassword({ username: user.username, password: body.newPassword }, 'newPassword');
    const proof = { password: body.currentPassword, ...(body.code === undefined ? {} : { code: body.code }) };
    const { passwordHash } = await identity.require(by, proof, { field: 'currentPassword' });
    await audit.record('password-changed', by, id);
    // Of two changes at the same time, one wins: the other one was confirmed with a password that counts no more.
    if (!(await users.setPassword(user._id, body.newPassword, passwordHash))) throw new PublicError('wrong-password');
    await userSessions.endAll(id);
    // A new id here too: a copy of the cookie may be the reason for the change.
    await beginSession(ctx, { userId: id, since: clock.now() });
    return OK;
  });
}

function sessionRoutes(router: RouterInstance, deps: AccountRoutesDeps): void {
  const { userSessions, audit } = deps;
  register(router, authCalls.sessions, (_input, { user, ctx }) =>
    userSessions.list({ id: user._id.toHexString(), isAdmin: user.isAdmin }, sessionIdOf(ctx)),
  );

  register(router, authCalls.endSession, async ({ params }, { user, ctx }) => {
    const id = user._id.toHexString();
    await userSessions.end(id, params.id);
    await audit.record('sessions-ended', actorOf(user, ctx), id, '1');
    return OK;
  });

  register(router, authCalls.endOtherSessions, async (_input, { user, ctx }) => ({
    ended: await endOtherSessions(deps, user, ctx),
  }));
}

/** Ends the user's sessions but this one, which is recorded. Resolves with their number. */
async function endOtherSessions(
  { userSessions, audit }: Pick<AccountRoutesDeps, 'userSessions' | 'audit'>,
  user: RequestUser,
  ctx: Koa.Context,
): Promise<number> {
  const id = user._id.toHexString();
  const ended = await userSessions.endOthers(id, sessionIdOf(ctx));
  if (ended > 0) await audit.record('sessions-ended', actorOf(user, ctx), id, String(ended));
  return ended;
}

function secondFactorRoutes(router: RouterInstance, deps: AccountRoutesDeps): void {
  const { identity, secondFactors } = deps;
  register(router, authCalls.secondFactor, (_input, { user }) => secondFactors.state(user._id.toHexString()));

  register(router, authCalls.setUpSecondFactor, (_input, { user }) => secondFactors.setUp(user));

  register(router, authCalls.enableSecondFactor, async ({ body }, { user, ctx }) => {
    const recoveryCodes = await secondFactors.enable({ ...actorOf(user, ctx), known: sessionIdOf(ctx) }, body.code);
    // They began with the password alone, which may be the reason for the second step.
    await endOtherSessions(deps, user, ctx);
    return { recoveryCodes };
  });

  register(router, authCalls.renewRecoveryCodes, async ({ body }, { user, ctx }) => {
    const by = sessionActorOf(user, ctx);
    await identity.require(by, body);
    return { recoveryCodes: await secondFactors.renewRecoveryCodes(by) };
  });

  register(router, authCalls.disableSecondFactor, async ({ body }, { user, ctx }) => {
    const by = sessionActorOf(user, ctx);
    await identity.require(by, body);
    await secondFactors.disable(by);
    return OK;
  });
}
