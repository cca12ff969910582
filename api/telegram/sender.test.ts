import { NetworkError, TelegramApiError } from 'node-telegram-bot-api';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSender, resultOf, WAITING_MAX } from './sender.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Creates a sender to a Telegram that responds to each message with `respond`. */
function sending(
  respond: (chatId: string, tries: number) => Error | null = () => null,
  editError: Error | null = null,
) {
  const sent: { chatId: string; text: string; at: number }[] = [];
  const gone: string[] = [];
  const startedAt = Date.now();
  const sender = createSender({
    api: {
      // The sender ignores the fields of the response.
      sendMessage: vi.fn(async (message: { chat_id: string | number; text: string }) => {
        const chatId = String(message.chat_id);
        const error = respond(chatId, sent.filter((one) => one.chatId === chatId).length);
        sent.push({ chatId, text: message.text, at: Date.now() - startedAt });
        if (error) throw error;
        return { message_id: 1, date: 0, chat: { id: 1, type: 'private' as const } };
      }),
      editMessageText: vi.fn(async () => {
        if (editError) throw editError;
        return true as const;
      }),
      answerCallbackQuery: vi.fn(() => Promise.reject(new NetworkError('away'))),
    },
    markGone: async (chatId) => void gone.push(chatId),
  });
  return { sender, sent, gone };
}

test('sends at most 25 messages a second', async () => {
  const { sender, sent } = sending();
  const results = Promise.all(Array.from({ length: 100 }, (_, chat) => sender.send(String(chat), 'hello')));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(new Set(await results)).toEqual(new Set(['sent']));
  for (const { at } of sent) {
    expect(sent.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(25);
  }
  expect(sent.at(-1)?.at).toBeLessThan(4_500);
});

test('sends at most one message a second to a chat, in order, and delays no other chat', async () => {
  const { sender, sent } = sending();
  const all = Promise.all(['a', 'b', 'c'].map((text) => sender.send('1', text)));
  const other = sender.send('2', 'x');
  await vi.advanceTimersByTimeAsync(100);
  expect(await other).toBe('sent');
  await vi.advanceTimersByTimeAsync(5_000);
  await all;
  const own = sent.filter(({ chatId }) => chatId === '1');
  expect(own.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect((own[1]?.at ?? 0) - (own[0]?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  expect((own[2]?.at ?? 0) - (own[1]?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
});

test('sends replies first, then messages about own trades, other alerts, and broadcasts', async () => {
  const { sender, sent } = sending();
  void sender.send('first', 'takes the free place');
  for (const priority of ['bulk', 'alert', 'trade', 'reply'] as const) {
    for (const chat of ['1', '2']) void sender.send(`${priority} ${chat}`, priority, { priority });
  }
  await vi.advanceTimersByTimeAsync(1_000);
  const order = ['reply', 'reply', 'trade', 'trade', 'alert', 'alert', 'bulk', 'bulk'];
  expect(sent.slice(1).map(({ text }) => text)).toEqual(order);
});

test('a reply waits neither for other chats nor for other messages of its own chat', async () => {
  const { sender, sent } = sending();
  for (let chat = 0; chat < 50; chat += 1) void sender.send(String(chat), 'alert');
  for (let number = 0; number < 5; number += 1) void sender.send('me', 'broadcast', { priority: 'bulk' });
  await vi.advanceTimersByTimeAsync(100);
  expect(sent.map(({ chatId }) => chatId)).not.toContain('me');
  const before = sent.length;
  void sender.send('me', 'reply', { priority: 'reply' });
  await vi.advanceTimersByTimeAsync(100);
  expect(sent[before]).toMatchObject({ chatId: 'me', text: 'reply' });
});

test('replies have places of their own when too many other messages wait', async () => {
  const { sender, sent } = sending();
  for (let number = 0; number < WAITING_MAX; number += 1) void sender.send('full', 'alert');
  expect(await sender.send('1', 'alert')).toMatchObject({ failed: 'unavailable', retryAfter: 1 });
  void sender.send('1', 'reply', { priority: 'reply' });
  await vi.advanceTimersByTimeAsync(200);
  expect(sent.map(({ text }) => text)).toContain('reply');
  sender.stop();
});

test('waits after a 429 and sends the message again', async () => {
  const flood = new TelegramApiError(429, 'Too Many Requests', { retry_after: 3 });
  const { sender, sent } = sending((_chatId, tries) => (tries === 0 ? flood : null));
  const result = sender.send('1', 'x');
  await vi.advanceTimersByTimeAsync(2_900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_300);
  expect(await result).toBe('sent');
  expect(sent).toHaveLength(2);
});

test('hands a very long 429 back to all callers that wait', async () => {
  const { sender } = sending(() => new TelegramApiError(429, 'x', { retry_after: 300 }));
  const results = Promise.all([sender.send('1', 'x'), sender.send('2', 'x')]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await results).toEqual([
    { failed: 'unavailable', retryAfter: 300 },
    { failed: 'unavailable', retryAfter: 300 },
  ]);
  expect(await sender.send('3', 'x')).toMatchObject({ failed: 'unavailable', retryAfter: 300 });
});

test('marks a chat as gone after a 403', async () => {
  const { sender, gone } = sending(() => new TelegramApiError(403, 'Forbidden: bot was blocked by the user'));
  const result = sender.send('1', 'x');
  await vi.advanceTimersByTimeAsync(10);
  expect(await result).toEqual({ failed: 'blocked' });
  expect(gone).toEqual(['1']);
});

test.each([
  [new TelegramApiError(403, 'Forbidden: user is deactivated'), { failed: 'gone' }],
  [new TelegramApiError(400, 'Bad Request: chat not found'), { failed: 'gone' }],
  [new TelegramApiError(400, 'Bad Request: message is too long'), { failed: 'refused' }],
  [new TelegramApiError(502, 'Bad Gateway'), { failed: 'unavailable', maybeSent: true }],
  [new NetworkError('x'), { failed: 'unavailable', maybeSent: true }],
  [
    new NetworkError('x', { cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) }),
    { failed: 'unavailable' },
  ],
])('%s is %j', (error, failure) => {
  expect(resultOf(error)).toEqual(failure);
});

test('refuses messages without a bot, beyond the limit of waiting ones, and after the stop', async () => {
  const none = createSender({ api: null, markGone: async () => {} });
  expect(await none.send('1', 'x')).toEqual({ failed: 'unavailable' });
  const { sender } = sending();
  const waiting = Array.from({ length: WAITING_MAX + 1 }, () => sender.send('1', 'x'));
  expect(await sender.send('1', 'x')).toMatchObject({ failed: 'unavailable', retryAfter: 1 });
  sender.stop();
  expect(await waiting.at(-1)).toMatchObject({ failed: 'unavailable' });
  expect(await sender.send('2', 'x')).toEqual({ failed: 'unavailable' });
});

test('a chat that repeats a 429 while others receive messages is slow itself and delays no other', async () => {
  const { sender, sent } = sending((chatId) =>
    chatId === 'slow' ? new TelegramApiError(429, 'x', { retry_after: 30 }) : null,
  );
  const slow = sender.send('slow', 'x');
  await vi.advanceTimersByTimeAsync(10);
  const others = Promise.all(['1', '2', '3'].map((chat) => sender.send(chat, 'hello')));
  await vi.advanceTimersByTimeAsync(29_000);
  // Whether the limit is the bot's or the chat's is not known yet.
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await others).toEqual(['sent', 'sent', 'sent']);
  expect(await slow).toEqual({ failed: 'unavailable', retryAfter: 30, onlyThisChat: true });
  await vi.advanceTimersByTimeAsync(60_000);
  const again = sender.send('slow', 'x');
  await vi.advanceTimersByTimeAsync(10);
  expect(await again).toMatchObject({ onlyThisChat: true });
  const next = sender.send('4', 'hello');
  await vi.advanceTimersByTimeAsync(100);
  expect(await next).toBe('sent');
});

test('hands back a message to a slow chat with a long pause at once', async () => {
  let rest = 10;
  const { sender } = sending((chatId) =>
    chatId === 'slow' ? new TelegramApiError(429, 'x', { retry_after: rest }) : null,
  );
  const first = sender.send('slow', 'x');
  await vi.advanceTimersByTimeAsync(10);
  rest = 1_000;
  void sender.send('1', 'hello');
  await vi.advanceTimersByTimeAsync(12_000);
  expect(await first).toEqual({ failed: 'unavailable', retryAfter: 1_000, onlyThisChat: true });
  expect(await sender.send('slow', 'y')).toMatchObject({ failed: 'unavailable', onlyThisChat: true });
  const next = sender.send('2', 'hello');
  await vi.advanceTimersByTimeAsync(100);
  expect(await next).toBe('sent');
});

test('an edit that an earlier one has made already counts as sent, and a lost response to a press is no failure', async () => {
  const edited = sending(undefined, new TelegramApiError(400, 'Bad Request: message is not modified'));
  const gone = sending(undefined, new TelegramApiError(400, 'Bad Request: message to edit not found'));
  const [again, lost] = [edited.sender.send('1', 'x', { messageId: 5 }), gone.sender.send('1', 'x', { messageId: 5 })];
  await vi.advanceTimersByTimeAsync(100);
  expect(await again).toBe('sent');
  expect(await lost).toEqual({ failed: 'refused' });
  expect(edited.sent).toEqual([]);
  expect(await gone.sender.answer('press', 'Done')).toBeUndefined();
});
