import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { PublicError } from '../../common/errors.ts';
import type { EventSink } from '../events/bus.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { type UserRecord, userModel } from './model.ts';

/**
 * The one document that serializes withdrawals of rights between processes: each step raises `version` and succeeds only
 * for the version that was read.
 */
export interface RightsRecord {
  _id: 'admins';
  version: number;
  /** The user whose rights are being withdrawn, with their `rightsVersion` at that time; null: none. */
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

const OVERTAKEN = 'Another administrator is changing rights right now. Try again.';
const overtaken = () => new PublicError('too-many-requests', { retryAfter: 1, text: OVERTAKEN });

/** Administrator rights. An active administrator always remains, under concurrency and after a crash in the middle. */
export type AdminRights = ReturnType<typeof createAdminRights>;

export interface RightsChange {
  user: UserRecord;
  changed: boolean;
}

export function rightsModel(connection: Connection): Model<RightsRecord> {
  return connection.model<RightsRecord>('Rights', rightsSchema);
}

/** `bus`: omitted by commands that run beside the server. */
export function createAdminRights(connection: Connection, bus?: EventSink) {
  const users = userModel(connection);
  const guard = createGuard(users, rightsModel(connection));
  const exclusive = createKeyedMutex();

  async function findOrThrow(userId: string): Promise<UserRecord> {
    const user = await users.findById(userId).lean<UserRecord>();
    if (!user) throw new PublicError('not-found', { text: 'There is no such user.' });
    return user;
  }

  async function withdraw(userId: string, before: () => Promise<void>): Promise<RightsChange> {
    const free = await guard.read();
    // Read after the guard: any withdrawal from now on makes our step fail.
    const user = await findOrThrow(userId);
    if (!user.isAdmin) return { user, changed: false };
    // Partial index isAdmin.
    const other = await users.exists({ isAdmin: true, isActive: true, _id: { $ne: user._id } });
    if (!other) throw new PublicError('last-admin');
    // Before the change is recorded, since it will not be made.
    if (!free) throw overtaken();
    await before();
    if (!(await guard.withdraw(free, user))) throw overtaken();
    bus?.emit('rights-changed', { userId });
    return { user: await findOrThrow(userId), changed: true };
  }

  return {
    /**
     * Grants the rights. Calls `before` first, unless the user has them already. Resolves with the user afterwards and
     * whether anything changed. Throws `not-found`.
     */
    async grant(userId: string, before: () => Promise<void>): Promise<RightsChange> {
      const user = await findOrThrow(userId);
      if (user.isAdmin) return { user, changed: false };
      await before();
      const changed = await users
        .findOneAndUpdate(
          { _id: user._id, isAdmin: false },
          { $set: { isAdmin: true }, $inc: { rightsVersion: 1 } },
          { returnDocument: 'after' },
        )
        .lean<UserRecord>();
      if (changed) bus?.emit('rights-changed', { userId });
      return { user: changed ?? (await findOrThrow(userId)), changed: changed !== null };
    },
    /**
     * Withdraws the rights, like `grant`. Throws `last-admin` when no other active administrator would remain, and `too-many-requests`
     * when another process withdraws rights at this moment.
     */
    // One withdrawal of this process at a time.
    withdraw: (userId: string, before: () => Promise<void>): Promise<RightsChange> =>
      exclusive('admins', () => withdraw(userId, before)),
  };
}

function createGuard(users: Model<UserRecord>, rights: Model<RightsRecord>) {
  /** Returns the guard without a pending withdrawal, after completing one that a crash interrupted. Null: another process has. */
  async function read(): Promise<RightsRecord | null> {
    const found = await rights
      .findByIdAndUpdate(
        'admins',
        { $setOnInsert: { version: 0, leaving: null } },
        { upsert: true, returnDocument: 'after' },
      )
      .lean<RightsRecord>();
    if (!found?.leaving) return found;
    return (await finish(found)) ? { ...found, version: found.version + 1, leaving: null } : null;
  }

  /** Compares and sets: true when the guard was still at this version. */
  async function step(version: number, leaving: RightsRecord['leaving']): Promise<boolean> {
    const { matchedCount } = await rights.updateOne(
      { _id: 'admins', version },
      { $set: { leaving, version: version + 1 } },
    );
    return matchedCount === 1;
  }

  /**
   * Clears the flag of the leaving user. Safe to repeat and to run late: any change of the rights since then has changed
   * the user's `rightsVersion`. True when this call freed the guard.
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
    read,
    /** Withdraws the rights of `user`. False when the guard has moved on since it was read. */
    async withdraw(free: RightsRecord, user: UserRecord): Promise<boolean> {
      const leaving = { userId: user._id, rightsVersion: user.rightsVersion ?? null };
      if (!(await step(free.version, leaving))) return false;
      await finish({ _id: 'admins', version: free.version + 1, leaving });
      return true;
    },
  };
}
