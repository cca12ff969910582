import { type Connection, Types } from 'mongoose';
import type { Credentials } from '../../common/auth/model.ts';
import { usernameProblem } from '../../common/auth/username.ts';
import { PublicError } from '../../common/errors.ts';
import type { Clock } from '../../common/time.ts';
import { FIRST_LEVEL, FIRST_MAGIC_POINTS } from '../../common/users/model.ts';
import { StartError } from '../config/config.ts';
import type { EventSink } from '../events/bus.ts';
import { ensureIndexes, unlessDuplicate } from '../platform/database.ts';
import { loginKey, type UserRecord, userModel, usernameKey } from './model.ts';
import { createPasswords, generatePassword, type PasswordHash } from './passwords.ts';
import { createProgress } from './progress.ts';
import { isActorName, isOfficialName } from './reserved-names.ts';
import { requireStrongPassword } from './weak-passwords.ts';

export interface CreateOptions {
  isAdmin?: boolean;
  isTrusted?: boolean;
  id?: Types.ObjectId;
}

export type Users = Awaited<ReturnType<typeof openUsers>>;

/**
 * Opens the users of this database and creates their indexes. `bus`: omitted by commands that run beside the server.
 * `passwordHash`: default argon2.
 */
export async function openUsers(connection: Connection, clock: Clock, bus?: EventSink, passwordHash?: PasswordHash) {
  const users = userModel(connection);
  await ensureIndexes(users);
  const passwords = await createPasswords(passwordHash);

  /** Finds a user by the name as it is stored, or else as it would be stored today. */
  async function findByName(username: string): Promise<UserRecord | null> {
    // Names from before the present rules are stored with their invisible characters, others without. Index { usernameKey: 1 }.
    const keys = [usernameKey(username), loginKey(username)];
    const found = await users.find({ usernameKey: { $in: keys } }).lean<UserRecord[]>();
    return found.find((user) => user.usernameKey === keys[0]) ?? found[0] ?? null;
  }

  return {
    findByName,
    progress: createProgress(users),
    /** Finds a user by id, active or not. */
    findById: (id: string): Promise<UserRecord | null> => users.findById(id).lean<UserRecord>().exec(),
    /** Finds an active user by id. */
    async findActive(id: string): Promise<UserRecord | null> {
      if (!Types.ObjectId.isValid(id)) return null;
      return users.findOne({ _id: new Types.ObjectId(id), isActive: true }).lean<UserRecord>();
    },
    /** Finds an active user by name and password. */
    async findByPassword({ username, password }: Credentials): Promise<UserRecord | null> {
      const user = await findByName(username);
      const isRight = await passwords.verify(user?.passwordHash ?? null, password);
      return isRight && user?.isActive ? user : null;
    },
    /**
     * Creates a user; `id` for a caller that has to know it beforehand. `isTrusted`: the operator chose the name, which may look
     * official, as that of an administrator may. Throws `username-taken`, and `invalid-input` for a deceptive name or a weak
     * password.
     */
    async create(
      { username, password }: Credentials,
      { isAdmin = false, isTrusted = false, id = new Types.ObjectId() }: CreateOptions = {},
    ): Promise<UserRecord> {
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
      if (!(await unlessDuplicate(() => users.create(record)))) throw usernameTaken();
      bus?.emit('user-created', { userId: id.toHexString() });
      return record;
    },
    /**
     * Replaces the password. Sessions that began with the previous one go on. `previousHash`: resolves with false, without a
     * change, when the stored hash is another one by now.
     */
    async setPassword(_id: Types.ObjectId, password: string, previousHash?: string): Promise<boolean> {
      const unchanged = previousHash === undefined ? {} : { passwordHash: previousHash };
      const passwordHash = await passwords.hash(password);
      const { matchedCount } = await users.updateOne({ _id, ...unchanged }, { $set: { passwordHash } });
      return matchedCount === 1;
    },
    /** Returns usernames by user id; unknown ids are left out. */
    async namesOf(ids: readonly string[]): Promise<Map<string, string>> {
      const found = await users
        .find({ _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }, { username: 1 })
        .lean<Pick<UserRecord, '_id' | 'username'>[]>();
      return new Map(found.map(({ _id, username }) => [_id.toHexString(), username]));
    },
    async hasAdmin(): Promise<boolean> {
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

/** Creates the first administrator when there is none. Announces a generated password, once. */
export async function ensureFirstAdmin(
  users: Users,
  wanted: { username: string; password: string | null },
  announce: (line: string) => void,
): Promise<void> {
  if (await users.hasAdmin()) return;
  // A registered user must not become administrator because of the name.
  if (await users.findByName(wanted.username)) {
    throw new StartError(
      `ADMIN_USERNAME "${wanted.username}" is the name of a user who is no administrator; choose another.`,
    );
  }
  const password = wanted.password ?? generatePassword(wanted.username, announce);
  try {
    await users.create({ username: wanted.username, password }, { isAdmin: true });
  } catch (error) {
    const isWeak = error instanceof PublicError && error.code === 'invalid-input';
    throw isWeak ? new StartError(`ADMIN_PASSWORD: ${error.message}`, { cause: error }) : error;
  }
}
