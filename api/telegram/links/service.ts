import { randomBytes } from 'node:crypto';
import { type Connection, type QueryFilter, Types } from 'mongoose';
import { LINK_CODE_MS, type TelegramLink } from '../../../common/telegram/model.ts';
import type { Clock } from '../../../common/time.ts';
import type { Actor, Audit } from '../../audit/service.ts';
import type { EventSink } from '../../events/bus.ts';
import { createLimiter, type Limiter, type Limits } from '../../http/rate-limits.ts';
import { ensureIndexes, isDuplicateKey } from '../../platform/database.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Users } from '../../users/service.ts';
import { presentLink } from '../present.ts';
import { linkCodeHash, newLinkCode } from './link-code.ts';
import { type TelegramLinkRecord, type TelegramModels, telegramModels } from './model.ts';

/** What the audit has for an address when something was asked for in a chat. */
export const FROM_TELEGRAM = 'telegram';

/** A private chat, as Telegram names it. */
export interface PrivateChat {
  chatId: string;
  telegramUserId: string;
  username: string | null;
}

/** What came of a link code that a chat sent. `other-account`: this chat belongs to somebody else until it is unlinked. */
export type Redeemed = { linked: UserRecord } | { refused: 'unknown-code' | 'other-account' | 'inactive' };

/** Which chats belong to which accounts. User ids are hexadecimal strings. */
export interface TelegramLinks {
  of(userId: string): Promise<TelegramLink>;
  /** The links of these users, by user id; those without one are missing. */
  ofUsers(userIds: readonly string[]): Promise<Map<string, TelegramLinkRecord>>;
  byChat(chatId: string): Promise<TelegramLinkRecord | null>;
  /** Ids of the users whose chat id begins with these digits, `limit` at most. */
  usersByChatIdPrefix(prefix: string, limit: number): Promise<string[]>;
  countLinked(): Promise<number>;
  /** Linked chats that take messages. */
  countActive(): Promise<number>;
  /** The chats that take messages, of active users. */
  activeChats(): Promise<{ userId: string; chatId: string }[]>;
  /** A new code for this user; the one before is no longer good. Throws `too-many-requests`. */
  newCode(userId: string): Promise<{ code: string; expiresAt: Date }>;
  /** Ties the chat to the account of the code, which is used up by it. Throws `too-many-requests`. */
  redeem(code: string, chat: PrivateChat): Promise<Redeemed>;
  /** False when there was nothing to unlink. */
  unlink(userId: string, by: Actor): Promise<boolean>;
  /** The chat takes no more messages: the bot was blocked, or the chat deleted. */
  markGone(chatId: string): Promise<void>;
  /** The chat takes messages again. */
  markBack(chatId: string): Promise<void>;
  /** `listener` is called when a chat has been linked or unlinked, or has gone or come back. */
  onChange(listener: () => void): void;
}

interface LinkDeps {
  connection: Connection;
  users: Pick<Users, 'findActive'>;
  audit: Audit;
  bus: EventSink;
  clock: Clock;
  limits: Limits;
}

/** The links of this database, with its indexes made. */
export async function openTelegramLinks(deps: LinkDeps): Promise<TelegramLinks> {
  const models = telegramModels(deps.connection);
  await ensureIndexes(models.links);
  await ensureIndexes(models.codes);
  const codesPerUser = await createLimiter(deps.connection, 'telegram-code', deps.limits.telegramCodePerUser);
  const triesPerChat = await createLimiter(deps.connection, 'telegram-try', deps.limits.telegramTryPerChat);
  return createTelegramLinks({ ...deps, models, codesPerUser, triesPerChat });
}

type CreateDeps = Omit<LinkDeps, 'connection' | 'limits'> & {
  models: Pick<TelegramModels, 'links' | 'codes'>;
  codesPerUser: Pick<Limiter, 'count'>;
  triesPerChat: Pick<Limiter, 'count'>;
};

export function createTelegramLinks(deps: CreateDeps): TelegramLinks {
  const { users, audit, bus, clock, codesPerUser, triesPerChat } = deps;
  const { links, codes } = deps.models;
  const listeners: (() => void)[] = [];

  // By _id.
  const linkOf = (userId: string) => links.findById(new Types.ObjectId(userId)).lean<TelegramLinkRecord>().exec();
  // Unique index { chatId: 1 }.
  const byChat = (chatId: string) => links.findOne({ chatId }).lean<TelegramLinkRecord>().exec();

  function changed(userId: string, link: TelegramLinkRecord | null): void {
    bus.emit('telegram-link-changed', { userId, link: presentLink(link) });
    for (const listener of listeners) listener();
  }

  async function redeem(code: string, chat: PrivateChat): Promise<Redeemed> {
    await triesPerChat.count(chat.chatId);
    const now = new Date(clock.now());
    // Unique index { codeHash: 1 }. The TTL sweeps late.
    const filter = { codeHash: linkCodeHash(code), expiresAt: { $gt: now } };
    const found = await codes.findOne(filter).lean();
    if (!found) return { refused: 'unknown-code' };
    const userId = found._id.toHexString();
    const before = await byChat(chat.chatId);
    // Before the code is used up: it is still good after /unlink.
    if (before && before._id.toHexString() !== userId) return { refused: 'other-account' };
    const user = await users.findActive(userId);
    if (!user) return { refused: 'inactive' };
    const { deletedCount } = await codes.deleteOne(filter);
    if (deletedCount === 0) return { refused: 'unknown-code' };
    const record = { ...chat, linkedAt: now, goneAt: null };
    // On record first: what ends this in between leaves a record too many, and never a link without one.
    await audit.record('telegram-linked', { user, address: FROM_TELEGRAM }, userId, nameOf(chat));
    try {
      await links.updateOne({ _id: user._id }, { $set: record }, { upsert: true });
    } catch (error) {
      // Another account took this chat just now.
      if (isDuplicateKey(error)) return { refused: 'other-account' };
      throw error;
    }
    changed(userId, { _id: user._id, ...record });
    return { linked: user };
  }

  async function setGone(filter: QueryFilter<TelegramLinkRecord>, goneAt: Date | null): Promise<void> {
    const link = await links
      .findOneAndUpdate(filter, { $set: { goneAt } }, { returnDocument: 'after' })
      .lean<TelegramLinkRecord>();
    if (link) changed(link._id.toHexString(), link);
  }

  return {
    of: async (userId) => presentLink(await linkOf(userId)),
    async ofUsers(userIds) {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      const found = await links.find({ _id: { $in: ids } }).lean<TelegramLinkRecord[]>();
      return new Map(found.map((link) => [link._id.toHexString(), link]));
    },
    byChat,
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
    async activeChats() {
      // Index { goneAt: 1 }, then users by _id.
      return links.aggregate<{ userId: string; chatId: string }>([
        { $match: { goneAt: null } },
        { $lookup: { from: 'users', localField: '_id', foreignField: '_id', as: 'user' } },
        { $match: { 'user.isActive': true } },
        { $project: { _id: 0, userId: { $toString: '$_id' }, chatId: 1 } },
      ]);
    },
    async newCode(userId) {
      await codesPerUser.count(userId);
      const code = newLinkCode(randomBytes);
      const expiresAt = new Date(clock.now() + LINK_CODE_MS);
      const record = { codeHash: linkCodeHash(code), expiresAt };
      await codes.updateOne({ _id: new Types.ObjectId(userId) }, { $set: record }, { upsert: true });
      return { code, expiresAt };
    },
    redeem,
    async unlink(userId, by) {
      const link = await linkOf(userId);
      // A code that waits to be used would tie a chat again.
      await codes.deleteOne({ _id: new Types.ObjectId(userId) });
      if (!link) return false;
      await audit.record('telegram-unlinked', by, userId, nameOf(link));
      await links.deleteOne({ _id: link._id });
      changed(userId, null);
      return true;
    },
    markGone: (chatId) => setGone({ chatId, goneAt: null }, new Date(clock.now())),
    markBack: (chatId) => setGone({ chatId, goneAt: { $ne: null } }, null),
    onChange: (listener) => void listeners.push(listener),
  };
}

/** How the audit names a chat. */
function nameOf({ username, chatId }: Pick<PrivateChat, 'username' | 'chatId'>): string {
  return username === null ? `chat ${chatId}` : `@${username}`;
}
