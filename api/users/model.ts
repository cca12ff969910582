import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { visibleName } from '../../common/auth/username.ts';
import { FIRST_LEVEL, FIRST_MAGIC_POINTS } from '../../common/users/model.ts';

/** A stored user. */
export interface UserRecord {
  _id: Types.ObjectId;
  /** As typed at registration. */
  username: string;
  /** Unique form of the name: see `usernameKey`. */
  usernameKey: string;
  /** argon2id, PHC string. */
  passwordHash: string;
  isAdmin: boolean;
  /** Number of changes of `isAdmin`, see admin-rights.ts; missing until the first. */
  rightsVersion?: number;
  /** An inactive user can't sign in, and their open sessions are invalid. */
  isActive: boolean;
  /** Used by the legacy calls. */
  level: number;
  magicPoints: number;
  createdAt: Date;
  /** Two-step login; missing while it is off. */
  secondFactor?: SecondFactorRecord;
  /** A new secret that no code has confirmed yet. */
  secondFactorSetup?: { sealed: string; at: Date };
}

/** State of two-step login (`api/auth/second-factor`). */
interface SecondFactorRecord {
  /** Secret of the app, sealed for the user. */
  sealed: string;
  since: Date;
  /** Number of the 30-second step of the last accepted code: neither it nor an earlier one is accepted again. */
  lastStep: number;
  /** Hashes of the unused recovery codes. */
  recovery: string[];
}

const userSchema = new Schema<UserRecord>(
  {
    username: { type: String, required: true },
    usernameKey: { type: String, required: true },
    passwordHash: { type: String, required: true },
    isAdmin: { type: Boolean, required: true },
    rightsVersion: Number,
    isActive: { type: Boolean, required: true },
    level: { type: Number, default: FIRST_LEVEL },
    magicPoints: { type: Number, default: FIRST_MAGIC_POINTS },
    createdAt: { type: Date, required: true },
    secondFactor: new Schema<SecondFactorRecord>(
      {
        sealed: { type: String, required: true },
        since: { type: Date, required: true },
        lastStep: { type: Number, required: true },
        recovery: { type: [String], required: true },
      },
      { _id: false },
    ),
    secondFactorSetup: new Schema(
      { sealed: { type: String, required: true }, at: { type: Date, required: true } },
      { _id: false },
    ),
  },
  { versionKey: false, collection: 'users' },
);
userSchema.index({ usernameKey: 1 }, { unique: true });
// Newest first.
userSchema.index({ createdAt: -1, _id: -1 });
// Finds administrators.
userSchema.index({ isAdmin: 1 }, { partialFilterExpression: { isAdmin: true } });
// Counts users who can't sign in.
userSchema.index({ isActive: 1 }, { partialFilterExpression: { isActive: false } });

export function userModel(connection: Connection): Model<UserRecord> {
  return connection.model<UserRecord>('User', userSchema);
}

/** Returns the unique key of a name, which ignores letter case and compatibility forms (full width, ligatures). */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

/** Returns the key for limiting logins. Names that differ only in invisible characters share it. */
export function loginKey(username: string): string {
  return usernameKey(visibleName(username));
}
