import { expect, test, vi } from 'vitest';
import { createStatusNews, noFacts, presentStatus, remember } from './status.ts';
import type { PrivateMessage } from './update.ts';

const message = (fields: Partial<PrivateMessage>): PrivateMessage => ({
  ...{ kind: 'message', chatId: '7', telegramUserId: '7', username: null, firstName: 'Ann', text: '/help' },
  ...{ at: 1_700_000_000_000, ...fields },
});
const input = {
  ...{ configured: true, supervisor: { state: 'connected' as const }, username: null, commands: [] },
  ...{ apiHost: 'api.telegram.org', activeUserCount: 0 },
};

test('what administrators see of a message is one line that reads as it was written', () => {
  const facts = noFacts();
  remember(facts, message({ text: 'safe\u202Eevil\u0000\u200B\n\n\tend', firstName: 'A\u202En\nn' }));
  expect(facts.recent[0]).toMatchObject({ text: 'safe evil end', from: 'A n n' });
});

test('a first name does not pass for the username of somebody else', () => {
  const facts = noFacts();
  remember(facts, message({ firstName: '@boss' }));
  expect(facts.recent[0]?.from).toBe('boss');
  remember(facts, message({ firstName: '\u3164' }));
  expect(facts.recent[0]?.from).not.toBe('');
});

test('a long message is cut between characters', () => {
  const facts = noFacts();
  remember(facts, message({ text: `x${'🚀'.repeat(300)}` }));
  expect(facts.recent[0]?.text).toBe(`x${'🚀'.repeat(99)}…`);
});

test('the state that is told of is never older than one that was told before', async () => {
  vi.useFakeTimers();
  const told: boolean[] = [];
  const bot: { connected: boolean } = { connected: false };
  const reads: (() => void)[] = [];
  const news = createStatusNews({
    read: () =>
      new Promise((resolve) => {
        const status = presentStatus({
          ...input,
          facts: noFacts(),
          supervisor: bot.connected ? { state: 'connected' } : { state: 'starting', problem: null },
        });
        reads.push(() => resolve(status));
      }),
    publisher: {
      send: (_event, room, status) =>
        void (room === 'admin' && told.push(JSON.stringify(status).includes('"connected":true'))),
    },
    clock: { now: Date.now },
  });
  news.changed();
  await vi.advanceTimersByTimeAsync(1);
  bot.connected = true;
  news.changed();
  await vi.advanceTimersByTimeAsync(1_100);
  // The database answers the first one last.
  for (const answer of reads.toReversed()) answer();
  await vi.advanceTimersByTimeAsync(1_100);
  for (const answer of reads.toReversed()) answer();
  await vi.advanceTimersByTimeAsync(1);
  expect(told.at(-1)).toBe(true);
  news.stop();
  vi.useRealTimers();
});
