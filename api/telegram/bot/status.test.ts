import { expect, test, vi } from 'vitest';
import { addRecent, createStatusPublisher, noFacts, presentStatus } from './status.ts';
import type { PrivateMessage } from './update.ts';

const message = (fields: Partial<PrivateMessage>): PrivateMessage => ({
  ...{ kind: 'message', chatId: '7', telegramUserId: '7', username: null, firstName: 'Ann', text: '/help' },
  ...{ at: 1_700_000_000_000, ...fields },
});
const input = {
  ...{ configured: true, bot: { state: 'connected' as const }, username: null, commands: [] },
  ...{ apiHost: 'api.telegram.org', activeUserCount: 0 },
};

test('shows administrators a message in one line, without invisible characters', () => {
  const facts = noFacts();
  addRecent(facts, message({ text: 'safe\u202Eevil\u0000\u200B\n\n\tend', firstName: 'A\u202En\nn' }));
  expect(facts.recent[0]).toMatchObject({ text: 'safe evil end', from: 'A n n' });
});

test('a first name cannot imitate a username', () => {
  const facts = noFacts();
  addRecent(facts, message({ firstName: '@boss' }));
  expect(facts.recent[0]?.from).toBe('boss');
  addRecent(facts, message({ firstName: '\u3164' }));
  expect(facts.recent[0]?.from).not.toBe('');
});

test('cuts a long message between characters', () => {
  const facts = noFacts();
  addRecent(facts, message({ text: `x${'🚀'.repeat(300)}` }));
  expect(facts.recent[0]?.text).toBe(`x${'🚀'.repeat(99)}…`);
});

test('never emits a state older than the one emitted before', async () => {
  vi.useFakeTimers();
  const connected: boolean[] = [];
  const bot: { connected: boolean } = { connected: false };
  const reads: (() => void)[] = [];
  const publisher = createStatusPublisher({
    read: () =>
      new Promise((resolve) => {
        const status = presentStatus({
          ...input,
          facts: noFacts(),
          bot: bot.connected ? { state: 'connected' } : { state: 'starting', error: null },
        });
        reads.push(() => resolve(status));
      }),
    bus: {
      emit: (_name, payload) => void connected.push(JSON.stringify(payload).includes('"connected":true')),
    },
  });
  publisher.changed();
  await vi.advanceTimersByTimeAsync(1);
  bot.connected = true;
  publisher.changed();
  await vi.advanceTimersByTimeAsync(1_100);
  // The database responds to the first read last.
  for (const respond of reads.toReversed()) respond();
  await vi.advanceTimersByTimeAsync(1_100);
  for (const respond of reads.toReversed()) respond();
  await vi.advanceTimersByTimeAsync(1);
  expect(connected.at(-1)).toBe(true);
  publisher.stop();
  vi.useRealTimers();
});
