import { type Connection, type Model, Schema, type Types } from 'mongoose';

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
export interface LinkCodeRecord {
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

export interface TelegramModels {
  links: Model<TelegramLinkRecord>;
  codes: Model<LinkCodeRecord>;
}

export function telegramModels(connection: Connection): TelegramModels {
  return {
    links: connection.model<TelegramLinkRecord>('TelegramLink', linkSchema),
    codes: connection.model<LinkCodeRecord>('TelegramLinkCode', codeSchema),
  };
}
