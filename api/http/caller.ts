import type Koa from 'koa';
import type { Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { createRecentReads, type RecentReads } from '../platform/recent-reads.ts';
import { addressKey } from './limits/rate-limits.ts';
import { SESSION_READ_MAX_AGE, type SessionData, sessionEnd } from './session.ts';

/** The fields of the signed-in user that HTTP and routes read. */
export interface RequestUser {
  _id: Types.ObjectId;
  username: string;
  isAdmin: boolean;
  /** Present while two-step login is on. */
  secondFactor?: object;
}

declare module 'koa' {
  interface DefaultState {
    /** Resolves with the active user of this request's session, null without one; looks it up on the first call. */
    currentUser(): Promise<RequestUser | null>;
  }
}

/** Users kept for `SESSION_READ_MAX_AGE`, at most. */
const MAX_RECENT = 10_000;

type FindActive = (userId: string) => Promise<RequestUser | null>;

/** Returns `findActive` that reads a user at most once in `SESSION_READ_MAX_AGE`, and again after `drop`. */
export function recentUsers(findActive: FindActive): RecentReads<RequestUser> {
  return createRecentReads(findActive, { maxAge: SESSION_READ_MAX_AGE, max: MAX_RECENT, clock: performance });
}

/** Finds the active user of a session; null without one, and after the session's absolute end. */
export interface CallerFinder {
  get(session: Partial<SessionData>): Promise<RequestUser | null>;
  /** Returns the same without a read; null also when the user has to be read. */
  known(session: SessionData): RequestUser | null;
}

export function createCallerFinder(users: Pick<RecentReads<RequestUser>, 'get' | 'known'>, clock: Clock): CallerFinder {
  // Compared with the rights of now, so that granting them shortens the session.
  const unlessOver = (user: RequestUser | null | undefined, since: number) =>
    user && clock.now() < sessionEnd(since, user.isAdmin) ? user : null;
  return {
    get: async ({ userId, since }) => (userId && since ? unlessOver(await users.get(userId), since) : null),
    known: ({ userId, since }) => unlessOver(users.known(userId), since),
  };
}

/** Puts `currentUser` on the request. */
export function currentUser({ get: find }: CallerFinder): Koa.Middleware {
  return (ctx, next) => {
    let found: Promise<RequestUser | null> | undefined;
    ctx.state.currentUser = () => {
      found ??= find(ctx.session ?? {});
      return found;
    };
    return next();
  };
}

/**
 * Requires that `userId` is the caller, or the caller an administrator (decision 13). Throws `forbidden` whether or not
 * that user exists.
 */
export function requireOwnerOrAdmin(caller: RequestUser, userId: string): void {
  if (!caller.isAdmin) requireOwner(caller, userId);
}

/** Requires that `userId` is the caller: for what not even an administrator may do in a user's name. Throws `forbidden`. */
export function requireOwner(caller: RequestUser, userId: string): void {
  if (caller._id.toHexString() !== userId) throw new PublicError('forbidden');
}

/**
 * Requires that the caller has the object of user `userId`. Throws `not-found` otherwise, as without such an object: its id must
 * not tell that it exists. Throws `forbidden` to administrators, who may see it.
 */
export function requireOwnObject(caller: RequestUser, userId: string): void {
  if (caller._id.toHexString() !== userId) throw new PublicError(caller.isAdmin ? 'forbidden' : 'not-found');
}

/** A signed-in user with the network address of the request (`addressKey`). */
export interface RequestActor {
  user: RequestUser;
  address: string;
}

/** The same with the secret id of the request's session. */
export interface SessionActor extends RequestActor {
  session: string;
}

/** Returns the secret id of this request's session. Throws `unauthenticated` without one. */
export function sessionIdOf(ctx: Koa.Context): string {
  const id = ctx.session?.externalKey;
  if (id === undefined) throw new PublicError('unauthenticated');
  return id;
}

/** Returns the caller and their address, for the audit. */
export function actorOf<User extends RequestUser>(user: User, ctx: Koa.Context): { user: User; address: string } {
  return { user, address: addressKey(ctx.ip) };
}

/** Returns the same with the secret id of the caller's session, for checks that count by session. Throws `unauthenticated`. */
export function sessionActorOf(user: RequestUser, ctx: Koa.Context): SessionActor {
  return { ...actorOf(user, ctx), session: sessionIdOf(ctx) };
}
