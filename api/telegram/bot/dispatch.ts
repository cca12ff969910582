import type { Logger } from 'pino';
import { errors, isAway, PublicError } from '../../../common/errors.ts';
import { cutMessage } from '../../../common/templates/render.ts';
import { isUnavailable } from '../../platform/database.ts';
import { withTimeout } from '../../platform/resilience.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Users } from '../../users/service.ts';
import { start } from '../commands/account.ts';
import { commands } from '../commands/all.ts';
import { type CommandContext, type CommandLine as ParsedLine, parseCommand, type Reply } from '../commands/command.ts';
import { linkInstructions } from '../commands/text.ts';
import type { TelegramLinkRecord, TelegramLinks } from '../links.ts';
import type { Keyboard } from '../sender.ts';
import { act, outcomeOf } from '../trading/act.ts';
import { stop } from '../trading/stop.ts';
import type { Press, PrivateMessage } from './update.ts';

/** Time limit of a command, ms: a slow one must not delay the next. */
const COMMAND_TIMEOUT = 10_000;
const TOO_SLOW = 'This took too long. Please try again.';
const UNKNOWN_COMMAND = 'Unknown command. /help lists the commands.';
const INVALID_BUTTON = 'This button no longer works.';
/** Shown when the outcome of a press is not known in time: an order may have been made. */
export const NO_OUTCOME = 'No outcome yet. Look at /orders, or press again: that makes no second order.';

export interface DispatchDeps {
  links: Pick<TelegramLinks, 'byChat' | 'markBack' | 'redeem' | 'unlink'>;
  users: Pick<Users, 'findActive'>;
  context: CommandContext;
  /** Counts a reply to a chat without an account, and returns whether it may be sent. */
  mayReplyToStranger(chatId: string): boolean;
  log: Logger;
  /** ms. */
  timeout?: number;
}

/** A reply to a chat. `isStranger`: it has no account. */
export interface ChatReply {
  text: string;
  buttons: Keyboard;
  isStranger: boolean;
}

/**
 * Runs the command of a message. Returns the reply; null: none, because another bot is addressed, or a chat without an account
 * gets no more. Rejects when the database was away for a stop, which must not be lost.
 */
export async function dispatch(
  message: PrivateMessage,
  botUsername: string,
  deps: DispatchDeps,
): Promise<ChatReply | null> {
  const line = parseCommand(message.text, botUsername);
  if (line === 'other-bot') return null;
  const answer = answerTo(message, line, deps).catch((error: unknown): Answer => {
    if (line?.command === stop.command && isDatabaseAway(error)) return { failed: error };
    return { reply: errorText(error, deps.log), isStranger: false };
  });
  const done = await withTimeout(answer, deps.timeout ?? COMMAND_TIMEOUT);
  // A stop comes again: it must not be acknowledged before its effect.
  if (!done && line?.command === stop.command) throw new PublicError('unavailable');
  const value = done ? done.value : { reply: TOO_SLOW, isStranger: false };
  if (value === null) return null;
  if ('failed' in value) throw value.failed;
  const { reply, isStranger } = value;
  const { text, buttons } = typeof reply === 'string' ? { text: reply, buttons: [] } : reply;
  return { text: cutMessage(text), buttons, isStranger };
}

/** Returns whether the database was away, so that the same work may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  return isUnavailable(error) || isAway(error);
}

type CommandLine = Exclude<ParsedLine, 'other-bot'>;
/** Null: no reply. */
type Answer = { reply: Reply; isStranger: boolean } | { failed: unknown } | null;

async function answerTo(message: PrivateMessage, line: CommandLine, deps: DispatchDeps): Promise<Answer> {
  const { links, mayReplyToStranger } = deps;
  const { chatId, telegramUserId } = message;
  const found = await links.byChat(chatId);
  // A private chat has one person; a message of anybody else would be a forgery.
  const link = found?.telegramUserId === telegramUserId ? found : null;
  if (link) return { reply: await replyTo(message, line, link, deps), isStranger: false };
  const mayReply = mayReplyToStranger(chatId);
  // A link code works after anything that the chat has sent.
  if (!mayReply && !(line?.command === start.command && line.args !== '')) return null;
  const reply = await replyTo(message, line, null, deps);
  const isStranger = !(await links.byChat(chatId));
  return mayReply || !isStranger ? { reply, isStranger } : null;
}

async function replyTo(
  message: PrivateMessage,
  line: CommandLine,
  link: TelegramLinkRecord | null,
  { links, users, context }: DispatchDeps,
): Promise<Reply> {
  const command = commands.find((one) => one.command === line?.command);
  if (!command || !line) return UNKNOWN_COMMAND;
  const { chatId, telegramUserId, username } = message;
  // A chat that sends a message accepts messages again, after any failure.
  if (link?.goneAt) await links.markBack(chatId);
  const user: UserRecord | null = link && (await users.findActive(link._id.toHexString()));
  const input = { args: line.args, chat: { chatId, telegramUserId, username } };
  if (link && !user) return 'This account is not active.';
  if (command.access === 'everyone') return command.run({ ...input, user }, context);
  if (!user) return `This needs an account.\n\n${linkInstructions(context.publicUrl)}`;
  return command.run({ ...input, user }, context);
}

/** Outcome of a press. `toast`: shown for a moment. `outcome`: added to the message, whose buttons it used up. */
type PressReply = { toast: string } | { outcome: string };

interface PressDeps extends Pick<DispatchDeps, 'users' | 'log' | 'timeout'> {
  links: Pick<TelegramLinks, 'byChat'>;
  context: Pick<CommandContext, 'confirms' | 'trading'>;
}

/** Does the action of a pressed button. Rejects when the database was away: an order must not be lost. */
export async function answerPress(press: Press, deps: PressDeps): Promise<PressReply> {
  const reply = pressReply(press, deps).catch((error: unknown) =>
    isDatabaseAway(error) ? { failed: error } : { toast: errorText(error, deps.log) },
  );
  const done = await withTimeout(reply, deps.timeout ?? COMMAND_TIMEOUT);
  const value = done?.value ?? { toast: NO_OUTCOME };
  if ('failed' in value) throw value.failed;
  return value;
}

async function pressReply(
  { chatId, telegramUserId, data }: Press,
  { links, users, context: { confirms, trading } }: PressDeps,
): Promise<PressReply> {
  const link = await links.byChat(chatId);
  // A private chat has one person; anybody else's press would be a forgery.
  const user = link?.telegramUserId === telegramUserId ? await users.findActive(link._id.toHexString()) : null;
  if (!user) return { toast: INVALID_BUTTON };
  const userId = user._id.toHexString();
  const press = confirms.press(data, { userId, chatId });
  switch (press.is) {
    case 'pressed':
      return { outcome: await act(press, user, trading) };
    case 'forgotten':
      return { outcome: await outcomeOf(press, userId, trading) };
    case 'answered':
      return { toast: 'This was answered already.' };
    case 'invalid':
      return { toast: INVALID_BUTTON };
  }
}

/** Returns the text for a person about a failure, without its details. */
function errorText(error: unknown, log: Logger): string {
  if (error instanceof PublicError) return error.message;
  if (isUnavailable(error)) return errors.unavailable.text;
  log.error({ error }, 'Telegram command failed');
  return errors.internal.text;
}
