import type { User } from '../../common/users/model.ts';
import { levelOf, magicPointsOf, type UserRecord } from './model.ts';

/** Presents a user without password and key. `walletAddress`: of their current wallet. */
export function presentUser(record: UserRecord, walletAddress: string | null): User {
  return {
    id: record._id.toHexString(),
    username: record.username,
    isAdmin: record.isAdmin,
    isActive: record.isActive,
    level: levelOf(record),
    magicPoints: magicPointsOf(record),
    walletAddress,
    createdAt: record.createdAt.toISOString(),
  };
}
