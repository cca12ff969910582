import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Connection, Model } from 'mongoose';
import type { SessionUser } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import { readSession, type SessionRecord } from '../http/session.ts';
import { isConnected, isUnavailable } from '../platform/database.ts';
import type { Users } from '../users/service.ts';
import { presentSessionUser } from './present.ts';

/** What the live gateway asks about sessions (L1). */
export interface Sessions {
  /** Who a socket handshake belongs to. Rejects with `unavailable` while MongoDB is away. */
  authenticate(request: IncomingMessage): Promise<{ user: SessionUser; sessionId: string } | null>;
  /**
   * Which of these sessions still count: not expired, not logged out, and their user is active and still, or still not,
   * an administrator. `admins`: the sessions that were let in as an administrator's. Rejects like `authenticate`.
   */
  aliveSessions(ids: readonly string[], admins: ReadonlySet<string>): Promise<Set<string>>;
  /** `listener` hears of every session that ends by a call. Returns the way to stop. */
  onSessionEnded(listener: (sessionId: string) => void): () => void;
  /** Tells the listeners. */
  ended(sessionId: string): void;
  /**
   * Has all sockets of this user dropped, since the user's rights have changed. The sessions themselves go on: sockets that
   * come back are let in with the new rights.
   */
  rightsChanged(userId: string): Promise<void>;
}

export function createSessions(deps: {
  app: Koa;
  middleware: Koa.Middleware;
  connection: Connection;
  sessions: Model<SessionRecord>;
  users: Users;
}): Sessions {
  const { app, middleware, connection, sessions, users } = deps;
  const listeners = new Set<(sessionId: string) => void>();

  /** What MongoDB answers. The gateway tells by `unavailable` that MongoDB is away, and needs to know no more. */
  async function asked<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (!isConnected(connection)) throw new PublicError('unavailable');
    try {
      return await question();
    } catch (error) {
      throw isUnavailable(error) ? new PublicError('unavailable') : error;
    }
  }

  function ended(sessionId: string): void {
    for (const listener of listeners) listener(sessionId);
  }

  return {
    async authenticate(request) {
      const session = await asked(() => readSession(app, middleware, request));
      const user = session && (await asked(() => users.active(session.userId)));
      return user ? { user: presentSessionUser(user), sessionId: session.sessionId } : null;
    },
    async aliveSessions(ids, admins) {
      if (ids.length === 0) return new Set();
      // One round trip; both sides are found by `_id`.
      const alive = await asked(() =>
        sessions.aggregate<{ _id: string; isAdmin: boolean }>([
          { $match: { _id: { $in: [...ids] }, expiresAt: { $gt: new Date() } } },
          { $set: { user: { $toObjectId: '$userId' } } },
          { $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'user' } },
          { $match: { 'user.isActive': true } },
          { $project: { isAdmin: { $first: '$user.isAdmin' } } },
        ]),
      );
      return new Set(alive.filter(({ _id, isAdmin }) => isAdmin === admins.has(_id)).map(({ _id }) => _id));
    },
    onSessionEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ended,
    async rightsChanged(userId) {
      // Index: userId.
      const open = await asked(() => sessions.find({ userId }, { _id: 1 }).lean<Pick<SessionRecord, '_id'>[]>());
      for (const { _id } of open) ended(_id);
    },
  };
}
