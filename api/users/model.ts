import { type Connection, type Model, Schema, type Types } from 'mongoose';
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
  /** Used by the legacy calls; users of an earlier version have neither: see `levelOf` and `magicPointsOf`. */
  level?: number;
  magicPoints?: number;
  createdAt: Date;
}

export function levelOf({ level = FIRST_LEVEL }: Pick<UserRecord, 'level'>): number {
  return level;
}

export function magicPointsOf({ magicPoints = FIRST_MAGIC_POINTS }: Pick<UserRecord, 'magicPoints'>): number {
  return magicPoints;
}

const userSchema = new Schema<UserRecord>(
  {
    username: { type: String, required: true },
    usernameKey: { type: String, required: true },
    passwordHash: { type: String, required: true },
    isAdmin: { type: Boolean, required: true },
    rightsVersion: Number,
    isActive: { type: Boolean, required: true },
    level: Number,
    magicPoints: Number,
    createdAt: { type: Date, required: true },
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

/** Returns the key by which names are unique: letter case and compatibility forms (full width, ligatures) are ignored. */
export function usernameKey(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}
