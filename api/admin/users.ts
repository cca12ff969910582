import { type Model, type QueryFilter, Types } from 'mongoose';
import type { AdminUser, BotUserStats } from '../../common/admin/model.ts';
import type { AdminActions } from '../audit/admin-actions.ts';
import type { Actor } from '../audit/service.ts';
import type { Sessions } from '../auth/sessions.ts';
import type { TelegramLinks } from '../telegram/links/service.ts';
import type { Rights } from '../users/admin-rights.ts';
import { type UserRecord, usernameKey } from '../users/model.ts';
import type { Wallets } from '../wallet/service.ts';
import { presentAdminUser } from './present-user.ts';

/** Above every string that begins with the same characters, in the byte order MongoDB compares by. */
const LAST_CHARACTER = '\u{10FFFF}';
/** What a chat id may begin with; no other search needs to ask for chats. */
const CHAT_ID_START = /^-?\d{1,20}$/;
/** Users that are found by their chat; longer beginnings find the others. */
const FOUND_BY_CHAT_MAX = 1_000;

export interface UserListQuery {
  /** The start of a username or of a chat id. */
  q?: string | undefined;
  limit: number;
  skip: number;
}

/** All users, for administrators. */
export interface UserAdmin {
  /** Newest first, and how many match in all. */
  list(query: UserListQuery): Promise<{ users: AdminUser[]; total: number }>;
  /** Grants or withdraws the rights of an administrator. Throws `not-found`, `last-admin` and `too-many-requests`. */
  setAdmin(id: string, isAdmin: boolean, by: Actor): Promise<AdminUser>;
  stats(): Promise<BotUserStats>;
}

export interface UserAdminDeps {
  model: Model<UserRecord>;
  rights: Rights;
  wallets: Pick<Wallets, 'addressesOf'>;
  links: Pick<TelegramLinks, 'countLinked' | 'countActive' | 'ofUsers' | 'usersByChatIdPrefix'>;
  sessions: Pick<Sessions, 'rightsChanged'>;
  adminActions: AdminActions;
}

export function createUserAdmin(deps: UserAdminDeps): UserAdmin {
  const { model, rights, wallets, links, sessions, adminActions } = deps;

  async function present(records: readonly UserRecord[]): Promise<AdminUser[]> {
    const ids = records.map(({ _id }) => _id.toHexString());
    const [chats, addresses] = await Promise.all([links.ofUsers(ids), wallets.addressesOf(ids)]);
    return records.map((record) => {
      const id = record._id.toHexString();
      return presentAdminUser(record, chats.get(id)?.chatId, addresses.get(id));
    });
  }

  /** Index usernameKey, and `_id` for those whose chat it is. */
  async function matching(q: string): Promise<QueryFilter<UserRecord>> {
    const start = usernameKey(q);
    const byName = { usernameKey: { $gte: start, $lt: start + LAST_CHARACTER } };
    const ids = CHAT_ID_START.test(q) ? await links.usersByChatIdPrefix(q, FOUND_BY_CHAT_MAX) : [];
    return ids.length === 0 ? byName : { $or: [byName, { _id: { $in: ids.map((id) => new Types.ObjectId(id)) } }] };
  }

  return {
    async list({ q = '', limit, skip }) {
      const filter = q === '' ? {} : await matching(q);
      // Without `q` index { createdAt: -1, _id: -1 }; the matches of a search are sorted.
      const read = model
        .find(filter)
        .sort({ createdAt: -1, _id: -1 })
        .skip(skip)
        .limit(limit)
        .lean<UserRecord[]>()
        .exec();
      // Without `q` index { _id: 1 }: the collection's own count is wrong after a crash of MongoDB.
      const count = q === '' ? model.countDocuments().hint({ _id: 1 }) : model.countDocuments(filter);
      const [records, total] = await Promise.all([read, count.exec()]);
      return { users: await present(records), total };
    },
    async setAdmin(id, isAdmin, by) {
      const { user, changed } = isAdmin
        ? await rights.grant(id, () => adminActions.record('admin-granted', by, id))
        : await rights.withdraw(id, () => adminActions.record('admin-revoked', by, id));
      if (changed) await sessions.rightsChanged(id);
      const [presented] = await present([user]);
      return presented ?? presentAdminUser(user, undefined, undefined);
    },
    async stats() {
      const [telegramUsers, activeUsers, totalUsers] = await Promise.all([
        links.countLinked(),
        links.countActive(),
        model.countDocuments().hint({ _id: 1 }).exec(),
      ]);
      return { telegramUsers, totalUsers, activeUsers };
    },
  };
}
