import type { AdminUser } from '../../common/admin/model.ts';
import type { UserRecord } from '../users/model.ts';

/** A user as administrators see them; `telegramId` and `walletAddress` are left out of users who have none. */
export function presentAdminUser(
  record: UserRecord,
  telegramId: string | undefined,
  walletAddress: string | undefined,
): AdminUser {
  return {
    id: record._id.toHexString(),
    username: record.username,
    isAdmin: record.isAdmin,
    isActive: record.isActive,
    ...(telegramId === undefined ? {} : { telegramId }),
    ...(walletAddress === undefined ? {} : { walletAddress }),
    createdAt: record.createdAt.toISOString(),
  };
}
