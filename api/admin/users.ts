import { type Model, type QueryFilter, Types } from 'mongoose';
import type { AdminUser, BotUserStats } from '../../common/admin/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Actor } from '../audit/service.ts';
import type { TelegramLinks } from '../telegram/links.ts';
import type { AdminRights } from '../users/admin-rights.ts';
import { type UserRecord, usernameKey } from '../users/model.ts';
import type { Wallets } from '../wallet/service.ts';

/** Sorts after every string with the same prefix, in the byte order of MongoDB. */
const LAST_CHARACTER = '\u{10FFFF}';
/** Prefix of a chat id; other searches need not query the chats. */
const CHAT_ID_PREFIX = /^-?\d{1,20}$/;
/** Limit of users found by their chat; a longer prefix finds the others. */
const MAX_FOUND_BY_CHAT = 1_000;

export interface UserListQuery {
  /** Prefix of a username or of a chat id. */
  q?: string | undefined;
  limit: number;
  skip: number;
}

/** Administration of users. */
export type UserAdmin = ReturnType<typeof createUserAdmin>;

export function createUserAdmin(deps: {
  model: Model<UserRecord>;
  rights: AdminRights;
  wallets: Pick<Wallets, 'addressesOf'>;
  links: Pick<TelegramLinks, 'countLinked' | 'countActive' | 'ofUsers' | 'usersByChatIdPrefix'>;
  adminActions: Pick<AdminActions, 'record'>;
}) {
  const { model, rights, wallets, links, adminActions } = deps;

  async function present(records: readonly UserRecord[]): Promise<AdminUser[]> {
    const ids = records.map(({ _id }) => _id.toHexString());
    const [chats, addresses] = await Promise.all([links.ofUsers(ids), wallets.addressesOf(ids)]);
    return records.map((record) => {
      const id = record._id.toHexString();
      return presentUser(record, chats.get(id)?.chatId, addresses.get(id));
    });
  }

  /** Indexes: usernameKey, and `_id` for users found by their chat. */
  async function matching(q: string): Promise<QueryFilter<UserRecord>> {
    const prefix = usernameKey(q);
    const byName = { usernameKey: { $gte: prefix, $lt: prefix + LAST_CHARACTER } };
    const ids = CHAT_ID_PREFIX.test(q) ? await links.usersByChatIdPrefix(q, MAX_FOUND_BY_CHAT) : [];
    return ids.length === 0 ? byName : { $or: [byName, { _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }] };
  }

  return {
    /** Returns a page of users, newest first, and the number of matches. */
    async list({ q = '', limit, skip }: UserListQuery): Promise<{ users: AdminUser[]; total: number }> {
      const filter = q === '' ? {} : await matching(q);
      // Index { createdAt: -1, _id: -1 } without `q`; the matches of a search are sorted in memory.
      const read = model
        .find(filter)
        .sort({ createdAt: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .lean<UserRecord[]>()
        .exec();
      // Index { _id: 1 } without `q`: the collection's own count is wrong after a crash of MongoDB.
      const count = q === '' ? model.countDocuments().hint({ _id: 1 }) : model.countDocuments(filter);
      const [records, total] = await Promise.all([read, count.exec()]);
      return { users: await present(records), total };
    },
    /** Grants or withdraws administrator rights. Throws `not-found`, `last-admin` and `too-many-requests`. */
    async setAdmin(id: string, isAdmin: boolean, by: Actor): Promise<AdminUser> {
      const { user } = isAdmin
        ? await rights.grant(id, () => adminActions.record('admin-granted', by, id))
        : await rights.withdraw(id, () => adminActions.record('admin-revoked', by, id));
      const [presented] = await present([user]);
      return presented ?? presentUser(user, undefined, undefined);
    },
    async stats(): Promise<BotUserStats> {
      const [telegramUsers, activeUsers, totalUsers] = await Promise.all([
        links.countLinked(),
        links.countActive(),
        model.countDocuments().hint({ _id: 1 }).exec(),
      ]);
      return { telegramUsers, totalUsers, activeUsers };
    },
  };
}

/** Returns a user as administrators see it, without `telegramId` and `walletAddress` where there is none. */
function presentUser(record: UserRecord, telegramId: string | undefined, walletAddress: string | undefined): AdminUser {
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
