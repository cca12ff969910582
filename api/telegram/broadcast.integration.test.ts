import { Api } from 'node-telegram-bot-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AuditAction } from '../../common/audit/model.ts';
import { type Run, runSchema } from '../../common/maintenance/model.ts';
import { startTelegramEmulator, type TelegramEmulator } from '../../scripts/telegram-emulator/emulator.ts';
import { createNotificationStats } from '../alerts/notification-stats.ts';
import type { Audit, KeyActor } from '../audit/service.ts';
import { fakeClock, silentLog } from '../market/testing/market.ts';
import { createRuns, type Runs } from '../runs/service.ts';
import { testConnection } from '../testing/database.ts';
import { type Broadcasts, broadcastModel, openBroadcasts } from './broadcast.ts';
import { createSender, type Sender } from './sender.ts';

const CHATS = 200;
const ADMIN: KeyActor = { user: null, address: '::1' };
const clock = fakeClock(Date.now());

const connection = await testConnection();
let emulator: TelegramEmulator;
let sender: Sender;
let runs: Runs;
let broadcasts: Broadcasts;
let chats: { userId: string; chatId: string }[];
let isConnected: boolean;
let gone: string[];
let runEvents: Run[];
let audited: [AuditAction, string | null | undefined][];
const audit: Pick<Audit, 'record'> = {
  record: async (action, _by, _subject, object) => void audited.push([action, object]),
};

beforeEach(async () => {
  emulator = await startTelegramEmulator();
  chats = Array.from({ length: CHATS }, (_, index) => ({ userId: `user ${index}`, chatId: String(1_000 + index) }));
  emulator.open(...chats.map(({ chatId }) => Number(chatId)));
  [isConnected, gone, runEvents, audited] = [true, [], [], []];
  const api = new Api(emulator.token, { apiRoot: emulator.apiRoot, maxRetries: 0 });
  sender = createSender({ api, markGone: async (chatId) => void gone.push(chatId), second: 20 });
  runs = createRuns({
    bus: { emit: (_name, run) => void runEvents.push(runSchema.parse(run)) },
    audit,
    clock,
    log: silentLog,
  });
  const telegram = { links: { activeChats: async () => chats }, sender, isConnected: () => isConnected };
  broadcasts = await openBroadcasts({ connection, runs, audit, telegram, clock, log: silentLog });
});
afterEach(async () => {
  sender.stop();
  await runs.stop();
  await emulator.stop();
});

const timesOf = (text: string) => {
  const times = new Map<number, number>();
  for (const sent of emulator.sent()) if (sent.text === text) times.set(sent.chatId, (times.get(sent.chatId) ?? 0) + 1);
  return times;
};

test('a broadcast reaches 200 chats once each, except those that blocked the bot, and a 429 duplicates nothing [S7.3-24]', async () => {
  const blocked = [1_003, 1_077, 1_100, 1_150, 1_199];
  for (const chat of blocked) emulator.setChatFault(chat, { kind: 'blocked' });
  emulator.injectFault('sendMessage', { kind: 'flood', retryAfter: 1 }, 3);
  const result = await broadcasts.send('Hello everybody', ADMIN);
  expect(result).toMatchObject({ success: true, sentCount: 195, failedCount: 5 });
  expect(result.errors).toHaveLength(5);
  expect(result.errors).toContain('Chat 1003: the bot was blocked.');
  const times = timesOf('Hello everybody');
  expect([times.size, new Set(times.values())]).toEqual([195, new Set([1])]);
  expect(new Set(gone)).toEqual(new Set(blocked.map(String)));
  expect(runEvents[0]).toMatchObject({ action: 'broadcast', state: 'running' });
  expect(runEvents.at(-1)).toMatchObject({ state: 'done', done: CHATS, total: CHATS });
  expect(audited).toEqual([
    ['broadcast-sent', '15 characters'],
    ['broadcast-sent', '15 characters: sent to 195 of 200 chats, 5 failed'],
  ]);
  expect(JSON.stringify(runEvents)).not.toContain('Hello');
});

test('refuses a second broadcast while the first is running', async () => {
  chats = chats.slice(0, 5);
  let respond = () => {};
  const until = new Promise<void>((resolve) => (respond = resolve));
  emulator.injectFault('sendMessage', { kind: 'held', until });
  const first = broadcasts.send('first', ADMIN);
  await vi.waitFor(() => expect(emulator.calls('sendMessage').length).toBeGreaterThan(0));
  await expect(broadcasts.send('second', ADMIN)).rejects.toMatchObject({ code: 'already-running' });
  respond();
  expect(await first).toMatchObject({ success: true, sentCount: 5 });
  expect(timesOf('second').size).toBe(0);
});

test('sends nothing without a connection, and reports no success without a chat', async () => {
  isConnected = false;
  await expect(broadcasts.send('x', ADMIN)).rejects.toMatchObject({ code: 'bot-not-connected' });
  isConnected = true;
  chats = [];
  expect(await broadcasts.send('x', ADMIN)).toEqual({ success: false, sentCount: 0, failedCount: 0, errors: [] });
});

test('does not repeat a message whose response was lost', async () => {
  chats = chats.slice(0, 1);
  emulator.setChatFault(1_000, { kind: 'cut' });
  const result = await broadcasts.send('perhaps', ADMIN);
  expect(result.errors).toEqual(['Chat 1000: Telegram did not answer; it may have arrived.']);
  expect(emulator.calls('sendMessage')).toHaveLength(1);
});

test('ends with the server, and messages that an earlier process left unsent count as failed', async () => {
  emulator.injectFault('sendMessage', { kind: 'held', until: new Promise(() => {}) }, CHATS);
  const going = broadcasts.send('never', ADMIN);
  await vi.waitFor(() => expect(emulator.calls('sendMessage').length).toBeGreaterThan(0));
  sender.stop();
  await runs.stop();
  expect(await going).toMatchObject({ success: false, sentCount: 0, failedCount: CHATS });
  await broadcastModel(connection).deleteMany({});
  await broadcastModel(connection).create({ at: new Date(clock.now()), total: 9, sent: 4, failed: 1, endedAt: null });
  const telegram = { links: { activeChats: async () => chats }, sender, isConnected: () => isConnected };
  await openBroadcasts({ connection, runs, audit, telegram, clock, log: silentLog });
  const stats = createNotificationStats({ connection, clock });
  expect(await stats.read()).toEqual([{ template: 'Broadcast', sent: 4, failed: 5, queued: 0 }]);
});

test('starts no further message once the server stops, even before the sender stops', async () => {
  const tried: string[] = [];
  let respond = () => {};
  const responded = new Promise<void>((resolve) => (respond = resolve));
  const slow = {
    async send(chatId: string) {
      tried.push(chatId);
      await responded;
      return 'sent' as const;
    },
  };
  const telegram = { links: { activeChats: async () => chats }, sender: slow, isConnected: () => true };
  const stopping = await openBroadcasts({ connection, runs, audit, telegram, clock, log: silentLog });
  const going = stopping.send('never', ADMIN);
  await vi.waitFor(() => expect(tried.length).toBeGreaterThan(0));
  const started = tried.length;
  const stopped = runs.stop();
  respond();
  await stopped;
  expect(await going).toMatchObject({ sentCount: started, failedCount: CHATS - started });
  expect(tried).toHaveLength(started);
});

test('fails instead of waiting for hours when Telegram requests it', async () => {
  chats = chats.slice(0, 3);
  const flooded = { send: async () => ({ failed: 'unavailable' as const, retryAfter: 86_400 }) };
  const telegram = { links: { activeChats: async () => chats }, sender: flooded, isConnected: () => true };
  const refused = await openBroadcasts({ connection, runs, audit, telegram, clock, log: silentLog });
  expect(await refused.send('now', ADMIN)).toMatchObject({ sentCount: 0, failedCount: 3 });
});

test('a reply to /stop never waits behind a broadcast of 10,000, nor in a chat that waits for it', async () => {
  chats = Array.from({ length: 10_000 }, (_, index) => ({ userId: `user ${index}`, chatId: String(index) }));
  const sent: { chatId: string; text: string }[] = [];
  const fast = createSender({
    api: {
      sendMessage: async ({ chat_id, text }) => {
        sent.push({ chatId: String(chat_id), text });
        return { message_id: 1, date: 0, chat: { id: 1, type: 'private' as const } };
      },
      editMessageText: async () => true,
      answerCallbackQuery: async () => true,
    },
    markGone: async () => {},
    second: 200,
  });
  const telegram = { links: { activeChats: async () => chats }, sender: fast, isConnected: () => true };
  const large = await openBroadcasts({ connection, runs, audit, telegram, clock, log: silentLog });
  const going = large.send('Hello everybody', ADMIN);
  for (let number = 0; number < 10; number += 1) {
    await vi.waitFor(() => expect(sent.length).toBeGreaterThan(5 * (number + 1)));
    // The last of the messages that the broadcast has handed over, far behind in the queue, and a chat that it has not reached.
    for (const chatId of [String(sent.length + 30), String(9_999 - number)]) {
      const before = sent.length;
      expect(await fast.send(chatId, 'Buying has stopped.', { priority: 'reply' })).toBe('sent');
      const ahead = sent.slice(before).findIndex((message) => message.chatId === chatId);
      expect([ahead, sent[before]?.text]).toEqual([0, 'Buying has stopped.']);
    }
  }
  expect(sent.length).toBeLessThan(1_000);
  fast.stop();
  await runs.stop();
  expect((await going).sentCount).toBeLessThan(1_000);
});
