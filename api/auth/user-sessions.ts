import { createHash } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { UserSession } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import { type Clock, MINUTE } from '../../common/time.ts';
import type { EventSink } from '../events/bus.ts';
import { type SessionRecord, sessionEnd, sessionModel } from '../http/session.ts';
import { deviceName } from './device-name.ts';

/** Most sessions of a user; a further login ends the oldest one. */
const MAX_SESSIONS = 100;
/** Time during which a proof of identity counts in its session, ms. */
const CONFIRMATION_AGE = 5 * MINUTE;

/** The sessions of a user, as the user manages them. `sessionId`: the secret id of the caller's session. */
export interface UserSessions {
  /** Last used first. */
  list(user: { id: string; isAdmin: boolean }, sessionId: string): Promise<UserSession[]>;
  /** Ends the session with this public id, and its sockets. Throws `not-found`. */
  end(userId: string, publicId: string): Promise<void>;
  /** Ends all sessions but `sessionId`. Resolves with their number. */
  endOthers(userId: string, sessionId: string): Promise<number>;
  endAll(userId: string): Promise<void>;
  /** Ends the oldest sessions beyond the limit per user. */
  trim(userId: string): Promise<void>;
  /** Stores that the user has just proved their identity in this session. */
  confirm(sessionId: string): Promise<void>;
  /** Throws `password-needed` when the last proof of identity is older than 5 minutes. */
  requireConfirmation(sessionId: string | undefined): Promise<void>;
}

export function createUserSessions(deps: { connection: Connection; bus: EventSink; clock: Clock }): UserSessions {
  const { connection, bus, clock } = deps;
  const sessions = sessionModel(connection);
  // Index { userId: 1, createdAt: -1 }.
  // Sessions of an earlier version, which no longer count, have no beginning.
  const newest = (userId: string) => sessions.find({ userId, createdAt: { $exists: true } }).sort({ createdAt: -1 });

  const idsOf = async (userId: string) =>
    (await newest(userId).select({ _id: 1 }).lean<Pick<SessionRecord, '_id'>[]>()).map(({ _id }) => _id);

  async function endThese(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { deletedCount } = await sessions.deleteMany({ _id: { $in: ids } });
    for (const sessionId of ids) bus.emit('session-ended', { sessionId });
    return deletedCount;
  }

  return {
    async list({ id, isAdmin }, sessionId) {
      const now = clock.now();
      const records = await newest(id).limit(MAX_SESSIONS).lean<SessionRecord[]>();
      return records
        .map((record) => presentSession(record, isAdmin, sessionId))
        .filter(({ endsAt }) => Date.parse(endsAt) > now)
        .sort((one, other) => other.lastUsedAt.localeCompare(one.lastUsedAt));
    },
    async end(userId, publicId) {
      const found = (await idsOf(userId)).find((id) => publicIdOf(id) === publicId);
      if (found === undefined) throw new PublicError('not-found', { text: 'This session has ended already.' });
      await endThese([found]);
    },
    endOthers: async (userId, sessionId) => endThese((await idsOf(userId)).filter((id) => id !== sessionId)),
    async endAll(userId) {
      await endThese(await idsOf(userId));
    },
    async trim(userId) {
      const surplus = await newest(userId).skip(MAX_SESSIONS).select({ _id: 1 }).lean<Pick<SessionRecord, '_id'>[]>();
      await endThese(surplus.map(({ _id }) => _id));
    },
    async confirm(sessionId) {
      await sessions.updateOne({ _id: sessionId }, { $set: { confirmedAt: new Date(clock.now()) } });
    },
    async requireConfirmation(sessionId) {
      const found = await sessions.findById(sessionId ?? '', { confirmedAt: 1 }).lean<Partial<SessionRecord>>();
      const age = clock.now() - (found?.confirmedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
      if (age >= CONFIRMATION_AGE) throw new PublicError('password-needed');
    },
  };
}

function presentSession(record: SessionRecord, isAdmin: boolean, currentId: string): UserSession {
  const { _id, agent, address, createdAt, lastUsedAt, expiresAt } = record;
  return {
    id: publicIdOf(_id),
    device: agent === null ? null : deviceName(agent),
    address,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    endsAt: new Date(Math.min(expiresAt.getTime(), sessionEnd(createdAt.getTime(), isAdmin))).toISOString(),
    isCurrent: _id === currentId,
  };
}

/** Length of a public id: the form of all other ids. */
const PUBLIC_ID_LENGTH = 24;

/** Returns an id for clients from the secret one of the cookie, which can't be derived from it. */
function publicIdOf(sessionId: string): string {
  return createHash('sha256').update(`session:${sessionId}`).digest('hex').slice(0, PUBLIC_ID_LENGTH);
}
