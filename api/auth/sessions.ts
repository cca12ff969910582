import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Connection, Model } from 'mongoose';
import type { SessionUser } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import { isConnected } from '../server/database.ts';
import { readSession, type SessionRecord } from '../server/session.ts';
import type { Users } from '../users/service.ts';
import { presentSessionUser } from './present.ts';

/** What the live gateway asks about sessions (L1). */
export interface Sessions {
  /** Who a socket handshake belongs to. Rejects with `unavailable` while MongoDB is away. */
  authenticate(request: IncomingMessage): Promise<{ user: SessionUser; sessionId: string } | null>;
  /** Which of these sessions still count: not expired, not logged out, and their user is active. */
  aliveSessions(ids: readonly string[]): Promise<Set<string>>;
  /** `listener` hears of every session that ends by a call. Returns the way to stop. */
  onSessionEnded(listener: (sessionId: string) => void): () => void;
  /** Tells the listeners. */
  ended(sessionId: string): void;
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

  return {
    async authenticate(request) {
      if (!isConnected(connection)) throw new PublicError('unavailable');
      const session = await readSession(app, middleware, request);
      const user = session && (await users.active(session.userId));
      return user ? { user: presentSessionUser(user), sessionId: session.sessionId } : null;
    },
    async aliveSessions(ids) {
      if (ids.length === 0) return new Set();
      if (!isConnected(connection)) throw new PublicError('unavailable');
      // One round trip; both sides are found by `_id`.
      const alive = await sessions.aggregate<{ _id: string }>([
        { $match: { _id: { $in: [...ids] }, expiresAt: { $gt: new Date() } } },
        { $set: { user: { $toObjectId: '$userId' } } },
        { $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'user' } },
        { $match: { 'user.isActive': true } },
        { $project: { _id: 1 } },
      ]);
      return new Set(alive.map(({ _id }) => _id));
    },
    onSessionEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ended(sessionId) {
      for (const listener of listeners) listener(sessionId);
    },
  };
}
