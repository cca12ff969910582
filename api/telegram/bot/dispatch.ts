import type { Logger } from 'pino';
import { errors, PublicError } from '../../../common/errors.ts';
import { cutMessage } from '../../../common/templates/render.ts';
import { isUnavailable } from '../../platform/database.ts';
import { withTimeout } from '../../platform/resilience.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Users } from '../../users/service.ts';
import { commands } from '../commands/all.ts';
import { type CommandContext, type CommandLine, parseCommand, type Reply } from '../commands/command.ts';
import { linkInstructions } from '../commands/text.ts';
import type { TelegramLinks } from '../links/service.ts';
import type { Keyboard } from '../sender.ts';
import type { PrivateMessage } from './update.ts';

/** Time limit of a command, ms: a slow one must not delay the next. */
export const COMMAND_TIMEOUT = 10_000;
const TOO_SLOW = 'This took too long. Please try again.';
const UNKNOWN_COMMAND = 'Unknown command. /help lists the commands.';

export interface DispatchDeps {
  links: Pick<TelegramLinks, 'byChat' | 'markBack' | 'redeem' | 'unlink'>;
  users: Pick<Users, 'findActive'>;
  context: CommandContext;
  log: Logger;
  /** ms. */
  timeout?: number;
}

/** Runs the command of a message. Returns the reply; null: none, because another bot is addressed. Never rejects. */
export async function dispatch(
  message: PrivateMessage,
  botUsername: string,
  deps: DispatchDeps,
): Promise<{ text: string; buttons: Keyboard } | null> {
  const line = parseCommand(message.text, botUsername);
  if (line === 'other-bot') return null;
  const reply = replyTo(message, line, deps).catch((error: unknown) => errorText(error, deps.log));
  const done = await withTimeout(reply, deps.timeout ?? COMMAND_TIMEOUT);
  const value = done?.value ?? TOO_SLOW;
  const { text, buttons } = typeof value === 'string' ? { text: value, buttons: [] } : value;
  return { text: cutMessage(text), buttons };
}

async function replyTo(
  message: PrivateMessage,
  line: Exclude<CommandLine, 'other-bot'>,
  { links, users, context }: DispatchDeps,
): Promise<Reply> {
  const command = commands.find((one) => one.command === line?.command);
  if (!command || !line) return UNKNOWN_COMMAND;
  const { chatId, telegramUserId, username } = message;
  const link = await links.byChat(chatId);
  // A chat that sends a message accepts messages again, whatever the last failure was.
  if (link?.goneAt) await links.markBack(chatId);
  const user: UserRecord | null = link && (await users.findActive(link._id.toHexString()));
  const input = { args: line.args, chat: { chatId, telegramUserId, username } };
  if (link && !user) return 'This account is not active.';
  if (command.access === 'everyone') return command.run({ ...input, user }, context);
  if (!user) return `This needs an account.\n\n${linkInstructions(context.publicUrl)}`;
  return command.run({ ...input, user }, context);
}

/** Returns the text for a person about a failure, without its details. */
export function errorText(error: unknown, log: Logger): string {
  if (error instanceof PublicError) return error.message;
  if (isUnavailable(error)) return errors.unavailable.text;
  log.error({ error }, 'Telegram command failed');
  return errors.internal.text;
}
