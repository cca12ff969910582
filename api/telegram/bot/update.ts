import { z } from 'zod';
import type { Keyboard } from '../sender.ts';

const personSchema = z.object({
  id: z.int(),
  first_name: z.string().default(''),
  username: z.string().optional(),
});
const chatSchema = z.object({ id: z.int(), type: z.string() });
const keyboardSchema = z
  .object({ inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string() }))) })
  .optional();
const updateSchema = z.object({
  message: z
    .object({ from: personSchema.optional(), chat: chatSchema, date: z.int(), text: z.string().optional() })
    .optional(),
  callback_query: z
    .object({
      id: z.string(),
      from: personSchema,
      /** Missing below a message of an inline query; the bot sends no such messages. */
      message: z.object({
        message_id: z.int(),
        chat: chatSchema,
        text: z.string().optional(),
        reply_markup: keyboardSchema,
      }),
      data: z.string(),
    })
    .optional(),
  my_chat_member: z.object({ chat: chatSchema, new_chat_member: z.object({ status: z.string() }) }).optional(),
});

/** The kinds of updates requested from Telegram. */
export const requestedUpdates = ['message', 'callback_query', 'my_chat_member'];

export interface PrivateMessage {
  kind: 'message';
  chatId: string;
  telegramUserId: string;
  username: string | null;
  firstName: string;
  text: string;
  /** When it was sent, epoch ms. */
  at: number;
}

/** A button below a message of the bot, pressed in a private chat. */
export interface Press {
  kind: 'press';
  chatId: string;
  telegramUserId: string;
  username: string | null;
  /** Needed to answer the press. */
  queryId: string;
  /** The message with the button, as it was when it was pressed. Null text: Telegram no longer has it. */
  message: { id: number; text: string | null; buttons: Keyboard };
  data: string;
}

/** The relevant part of an update. `other`: not for the bot, such as a message in a group. */
export type Incoming = PrivateMessage | Press | { kind: 'blocked' | 'unblocked'; chatId: string } | { kind: 'other' };

/** Parses an update of the Bot API; null when it is invalid. */
export function readUpdate(update: unknown): Incoming | null {
  const parsed = updateSchema.safeParse(update);
  if (!parsed.success) return null;
  const { message, callback_query: query, my_chat_member: member } = parsed.data;
  // In a group every member could act for the account and read its wallet.
  if (message?.chat.type === 'private' && message.from && message.text !== undefined) {
    const { from, chat, text, date } = message;
    const person = { telegramUserId: String(from.id), username: from.username ?? null, firstName: from.first_name };
    return { kind: 'message', chatId: String(chat.id), ...person, text, at: date * 1000 };
  }
  if (query?.message.chat.type === 'private') return pressOf(query);
  if (member?.chat.type === 'private') {
    const kind = member.new_chat_member.status === 'kicked' ? 'blocked' : 'unblocked';
    return { kind, chatId: String(member.chat.id) };
  }
  return { kind: 'other' };
}

function pressOf({ id, from, message, data }: NonNullable<z.infer<typeof updateSchema>['callback_query']>): Press {
  const { message_id, chat, text = null, reply_markup: markup } = message;
  const rows = markup?.inline_keyboard ?? [];
  const buttons = rows.map((row) => row.map((button) => ({ text: button.text, data: button.callback_data })));
  return {
    ...{ kind: 'press', chatId: String(chat.id), telegramUserId: String(from.id), username: from.username ?? null },
    ...{ queryId: id, message: { id: message_id, text, buttons }, data },
  };
}
