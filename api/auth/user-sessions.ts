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
export type UserSessions = ReturnType<typeof createUserSessions>;

export function createUserSessions(deps: { connection: Connection; bus: EventSink; clock: Clock }) {
  const { connection, bus, clock } = deps;
  const sessions = sessionModel(connection);
  // Index { userId: 1, createdAt: -1 }.
  const newest = (userId: string) => sessions.find({ userId }).sort({ createdAt: -1 });

  const idsOf = async (userId: string) =>
    (await newest(userId).select({ _id: 1 }).lean<Pick<SessionRecord, '_id'>[]>()).map(({ _id }) => _id);

  async function endThese(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { deletedCount } = await sessions.deleteMany({ _id: { $in: ids } });
    for (const sessionId of ids) bus.emit('session-ended', { sessionId });
    return deletedCount;
  }

  return {
    /** Last used first. */
    async list({ id, isAdmin }: { id: string; isAdmin: boolean }, sessionId: string): Promise<UserSession[]> {
      const now = clock.now();
      const records = await newest(id).limit(MAX_SESSIONS).lean<SessionRecord[]>();
      return records
        .map((record) => presentSession(record, isAdmin, sessionId))
        .filter(({ endsAt }) => Date.parse(endsAt) > now)
        .sort((one, other) => other.lastUsedAt.localeCompare(one.lastUsedAt));
    },
    /** Ends the session with this public id, and its sockets. Throws `not-found`. */
    async end(userId: string, publicId: string): Promise<void> {
      const found = (await idsOf(userId)).find((id) => publicIdOf(id) === publicId);
      if (found === undefined) throw new PublicError('not-found', { text: 'This session has ended already.' });
      await endThese([found]);
    },
    /** Ends all sessions but `sessionId`. Resolves with their number. */
    endOthers: async (userId: string, sessionId: string): Promise<number> =>
      endThese((await idsOf(userId)).filter((id) => id !== sessionId)),
    async endAll(userId: string): Promise<void> {
      await endThese(await idsOf(userId));
    },
    /** Ends the oldest sessions beyond the limit per user. */
    async trim(userId: string): Promise<void> {
      const surplus = await newest(userId).skip(MAX_SESSIONS).select({ _id: 1 }).lean<Pick<SessionRecord, '_id'>[]>();
      await endThese(surplus.map(({ _id }) => _id));
    },
    /** Stores that the user has just proved their identity in this session. */
    async confirm(sessionId: string): Promise<void> {
      await sessions.updateOne({ _id: sessionId }, { $set: { confirmedAt: new Date(clock.now()) } });
    },
    /** Throws `password-needed` when the last proof of identity is older than 5 minutes. */
    async requireConfirmation(sessionId: string | undefined): Promise<void> {
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
