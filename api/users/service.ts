import { type Connection, type Model, Types } from 'mongoose';
import { namelessActors } from '../../common/audit/model.ts';
import type { Credentials } from '../../common/auth/model.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { FIRST_LEVEL, FIRST_MAGIC_POINTS } from '../../common/users/model.ts';
import type { EventSink } from '../events/bus.ts';
import { ensureIndexes, isDuplicateKey } from '../platform/database.ts';
import { type UserRecord, userModel, usernameKey } from './model.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { createProgress, type Progress } from './progress.ts';

export interface Users {
  /** The active user with this id. */
  active(id: string): Promise<UserRecord | null>;
  /** The user with this id, active or not. */
  byId(id: string): Promise<UserRecord | null>;
  /** `id`: what the user is to be called by, for whoever has to know it before. Throws `username-taken`. */
  create(credentials: Credentials, options?: { isAdmin?: boolean; id?: Types.ObjectId }): Promise<UserRecord>;
  /** Takes the place of the password before. The sessions that were begun with that one go on. */
  setPassword(id: Types.ObjectId, password: string): Promise<void>;
  /** The active user with this name and password. */
  withPassword(credentials: Credentials): Promise<UserRecord | null>;
  named(username: string): Promise<UserRecord | null>;
  hasAdmin(): Promise<boolean>;
  /** Usernames by user id; of ids that nobody has there is none. */
  namesOf(ids: readonly string[]): Promise<Map<string, string>>;
  progress: Progress;
}

/** The users of this database, with its indexes made. */
export async function openUsers(connection: Connection, clock: Clock, bus?: EventSink): Promise<Users> {
  const users = userModel(connection);
  await ensureIndexes(users);
  return createUsers({ users, passwords: await createPasswords(), clock, ...(bus ? { bus } : {}) });
}

export function createUsers(deps: {
  users: Model<UserRecord>;
  passwords: Passwords;
  clock: Clock;
  bus?: EventSink;
}): Users {
  const { users, passwords, clock, bus } = deps;
  const named = (username: string) => users.findOne({ usernameKey: usernameKey(username) }).lean<UserRecord>();

  return {
    named,
    progress: createProgress(users),
    byId: (id) => users.findById(id).lean<UserRecord>().exec(),
    async active(id) {
      if (!Types.ObjectId.isValid(id)) return null;
      return users.findOne({ _id: new Types.ObjectId(id), isActive: true }).lean<UserRecord>();
    },
    async create({ username, password }, { isAdmin = false, id = new Types.ObjectId() } = {}) {
      if (reservedNames.has(usernameKey(username))) throw taken();
      const record: UserRecord = {
        _id: id,
        username,
        usernameKey: usernameKey(username),
        passwordHash: await passwords.hash(password),
        isAdmin,
        isActive: true,
        level: FIRST_LEVEL,
        magicPoints: FIRST_MAGIC_POINTS,
        createdAt: new Date(clock.now()),
      };
      try {
        await users.create(record);
      } catch (error) {
        if (isDuplicateKey(error)) throw taken();
        throw error;
      }
      bus?.emit('user-created', { userId: id.toHexString() });
      return record;
    },
    async setPassword(_id, password) {
      await users.updateOne({ _id }, { $set: { passwordHash: await passwords.hash(password) } });
    },
    async withPassword({ username, password }) {
      const user = await named(username);
      const right = await passwords.verify(user?.passwordHash ?? null, password);
      return right && user?.isActive ? user : null;
    },
    async namesOf(ids) {
      const found = await users
        .find({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }, { username: 1 })
        .lean<Pick<UserRecord, '_id' | 'username'>[]>();
      return new Map(found.map(({ _id, username }) => [_id.toHexString(), username]));
    },
    async hasAdmin() {
      return (await users.exists({ isAdmin: true })) !== null;
    },
  };
}

/** What the audit calls those who are no user, and its own runs: nobody may look like them. */
const reservedNames: ReadonlySet<string> = new Set([...namelessActors, 'schedule']);

function taken(): PublicError {
  return new PublicError('username-taken', { details: { username: ['This username is already taken.'] } });
}
