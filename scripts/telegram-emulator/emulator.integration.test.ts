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
    () => 'ok',
    (error: unknown) => (error instanceof TelegramApiError ? error.errorCode : String(error)),
  );

test('responds to a waiting poll as soon as a person writes, and treats an offset as an acknowledgement', async () => {
  const waiting = api.getUpdates({ timeout: 30 });
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  emulator.write(7, '/start');
  const [update] = await waiting;
  expect(update).toMatchObject({ message: { chat: { id: 7, type: 'private' }, text: '/start' } });
  expect(emulator.pending()).toBe(1);
  expect(await api.getUpdates({ offset: (update?.update_id ?? 0) + 1, timeout: 0 })).toEqual([]);
  expect(emulator.pending()).toBe(0);
});

test('responds with 409 to the older of two pollers', async () => {
  const older = codeOf(api.getUpdates({ timeout: 30 }));
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  await api.getUpdates({ timeout: 0 });
  expect(await older).toBe(409);
});

test('refuses other tokens, unknown methods, chats that never started, and injected faults', async () => {
  const stranger = new Api('1:other', { apiRoot: emulator.apiRoot, maxRetries: 0 });
  expect(await codeOf(stranger.getMe())).toBe(401);
  expect(await codeOf(api.getChat({ chat_id: 7 }))).toBe(404);
  expect(await codeOf(api.sendMessage({ chat_id: 999, text: 'x' }))).toBe(400);
  emulator.open(8);
  emulator.setChatFault(8, { kind: 'blocked' });
  expect(await codeOf(api.sendMessage({ chat_id: 8, text: 'x' }))).toBe(403);
  emulator.setChatFault(8, null);
  emulator.injectFault('sendMessage', { kind: 'flood', retryAfter: 3 });
  expect(await codeOf(api.sendMessage({ chat_id: 8, text: 'x' }))).toBe(429);
  expect(await codeOf(api.sendMessage({ chat_id: 8, text: 'hello' }))).toBe('ok');
  expect(emulator.sent(8)).toMatchObject([{ chatId: 8, text: 'hello' }]);
});

test('lets a person write and read by HTTP', async () => {
  const post = (path: string, json: unknown) =>
    fetch(emulator.apiRoot + path, { method: 'POST', body: JSON.stringify(json) });
  expect((await post('/control/messages', { from: 9, text: 'hi' })).status).toBe(200);
  expect(emulator.pending()).toBe(1);
  await api.sendMessage({ chat_id: 9, text: 'there' });
  const got = await fetch(`${emulator.apiRoot}/control/chats/9`);
  expect(await got.json()).toMatchObject([{ text: 'there' }]);
});

test('continues with higher update ids after a restart, as Telegram does', async () => {
  const before = emulator.write(7, 'before');
  const after = await startTelegramEmulator();
  expect(after.write(7, 'after')).toBeGreaterThan(before);
  await after.stop();
});
