import type { Logger } from 'pino';
import { errors, PublicError } from '../../../common/errors.ts';
import { isUnavailable } from '../../platform/database.ts';
import { loggable } from '../../platform/log.ts';
import { withTimeout } from '../../platform/resilience.ts';
import type { UserRecord } from '../../users/model.ts';
import type { Users } from '../../users/service.ts';
import { commands } from '../commands/all.ts';
import type { CommandContext } from '../commands/command.ts';
import { commandLine } from '../commands/line.ts';
import { howToLink } from '../commands/text.ts';
import type { TelegramLinks } from '../links/service.ts';
import type { PrivateMessage } from './update.ts';

/** A command that takes longer, ms, is given up, so that the next ones get their turn. */
export const COMMAND_TIMEOUT = 10_000;
const TOO_SLOW = 'This took too long. Please try again.';
const UNKNOWN_COMMAND = 'I do not know this. /help lists the commands.';
/** Telegram's longest message, UTF-16 units. */
const MESSAGE_MAX = 4_096;

export interface AnswerDeps {
  links: Pick<TelegramLinks, 'byChat' | 'markBack' | 'redeem' | 'unlink'>;
  users: Pick<Users, 'findActive'>;
  context: CommandContext;
  log: Logger;
  /** ms. */
  timeout?: number;
}

/** What the bot says to a message; null: nothing. Never rejects. */
export async function answerTo(message: PrivateMessage, botUsername: string, deps: AnswerDeps): Promise<string | null> {
  const line = commandLine(message.text, botUsername);
  if (line === 'elsewhere') return null;
  const work = answer(message, line, deps).catch((error: unknown) => textOf(error, deps.log));
  const done = await withTimeout(work, deps.timeout ?? COMMAND_TIMEOUT);
  return (done?.value ?? TOO_SLOW).slice(0, MESSAGE_MAX);
}

async function answer(
  message: PrivateMessage,
  line: { command: string; args: string } | null,
  { links, users, context }: AnswerDeps,
): Promise<string> {
  const command = commands.find((one) => one.command === line?.command);
  if (!command || !line) return UNKNOWN_COMMAND;
  const { chatId, telegramUserId, username } = message;
  const link = await links.byChat(chatId);
  // Who writes is there again, whatever the last failure said.
  if (link?.goneAt) await links.markBack(chatId);
  const user: UserRecord | null = link && (await users.findActive(link._id.toHexString()));
  const input = { args: line.args, chat: { chatId, telegramUserId, username } };
  if (link && !user) return 'This account is not active.';
  if (command.access === 'everyone') return command.run({ ...input, user }, context);
  if (!user) return `This needs an account.\n\n${howToLink(context.publicUrl)}`;
  return command.run({ ...input, user }, context);
}

function textOf(error: unknown, log: Logger): string {
  if (error instanceof PublicError) return error.message;
  if (isUnavailable(error)) return errors.unavailable.text;
  log.error({ error: loggable(error) }, 'a Telegram command failed');
  return errors.internal.text;
}
