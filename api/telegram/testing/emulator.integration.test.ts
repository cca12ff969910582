import { Api, TelegramApiError } from 'node-telegram-bot-api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from './emulator.ts';

let emulator: TelegramEmulator;
let api: Api;

beforeAll(async () => {
  emulator = await startTelegramEmulator();
  api = new Api(emulator.token, { apiRoot: emulator.apiRoot, maxRetries: 0 });
});
afterAll(() => emulator.stop());

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'fine',
    (error: unknown) => (error instanceof TelegramApiError ? error.errorCode : String(error)),
  );

test('a waiting poll answers as soon as somebody writes, and an offset acknowledges', async () => {
  const waiting = api.getUpdates({ timeout: 30 });
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  emulator.say(7, '/start');
  const [update] = await waiting;
  expect(update).toMatchObject({ message: { chat: { id: 7, type: 'private' }, text: '/start' } });
  expect(emulator.pending()).toBe(1);
  expect(await api.getUpdates({ offset: (update?.update_id ?? 0) + 1, timeout: 0 })).toEqual([]);
  expect(emulator.pending()).toBe(0);
});

test('of two pollers the older one gets 409', async () => {
  const older = codeOf(api.getUpdates({ timeout: 30 }));
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  await api.getUpdates({ timeout: 0 });
  expect(await older).toBe(409);
});

test('it refuses other tokens, unknown methods, chats that never began, and what it is told to', async () => {
  const stranger = new Api('1:other', { apiRoot: emulator.apiRoot, maxRetries: 0 });
  expect(await codeOf(stranger.getMe())).toBe(401);
  expect(await codeOf(api.getChat({ chat_id: 7 }))).toBe(404);
  expect(await codeOf(api.sendMessage({ chat_id: 999, text: 'x' }))).toBe(400);
  emulator.open(8);
  emulator.faultOf(8, { kind: 'blocked' });
  expect(await codeOf(api.sendMessage({ chat_id: 8, text: 'x' }))).toBe(403);
  emulator.faultOf(8, null);
  emulator.fail('sendMessage', { kind: 'flood', retryAfter: 3 });
  expect(await codeOf(api.sendMessage({ chat_id: 8, text: 'x' }))).toBe(429);
  expect(await codeOf(api.sendMessage({ chat_id: 8, text: 'hello' }))).toBe('fine');
  expect(emulator.sent(8)).toMatchObject([{ chatId: 8, text: 'hello' }]);
});

test('a person can write and read by HTTP', async () => {
  const post = (path: string, json: unknown) =>
    fetch(emulator.apiRoot + path, { method: 'POST', body: JSON.stringify(json) });
  expect((await post('/control/say', { from: 9, text: 'hi' })).status).toBe(200);
  expect(emulator.pending()).toBe(1);
  await api.sendMessage({ chat_id: 9, text: 'there' });
  const got = await fetch(`${emulator.apiRoot}/control/chats/9`);
  expect(await got.json()).toMatchObject([{ text: 'there' }]);
});

test('one that is started again goes on with higher update ids, as Telegram does', async () => {
  const before = emulator.say(7, 'before');
  const after = await startTelegramEmulator();
  expect(after.say(7, 'after')).toBeGreaterThan(before);
  await after.stop();
});
