import { expect, test } from 'vitest';
import { PublicError } from '../../../common/errors.ts';
import { createUpdateQueue, type UpdateQueueDeps } from './update-queue.ts';

const info = {
  is_bot: true,
  ...{ id: 1, username: 'our_bot', first_name: 'Bot' },
  ...{ can_join_groups: false, can_read_all_group_messages: false, supports_inline_queries: false },
};
const message = (update_id: number, text: string, id = 7) => ({
  update_id,
  message: { from: { id, first_name: 'Ann' }, chat: { id, type: 'private' }, date: 1_700_000_000, text },
});

function world(overrides: Partial<UpdateQueueDeps>) {
  const texts: string[] = [];
  const counts = { processed: 0, delayed: 0 };
  const updates = createUpdateQueue({
    allowance: () => 'allowed',
    onMessage: async ({ text }) => void texts.push(text),
    onPress: async () => {},
    onMembership: async () => {},
    onDelayed() {
      counts.delayed += 1;
    },
    onProcessed() {
      counts.processed += 1;
    },
    onFailure: () => {},
    ...overrides,
  });
  return { texts, counts, take: (update: unknown, isRepeated = false) => updates.take(update, info, isRepeated) };
}

/** A promise with the function that resolves it. */
function gate(): { opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

test('a chat has five commands waiting, further ones are dropped, and other chats go on', async () => {
  const { opened, open } = gate();
  const ended: string[] = [];
  const { take, counts } = world({
    async onMessage({ chatId, text }) {
      if (chatId === '7') await opened;
      ended.push(text);
    },
  });
  for (let id = 1; id <= 8; id += 1) await take(message(id, `/buy ${id}`));
  await take(message(9, '/other', 8));
  await expect.poll(() => ended).toEqual(['/other']);
  open();
  await expect.poll(() => counts.processed).toBe(9);
  expect(ended).toEqual(['/other', '/buy 1', '/buy 2', '/buy 3', '/buy 4', '/buy 5']);
});

test('a stop waits for no other command, one stop does for several that wait, and keeps its order with /resume', async () => {
  const { opened, open } = gate();
  const ended: string[] = [];
  const { take } = world({
    async onMessage({ text }) {
      // The purchase before it ends only after the stop.
      if (text === '/buy') await opened;
      ended.push(text);
    },
  });
  const commands = ['/buy', '/stop', '/stop', '/resume', '/stop', '/stop', '/resume'];
  await Promise.all(commands.map((text, id) => take(message(id, text))));
  await expect.poll(() => ended).toEqual(['/stop', '/resume', '/stop', '/resume']);
  open();
  await expect.poll(() => ended.at(-1)).toBe('/buy');
});

test('a stop that could not be stored must come again, and its person learns that once', async () => {
  let isAway = true;
  const { take, texts, counts } = world({
    async onMessage({ text }) {
      if (isAway) throw new PublicError('unavailable');
      texts.push(text);
    },
  });
  for (const isRepeated of [false, true]) {
    await expect(take(message(1, '/stop'), isRepeated)).rejects.toMatchObject({ code: 'unavailable' });
  }
  expect(counts).toEqual({ processed: 0, delayed: 1 });
  isAway = false;
  await take(message(1, '/stop'), true);
  expect(texts).toEqual(['/stop']);
});

test('an update that fails for another reason does not come again', async () => {
  const errors: unknown[] = [];
  const { take } = world({
    onMessage: () => Promise.reject(new Error('a defect')),
    onFailure: (error) => void errors.push(error),
  });
  await take(message(1, '/stop'));
  expect(errors).toHaveLength(1);
});
