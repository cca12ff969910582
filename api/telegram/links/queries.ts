import { type Model, Types } from 'mongoose';
import type { TelegramLinkRecord } from './model.ts';

/** Reads of the links. User ids are hexadecimal. */
export interface LinkQueries {
  byUser(userId: string): Promise<TelegramLinkRecord | null>;
  /** Returns the links of these users by user id; users without a link are missing. */
  ofUsers(userIds: readonly string[]): Promise<Map<string, TelegramLinkRecord>>;
  byChat(chatId: string): Promise<TelegramLinkRecord | null>;
  /** Returns the ids of at most `limit` users whose chat id begins with these digits. */
  usersByChatIdPrefix(prefix: string, limit: number): Promise<string[]>;
  countLinked(): Promise<number>;
  /** Returns the number of linked chats that accept messages. */
  countActive(): Promise<number>;
  /** Returns the chats of active users that accept messages. */
  activeChats(): Promise<{ userId: string; chatId: string }[]>;
}

export function createLinkQueries(links: Model<TelegramLinkRecord>): LinkQueries {
  return {
    byUser: (userId) => links.findById(new Types.ObjectId(userId)).lean<TelegramLinkRecord>().exec(),
    async ofUsers(userIds) {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      const found = await links.find({ _id: { $in: ids } }).lean<TelegramLinkRecord[]>();
      return new Map(found.map((link) => [link._id.toHexString(), link]));
    },
    // Unique index { chatId: 1 }.
    byChat: (chatId) => links.findOne({ chatId }).lean<TelegramLinkRecord>().exec(),
    async usersByChatIdPrefix(prefix, limit) {
      if (!/^-?\d{1,20}$/.test(prefix)) return [];
      // A range of the index { chatId: 1 }: ':' is the character after '9'.
      const found = await links
        .find({ chatId: { $gte: prefix, $lt: `${prefix}:` } }, { _id: 1 })
        .limit(limit)
        .lean<{ _id: Types.ObjectId }[]>();
      return found.map(({ _id }) => _id.toHexString());
    },
    countLinked: () => links.countDocuments().hint({ _id: 1 }).exec(),
    // Index { goneAt: 1 }.
    countActive: () => links.countDocuments({ goneAt: null }).exec(),
    // Index { goneAt: 1 }, then users by _id.
    activeChats: () =>
      links
        .aggregate<{ userId: string; chatId: string }>([
          { $match: { goneAt: null } },
          { $lookup: { from: 'users', localField: '_id', foreignField: '_id', as: 'user' } },
          { $match: { 'user.isActive': true } },
          { $project: { _id: 0, userId: { $toString: '$_id' }, chatId: 1 } },
        ])
        .exec(),
  };
}
