import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Connection } from 'mongoose';
import type { SessionUser } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import type { EventBus } from '../events/bus.ts';
import type { RequestUser } from '../http/caller.ts';
import {
  createSessionStore,
  readSession,
  type SessionRecord,
  sessionEnd,
  sessionMiddleware,
  sessionModel,
} from '../http/session.ts';
import { ensureIndexes, isConnected, isUnavailable } from '../platform/database.ts';
import type { Users } from '../users/service.ts';

/** Sessions for HTTP and for the live gateway (L1). */
export type Sessions = Awaited<ReturnType<typeof openSessions>>;

/**
 * Opens the sessions of this database and creates their indexes. When a user's rights change, emits `session-ended` for
 * each of their sessions: its sockets are dropped and readmitted with the new rights.
 */
export async function openSessions(deps: {
  clock: Clock;
  app: Koa;
  connection: Connection;
  users: Pick<Users, 'findActive'>;
  bus: EventBus;
  /** True when browsers reach the server by HTTPS only. */
  isHttps: boolean;
}) {
  const { app, connection, users, bus, clock, isHttps } = deps;
  const sessions = sessionModel(connection);
  await ensureIndexes(sessions);
  const store = createSessionStore(sessions, clock);
  bus.on('session-ended', ({ sessionId }) => store.drop(sessionId));
  const middleware = sessionMiddleware(app, store, isHttps);

  /** Runs a query. Rejects with `unavailable` while MongoDB is away, the only error that the gateway distinguishes. */
  async function query<Result>(run: () => Promise<Result>): Promise<Result> {
    if (!isConnected(connection)) throw new PublicError('unavailable');
    try {
      return await run();
    } catch (error) {
      throw isUnavailable(error) ? new PublicError('unavailable') : error;
    }
  }

  bus.on('rights-changed', async ({ userId }) => {
    // Index: userId.
    const open = await sessions.find({ userId }, { _id: 1 }).lean<Pick<SessionRecord, '_id'>[]>();
    for (const { _id } of open) bus.emit('session-ended', { sessionId: _id });
  });

  return {
    middleware,
    /** Finds a session that the middleware would neither change nor refuse. */
    peek: store.peek,
    /** Resolves with the user and session of a socket handshake, null without one. Rejects with `unavailable` while MongoDB is away. */
    async authenticate(request: IncomingMessage): Promise<{ user: SessionUser; sessionId: string } | null> {
      const session = await query(() => readSession(app, middleware, request));
      const user = session && (await query(() => users.findActive(session.userId)));
      if (!user || clock.now() >= sessionEnd(session.since, user.isAdmin)) return null;
      return { user: presentSessionUser(user), sessionId: session.sessionId };
    },
    /**
     * Returns the sessions that are still valid: not expired, within the absolute limit, not logged out, of an active user whose administrator rights are
     * unchanged. `admins`: the sessions that were admitted as an administrator's. Rejects like `authenticate`.
     */
    async aliveSessions(ids: readonly string[], admins: ReadonlySet<string>): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      // One round trip; both collections are read by `_id`.
      const alive = await query(() =>
        sessions.aggregate<{ _id: string; isAdmin: boolean; createdAt?: Date }>([
          { $match: { _id: { $in: [...ids] }, expiresAt: { $gt: new Date(clock.now()) } } },
          { $set: { user: { $toObjectId: '$userId' } } },
          { $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'user' } },
          { $match: { 'user.isActive': true } },
          { $project: { isAdmin: { $first: '$user.isAdmin' }, createdAt: 1 } },
        ]),
      );
      const now = clock.now();
      const isAlive = ({ _id, isAdmin, createdAt }: (typeof alive)[number]) =>
        isAdmin === admins.has(_id) && createdAt !== undefined && now < sessionEnd(createdAt.getTime(), isAdmin);
      return new Set(alive.filter(isAlive).map(({ _id }) => _id));
    },
  };
}

export function presentSessionUser({ _id, username, isAdmin, secondFactor }: RequestUser): SessionUser {
  return { id: _id.toHexString(), username, isAdmin, hasSecondFactor: secondFactor !== undefined };
}
