import { createHash, randomBytes } from 'node:crypto';
import { type Connection, type Model, type QueryFilter, Schema, Types } from 'mongoose';
import { LINK_CODE_MS, type TelegramLink } from '../../common/telegram/model.ts';
import type { Clock } from '../../common/time.ts';
import type { Actor, Audit } from '../audit/service.ts';
import type { EventSink } from '../events/bus.ts';
import { createLimiter, type Limits } from '../http/limits/rate-limits.ts';
import { ensureIndexes, isDuplicateKey } from '../platform/database.ts';
import type { UserRecord } from '../users/model.ts';
import type { Users } from '../users/service.ts';

/** The private chat linked to an account: one for each account, and one account for each chat. */
export interface TelegramLinkRecord {
  /** The user's. */
  _id: Types.ObjectId;
  /** Telegram's id of the chat; as text, because it may not fit into a double. */
  chatId: string;
  telegramUserId: string;
  /** Username of the Telegram account without the @; null without one. */
  username: string | null;
  linkedAt: Date;
  /** When the chat stopped accepting messages; null while it accepts them. */
  goneAt: Date | null;
}

/** A code that links the chat sending it to the user's account. A user has one at most. */
interface LinkCodeRecord {
  /** The user's. */
  _id: Types.ObjectId;
  /** SHA-256 of the code, hexadecimal, so that a reader of the database can't use it. */
  codeHash: string;
  /** TTL. */
  expiresAt: Date;
}

const linkSchema = new Schema<TelegramLinkRecord>(
  {
    chatId: { type: String, required: true },
    telegramUserId: { type: String, required: true },
    username: { type: String, default: null },
    linkedAt: { type: Date, required: true },
    goneAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'telegramLinks' },
);
// The account of a chat, and chats by the first digits of their id.
linkSchema.index({ chatId: 1 }, { unique: true });
// The chats that accept messages.
linkSchema.index({ goneAt: 1 });

const codeSchema = new Schema<LinkCodeRecord>(
  { codeHash: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { versionKey: false, collection: 'telegramLinkCodes' },
);
codeSchema.index({ codeHash: 1 }, { unique: true });
codeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

interface TelegramModels {
  links: Model<TelegramLinkRecord>;
  codes: Model<LinkCodeRecord>;
}

export function telegramModels(connection: Connection): TelegramModels {
  return {
    links: connection.model<TelegramLinkRecord>('TelegramLink', linkSchema),
    codes: connection.model<LinkCodeRecord>('TelegramLinkCode', codeSchema),
  };
}

/** Address in the audit for actions from a chat. */
export const FROM_TELEGRAM = 'telegram';

/** A private chat, with the identifiers of Telegram. */
export interface PrivateChat {
  chatId: string;
  telegramUserId: string;
  username: string | null;
}

/** Result of a link code sent by a chat. `other-account`: the chat is linked to another account until it is unlinked. */
type Redeemed = { linked: UserRecord } | { refused: 'unknown-code' | 'other-account' | 'inactive' };

interface LinkDeps {
  connection: Connection;
  users: Pick<Users, 'findActive'>;
  audit: Pick<Audit, 'record'>;
  bus: EventSink;
  clock: Clock;
  limits: Limits;
}

export type TelegramLinks = Awaited<ReturnType<typeof openTelegramLinks>>;

/** Opens the links between chats and accounts of this database, and creates their indexes. User ids are hexadecimal. */
export async function openTelegramLinks(deps: LinkDeps) {
  const { connection, audit, bus, clock, limits } = deps;
  const models = telegramModels(connection);
  const { links, codes } = models;
  await ensureIndexes(links);
  await ensureIndexes(codes);
  const codesPerUser = await createLimiter(connection, 'telegram-code', limits.telegramCodePerUser);
  const triesPerChat = await createLimiter(connection, 'telegram-try', limits.telegramTryPerChat);
  const { byUser, ...queries } = createLinkQueries(links);

  async function setGone(filter: QueryFilter<TelegramLinkRecord>, goneAt: Date | null): Promise<void> {
    const link = await links
      .findOneAndUpdate(filter, { $set: { goneAt } }, { returnDocument: 'after' })
      .lean<TelegramLinkRecord>();
    if (link) bus.emit('telegram-link-changed', { userId: link._id.toHexString(), link: presentLink(link) });
  }

  return {
    ...queries,
    of: async (userId: string) => presentLink(await byUser(userId)),
    /** Creates a code for this user; an earlier one becomes invalid. Throws `too-many-requests`. */
    async newCode(userId: string): Promise<{ code: string; expiresAt: Date }> {
      await codesPerUser.count(userId);
      const code = newLinkCode(randomBytes);
      const expiresAt = new Date(clock.now() + LINK_CODE_MS);
      const record = { codeHash: linkCodeHash(code), expiresAt };
      await codes.updateOne({ _id: new Types.ObjectId(userId) }, { $set: record }, { upsert: true });
      return { code, expiresAt };
    },
    /** Links the chat to the account of the code and uses the code up. Throws `too-many-requests`. */
    async redeem(code: string, chat: PrivateChat): Promise<Redeemed> {
      await triesPerChat.count(chat.chatId);
      return redeem(code, chat, queries.byChat, { ...deps, models });
    },
    /** Resolves with false when there was no link. */
    async unlink(userId: string, by: Actor): Promise<boolean> {
      const link = await byUser(userId);
      // An unused code would link a chat again.
      await codes.deleteOne({ _id: new Types.ObjectId(userId) });
      if (!link) return false;
      await audit.record('telegram-unlinked', by, userId, auditName(link));
      await links.deleteOne({ _id: link._id });
      bus.emit('telegram-link-changed', { userId, link: presentLink(null) });
      return true;
    },
    /** Stores that the chat accepts no messages: it blocked the bot or was deleted. */
    markGone: (chatId: string) => setGone({ chatId, goneAt: null }, new Date(clock.now())),
    /** Stores that the chat accepts messages again. */
    markBack: (chatId: string) => setGone({ chatId, goneAt: { $ne: null } }, null),
  };
}

/** Reads of the links. User ids are hexadecimal. */
function createLinkQueries(links: Model<TelegramLinkRecord>) {
  return {
    byUser: (userId: string) => links.findById(new Types.ObjectId(userId)).lean<TelegramLinkRecord>().exec(),
    /** Returns the links of these users by user id; users without a link are missing. */
    async ofUsers(userIds: readonly string[]): Promise<Map<string, TelegramLinkRecord>> {
      const ids = userIds.map((id) => new Types.ObjectId(id));
      const found = await links.find({ _id: { $in: ids } }).lean<TelegramLinkRecord[]>();
      return new Map(found.map((link) => [link._id.toHexString(), link]));
    },
    // Unique index { chatId: 1 }.
    byChat: (chatId: string) => links.findOne({ chatId }).lean<TelegramLinkRecord>().exec(),
    /** Returns the ids of at most `limit` users whose chat id begins with these digits. */
    async usersByChatIdPrefix(prefix: string, limit: number): Promise<string[]> {
      if (!/^-?\d{1,20}$/.test(prefix)) return [];
      // A range of the index { chatId: 1 }: ':' is the character after '9'.
      const found = await links
        .find({ chatId: { $gte: prefix, $lt: `${prefix}:` } }, { _id: 1 })
        .limit(limit)
        .lean<{ _id: Types.ObjectId }[]>();
      return found.map(({ _id }) => _id.toHexString());
    },
    countLinked: () => links.countDocuments().hint({ _id: 1 }).exec(),
    /** Returns the number of linked chats that accept messages. Index { goneAt: 1 }. */
    countActive: () => links.countDocuments({ goneAt: null }).exec(),
    /** Returns the chats of active users that accept messages. Index { goneAt: 1 }, then users by _id. */
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

async function redeem(
  code: string,
  chat: PrivateChat,
  byChat: ReturnType<typeof createLinkQueries>['byChat'],
  { users, audit, bus, clock, models: { links, codes } }: LinkDeps & { models: TelegramModels },
): Promise<Redeemed> {
  const now = new Date(clock.now());
  // Unique index { codeHash: 1 }. The TTL index removes expired codes late.
  const filter = { codeHash: linkCodeHash(code), expiresAt: { $gt: now } };
  const found = await codes.findOne(filter).lean();
  if (!found) return { refused: 'unknown-code' };
  const userId = found._id.toHexString();
  const before = await byChat(chat.chatId);
  // Before the code is used up, so that it is still valid after /unlink.
  if (before && before._id.toHexString() !== userId) return { refused: 'other-account' };
  const user = await users.findActive(userId);
  if (!user) return { refused: 'inactive' };
  const { deletedCount } = await codes.deleteOne(filter);
  if (deletedCount === 0) return { refused: 'unknown-code' };
  const record = { ...chat, linkedAt: now, goneAt: null };
  // Audited first: an interruption leaves an entry too many, never a link without an entry.
  await audit.record('telegram-linked', { user, address: FROM_TELEGRAM }, userId, auditName(chat));
  try {
    await links.updateOne({ _id: user._id }, { $set: record }, { upsert: true });
  } catch (error) {
    // Another account linked this chat at the same time.
    if (isDuplicateKey(error)) return { refused: 'other-account' };
    throw error;
  }
  bus.emit('telegram-link-changed', { userId, link: presentLink({ _id: user._id, ...record }) });
  return { linked: user };
}

/** Name of a chat in the audit. */
function auditName({ username, chatId }: Pick<PrivateChat, 'username' | 'chatId'>): string {
  return username === null ? `chat ${chatId}` : `@${username}`;
}

/** Presents a user's link to their tabs; null: no chat is linked. */
function presentLink(link: TelegramLinkRecord | null): TelegramLink {
  if (!link) return { linked: null };
  const { username, linkedAt, goneAt } = link;
  return { linked: { username, linkedAt: linkedAt.toISOString(), gone: goneAt !== null } };
}

/** Without letters and digits that look alike. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
/** 5 bits each, 80 bits together: not to be guessed within ten minutes. */
const LENGTH = 16;
const CODE_IN_TEXT = new RegExp(`\\b[${ALPHABET}]{${LENGTH}}\\b`, 'gi');
/** Matches a private key that was sent to the wrong place. */
const LONG_RUN = /[A-Za-z0-9+/=_-]{60,}/g;
/** Matches a private key in the form of wallet files: its bytes. */
const BYTES = /(?:\[\s*)?(?:\d{1,3}\s*,\s*){31,}\d{1,3}(?:\s*\])?/g;
/** Matches a recovery phrase: at least 12 words of the usual length in a row. */
const PHRASE = /\b(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\b/gi;
const MASK = '••••';

/** Returns a new code. `bytes` returns random bytes. */
export function newLinkCode(bytes: (length: number) => Uint8Array): string {
  return Array.from(bytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
}

/** Returns the stored form of a code. Case is ignored, because people type codes. */
export function linkCodeHash(code: string): string {
  return createHash('sha256').update(code.trim().toUpperCase()).digest('hex');
}

/** Masks link codes, private keys and recovery phrases in a message that administrators may read. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/^(\/start(?:@\w+)?\s+)\S.*$/is, `$1${MASK}`)
    .replace(CODE_IN_TEXT, MASK)
    .replace(LONG_RUN, MASK)
    .replace(BYTES, MASK)
    .replace(PHRASE, MASK);
}
