import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import { isDuplicateKey } from '../platform/database.ts';
import type { UserRecord } from './model.ts';

/**
 * The one document that every withdrawal of rights goes through, so that no two of them are made at once, in whatever
 * process: each step raises `version`, and counts only on the version that was read.
 */
export interface RightsRecord {
  _id: 'admins';
  version: number;
  /** The user who is being made an ordinary one, and that user's `rightsVersion` then; null: nobody. */
  leaving: { userId: Types.ObjectId; rightsVersion: number | null } | null;
}

const rightsSchema = new Schema<RightsRecord>(
  {
    _id: { type: String, required: true },
    version: { type: Number, required: true },
    leaving: { type: Schema.Types.Mixed, default: null },
  },
  { versionKey: false, collection: 'rights' },
);

export function rightsModel(connection: Connection): Model<RightsRecord> {
  return connection.model<RightsRecord>('Rights', rightsSchema);
}

/** Whoever loses a step to another tries again; nobody has this many administrators who are all at it at once. */
const TRIES = 1_000;

/** Who is an administrator. An active one is always left, whatever happens at the same time or ends in the middle. */
export interface Rights {
  /**
   * Makes the user an administrator. `before` is called first, unless the user is one already. The user after it, and
   * whether anything changed. Throws `not-found`.
   */
  grant(userId: string, before: () => Promise<void>): Promise<RightsChange>;
  /** The reverse. Throws `last-admin` when no other active administrator would be left. */
  withdraw(userId: string, before: () => Promise<void>): Promise<RightsChange>;
}

export interface RightsChange {
  user: UserRecord;
  changed: boolean;
}

export function createRights({ users, rights }: { users: Model<UserRecord>; rights: Model<RightsRecord> }): Rights {
  async function known(userId: string): Promise<UserRecord> {
    const user = await users.findById(userId).lean<UserRecord>();
    if (!user) throw new PublicError('not-found', { text: 'There is no such user.' });
    return user;
  }

  /** The guard with nobody leaving: whoever was found half-way is helped to the end. */
  async function guard(): Promise<RightsRecord | null> {
    const found = await rights.findById('admins').lean<RightsRecord>();
    if (found?.leaving) return (await finish(found)) ? guard() : null;
    if (found) return found;
    const first: RightsRecord = { _id: 'admins', version: 0, leaving: null };
    try {
      await rights.create(first);
      return first;
    } catch (error) {
      // Another was faster; its document is there now.
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** Compare and set: true when the guard was still at this version. */
  async function step(version: number, leaving: RightsRecord['leaving']): Promise<boolean> {
    const { matchedCount } = await rights.updateOne(
      { _id: 'admins', version },
      { $set: { leaving, version: version + 1 } },
    );
    return matchedCount === 1;
  }

  /**
   * Takes the rights of whoever is leaving. Safe to do twice, and too late: once the rights have changed in any way, the
   * user's `rightsVersion` is another. True when it was this call that freed the guard.
   */
  async function finish({ version, leaving }: RightsRecord): Promise<boolean> {
    if (leaving === null) return true;
    const { userId, rightsVersion } = leaving;
    await users.updateOne(
      { _id: userId, rightsVersion, isAdmin: true },
      { $set: { isAdmin: false }, $inc: { rightsVersion: 1 } },
    );
    return step(version, null);
  }

  return {
    async grant(userId, before) {
      const user = await known(userId);
      if (user.isAdmin) return { user, changed: false };
      await before();
      const changed = await users
        .findOneAndUpdate(
          { _id: user._id, isAdmin: false },
          { $set: { isAdmin: true }, $inc: { rightsVersion: 1 } },
          { returnDocument: 'after' },
        )
        .lean<UserRecord>();
      return { user: changed ?? (await known(userId)), changed: changed !== null };
    },
    async withdraw(userId, before) {
      let isAnnounced = false;
      for (let tries = 0; tries < TRIES; tries += 1) {
        const free = await guard();
        if (!free) continue;
        // Read after the guard: whoever takes rights from now on makes our step fail.
        const user = await known(userId);
        if (!user.isAdmin) return { user, changed: false };
        // Partial index isAdmin.
        const other = await users.exists({ isAdmin: true, isActive: true, _id: { $ne: user._id } });
        if (!other) throw new PublicError('last-admin');
        if (!isAnnounced) await before();
        isAnnounced = true;
        const leaving = { userId: user._id, rightsVersion: user.rightsVersion ?? null };
        if (!(await step(free.version, leaving))) continue;
        await finish({ ...free, version: free.version + 1, leaving });
        return { user: await known(userId), changed: true };
      }
      throw new PublicError('too-many-requests', { retryAfter: 1 });
    },
  };
}
