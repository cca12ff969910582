import type { Logger } from 'pino';
import { withTimeout } from '../../platform/resilience.ts';
import type { Users } from '../../users/service.ts';
import type { CommandContext } from '../commands/command.ts';
import type { RefusedPress } from '../confirms/confirms.ts';
import type { TelegramLinks } from '../links/service.ts';
import { act, EXPIRED } from '../trading/act.ts';
import { COMMAND_TIMEOUT, errorText, isDatabaseAway } from './dispatch.ts';
import type { Press } from './update.ts';

/** Outcome of a press. `toast`: shown for a moment. `outcome`: added to the message, whose buttons it used up. */
export type PressReply = { toast: string } | { outcome: string };

const refusals: Record<Exclude<RefusedPress, 'expired'>, string> = {
  unknown: 'This button no longer works.',
  answered: 'This was answered already.',
};

/** Shown when the outcome is not known in time: an order may have been made. */
export const NO_OUTCOME = 'No outcome yet. Look at /orders, or press again: that makes no second order.';

export interface PressDeps {
  links: Pick<TelegramLinks, 'byChat'>;
  users: Pick<Users, 'findActive'>;
  context: Pick<CommandContext, 'confirms' | 'trading'>;
  log: Logger;
  /** ms. */
  timeout?: number;
}

/** Does the action of a pressed button. Rejects when the database was away: an order must not be lost. */
export async function answerPress(press: Press, deps: PressDeps): Promise<PressReply> {
  const reply = replyTo(press, deps).catch((error: unknown) =>
    isDatabaseAway(error) ? { failed: error } : { toast: errorText(error, deps.log) },
  );
  const done = await withTimeout(reply, deps.timeout ?? COMMAND_TIMEOUT);
  const value = done?.value ?? { toast: NO_OUTCOME };
  if ('failed' in value) throw value.failed;
  return value;
}

async function replyTo(
  { chatId, telegramUserId, data }: Press,
  { links, users, context }: PressDeps,
): Promise<PressReply> {
  const { confirms, trading } = context;
  const link = await links.byChat(chatId);
  const userId = link?._id.toHexString();
  const user = userId === undefined ? null : await users.findActive(userId);
  // A private chat has one person; anybody else's press would be a forgery.
  if (!user || link?.telegramUserId !== telegramUserId || userId === undefined) return { toast: refusals.unknown };
  const pressed = await confirms.press(data, { userId, chatId });
  if ('refused' in pressed) {
    return pressed.refused === 'expired' ? { outcome: EXPIRED } : { toast: refusals[pressed.refused] };
  }
  return { outcome: await act(pressed, user, trading) };
}
