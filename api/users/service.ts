import { type Connection, Types } from 'mongoose';
import type { Credentials } from '../../common/auth/model.ts';
import { usernameProblem } from '../../common/auth/username.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { FIRST_LEVEL, FIRST_MAGIC_POINTS } from '../../common/users/model.ts';
import type { EventSink } from '../events/bus.ts';
import { ensureIndexes, isDuplicateKey } from '../platform/database.ts';
import { loginKey, type UserRecord, userModel, usernameKey } from './model.ts';
import { createPasswords, type PasswordHash } from './passwords.ts';
import { createProgress, type Progress } from './progress.ts';
import { isActorName, isOfficialName } from './reserved-names.ts';
import { requireStrongPassword } from './weak-passwords.ts';

interface CreateOptions {
  isAdmin?: boolean;
  isTrusted?: boolean;
  id?: Types.ObjectId;
}

export interface Users {
  /** Finds an active user by id. */
  findActive(id: string): Promise<UserRecord | null>;
  /** Finds a user by id, active or not. */
  findById(id: string): Promise<UserRecord | null>;
  /** Finds a user by the name as it is stored, or else as it would be stored today. */
  findByName(username: string): Promise<UserRecord | null>;
  /** Finds an active user by name and password. */
  findByPassword(credentials: Credentials): Promise<UserRecord | null>;
  /**
   * Creates a user; `id` for a caller that has to know it beforehand. `isTrusted`: the operator chose the name, which may look
   * official, as that of an administrator may. Throws `username-taken`, and `invalid-input` for a deceptive name or a weak
   * password.
   */
  create(credentials: Credentials, options?: CreateOptions): Promise<UserRecord>;
  /**
   * Replaces the password. Sessions that began with the previous one go on. `previousHash`: resolves with false, without a
   * change, when the stored hash is another one by now.
   */
  setPassword(id: Types.ObjectId, password: string, previousHash?: string): Promise<boolean>;
  hasAdmin(): Promise<boolean>;
  /** Returns usernames by user id; unknown ids are left out. */
  namesOf(ids: readonly string[]): Promise<Map<string, string>>;
  progress: Progress;
}

/**
 * Opens the users of this database and creates their indexes. `bus`: omitted by commands that run beside the server.
 * `passwordHash`: default argon2.
 */
export async function openUsers(
  connection: Connection,
  clock: Clock,
  bus?: EventSink,
  passwordHash?: PasswordHash,
): Promise<Users> {
  const users = userModel(connection);
  await ensureIndexes(users);
  const passwords = await createPasswords(passwordHash);

  async function findByName(username: string): Promise<UserRecord | null> {
    // Names from before the present rules are stored with their invisible characters, others without. Index { usernameKey: 1 }.
    const keys = [usernameKey(username), loginKey(username)];
    const found = await users.find({ usernameKey: { $in: keys } }).lean<UserRecord[]>();
    return found.find((user) => user.usernameKey === keys[0]) ?? found[0] ?? null;
  }

  return {
    findByName,
    progress: createProgress(users),
    findById: (id) => users.findById(id).lean<UserRecord>().exec(),
    async findActive(id) {
      if (!Types.ObjectId.isValid(id)) return null;
      return users.findOne({ _id: new Types.ObjectId(id), isActive: true }).lean<UserRecord>();
    },
    async findByPassword({ username, password }) {
      const user = await findByName(username);
      const isRight = await passwords.verify(user?.passwordHash ?? null, password);
      return isRight && user?.isActive ? user : null;
    },
    async create({ username, password }, { isAdmin = false, isTrusted = false, id = new Types.ObjectId() } = {}) {
      requireUsername(username, isAdmin || isTrusted);
      requireStrongPassword({ username, password });
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
        if (isDuplicateKey(error)) throw usernameTaken();
        throw error;
      }
      bus?.emit('user-created', { userId: id.toHexString() });
      return record;
    },
    async setPassword(_id, password, previousHash) {
      const unchanged = previousHash === undefined ? {} : { passwordHash: previousHash };
      const passwordHash = await passwords.hash(password);
      const { matchedCount } = await users.updateOne({ _id, ...unchanged }, { $set: { passwordHash } });
      return matchedCount === 1;
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

/** Throws unless a new user may have this name: no user may imitate an actor of the audit log, and only trusted ones the operator. */
function requireUsername(username: string, isTrusted: boolean): void {
  if (isActorName(username) || (!isTrusted && isOfficialName(username))) throw usernameTaken();
  const problem = isTrusted ? null : usernameProblem(username);
  if (problem !== null) throw new PublicError('invalid-input', { text: problem, details: { username: [problem] } });
}

function usernameTaken(): PublicError {
  return new PublicError('username-taken', { details: { username: ['This username is already taken.'] } });
}
