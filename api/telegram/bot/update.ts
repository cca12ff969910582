import { z } from 'zod';

const personSchema = z.object({
  id: z.int(),
  first_name: z.string().default(''),
  username: z.string().optional(),
});
const chatSchema = z.object({ id: z.int(), type: z.string() });
const updateSchema = z.object({
  update_id: z.int(),
  message: z
    .object({ from: personSchema.optional(), chat: chatSchema, date: z.int(), text: z.string().optional() })
    .optional(),
  my_chat_member: z.object({ chat: chatSchema, new_chat_member: z.object({ status: z.string() }) }).optional(),
});

/** The kinds of updates requested from Telegram. */
export const requestedUpdates = ['message', 'my_chat_member'];

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

/** The relevant part of an update. `other`: not for the bot, such as a message in a group. */
export type Incoming = PrivateMessage | { kind: 'blocked' | 'unblocked'; chatId: string } | { kind: 'other' };

/** Parses an update of the Bot API; null when it is invalid. */
export function readUpdate(update: unknown): { id: number; incoming: Incoming } | null {
  const parsed = updateSchema.safeParse(update);
  if (!parsed.success) return null;
  const { update_id: id, message, my_chat_member: member } = parsed.data;
  // In a group every member could act for the account and read its wallet.
  if (message?.chat.type === 'private' && message.from && message.text !== undefined) {
    const { from, chat, text, date } = message;
    const person = { telegramUserId: String(from.id), username: from.username ?? null, firstName: from.first_name };
    return { id, incoming: { kind: 'message', chatId: String(chat.id), ...person, text, at: date * 1000 } };
  }
  if (member?.chat.type === 'private') {
    const kind = member.new_chat_member.status === 'kicked' ? 'blocked' : 'unblocked';
    return { id, incoming: { kind, chatId: String(member.chat.id) } };
  }
  return { id, incoming: { kind: 'other' } };
}

/** Returns the id of an update that is otherwise invalid; null without one. */
export function updateIdOf(update: unknown): number | null {
  const parsed = updateSchema.pick({ update_id: true }).safeParse(update);
  return parsed.success ? parsed.data.update_id : null;
}
