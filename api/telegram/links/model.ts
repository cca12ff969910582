import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** The private chat that is tied to an account: one an account, and one account a chat. */
export interface TelegramLinkRecord {
  /** The user's. */
  _id: Types.ObjectId;
  /** Telegram's number of the chat, which does not fit into a double for sure. */
  chatId: string;
  telegramUserId: string;
  /** Of the Telegram account, without the @; null without one. */
  username: string | null;
  linkedAt: Date;
  /** Since when the chat takes no messages; null while it does. */
  goneAt: Date | null;
}

/** A code that ties the chat which sends it to the user's account. A user has one at most. */
export interface LinkCodeRecord {
  /** The user's. */
  _id: Types.ObjectId;
  /** SHA-256 of the code, hexadecimal: who reads the database can't use it. */
  codeHash: string;
  /** TTL. */
  expiresAt: Date;
}

/** What was handled of what one bot was sent, so that a restart handles nothing twice. */
export interface HandledRecord {
  /** Telegram's id of the bot. */
  _id: string;
  /** The last ones. Not only the highest: after a quiet week Telegram goes on with any number. */
  updateIds: number[];
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
// Whose chat is it, and which begin with these digits.
linkSchema.index({ chatId: 1 }, { unique: true });
// The chats that take messages.
linkSchema.index({ goneAt: 1 });

const codeSchema = new Schema<LinkCodeRecord>(
  { codeHash: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { versionKey: false, collection: 'telegramLinkCodes' },
);
codeSchema.index({ codeHash: 1 }, { unique: true });
codeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

const handledSchema = new Schema<HandledRecord>(
  { _id: { type: String, required: true }, updateIds: { type: [Number], required: true } },
  { versionKey: false, collection: 'telegramHandled' },
);

export interface TelegramModels {
  links: Model<TelegramLinkRecord>;
  codes: Model<LinkCodeRecord>;
  handled: Model<HandledRecord>;
}

export function telegramModels(connection: Connection): TelegramModels {
  return {
    links: connection.model<TelegramLinkRecord>('TelegramLink', linkSchema),
    codes: connection.model<LinkCodeRecord>('TelegramLinkCode', codeSchema),
    handled: connection.model<HandledRecord>('TelegramHandled', handledSchema),
  };
}
