import type { Types } from 'mongoose';
import { vi } from 'vitest';
import { linkCodeSchema } from '../../../common/telegram/model.ts';
import type { TelegramEmulator } from '../../../scripts/telegram-emulator/emulator.ts';
import type { Person } from '../../testing/people.ts';

/** Links a chat to a person's account as the person would: with a code from the settings, sent to the bot. */
export async function linkChat(emulator: TelegramEmulator, person: Person, chatId: number): Promise<void> {
  const { body } = await person.call('/api/telegram/link', { method: 'POST' });
  const before = emulator.sent(chatId).length;
  emulator.write(chatId, `/start ${linkCodeSchema.parse(body).code}`);
  await vi.waitFor(() => {
    if (emulator.sent(chatId).length === before) throw new Error('the bot has not replied yet');
  });
}

/** A stored link, for tests that need many of them at once. */
export function linkRecord(_id: Types.ObjectId, chatId: number) {
  const telegramUserId = String(chatId);
  return { _id, chatId: telegramUserId, telegramUserId, username: `user${chatId}`, linkedAt: new Date(), goneAt: null };
}
