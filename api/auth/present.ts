import type { SessionUser } from '../../common/auth/model.ts';
import type { UserRecord } from '../users/model.ts';

export function presentSessionUser(user: UserRecord): SessionUser {
  return { id: user._id.toHexString(), username: user.username, isAdmin: user.isAdmin };
}
