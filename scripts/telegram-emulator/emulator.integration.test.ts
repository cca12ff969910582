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

const keyboard = (...texts: readonly string[]) => ({
  inline_keyboard: [texts.map((text) => ({ text, callback_data: `data of ${text}` }))],
});

test('lets a person press a button, once or more, and shows one answer for each press', async () => {
  emulator.open(10);
  const sent = await api.sendMessage({ chat_id: 10, text: 'Buy?', reply_markup: keyboard('Buy', 'Cancel') });
  const button = emulator.button(10, 'Cancel');
  emulator.press(10, button);
  emulator.press(10, button);
  const updates = await api.getUpdates({ timeout: 0, allowed_updates: ['callback_query'] });
  const presses = updates.flatMap((update) => ('callback_query' in update ? update.callback_query : []));
  const pressed = { data: 'data of Cancel', from: { id: 10 }, message: { message_id: sent.message_id } };
  expect(presses).toMatchObject([pressed, pressed]);
  const [first = { id: '' }] = presses;
  expect(await codeOf(api.answerCallbackQuery({ callback_query_id: first.id, text: 'Cancelled' }))).toBe('ok');
  expect(await codeOf(api.answerCallbackQuery({ callback_query_id: first.id }))).toBe(400);
  expect(emulator.answers()).toEqual([{ chatId: 10, text: 'Cancelled' }]);
  await api.getUpdates({ offset: (updates.at(-1)?.update_id ?? 0) + 1, timeout: 0 });
});

test('edits messages, refuses buttons without valid data, and reports an edit without a change', async () => {
  emulator.open(11);
  const long = { inline_keyboard: [[{ text: 'Buy', callback_data: 'x'.repeat(65) }]] };
  expect(await codeOf(api.sendMessage({ chat_id: 11, text: 'Buy?', reply_markup: long }))).toBe(400);
  const { message_id } = await api.sendMessage({ chat_id: 11, text: 'Buy?', reply_markup: keyboard('Buy', 'Cancel') });
  const edit = { chat_id: 11, message_id };
  await api.editMessageReplyMarkup({ ...edit, reply_markup: keyboard('Cancel') });
  expect(emulator.sent(11)[0]?.buttons).toEqual([[{ text: 'Cancel', data: 'data of Cancel' }]]);
  await api.editMessageText({ ...edit, text: 'Bought' });
  expect(emulator.sent(11)).toMatchObject([{ text: 'Bought', buttons: [] }]);
  expect(await codeOf(api.editMessageText({ ...edit, text: 'Bought' }))).toBe(400);
  expect(await codeOf(api.editMessageText({ ...edit, message_id: 1_000_000, text: 'x' }))).toBe(400);
  expect(() => emulator.button(11, 'Cancel')).toThrow("no button 'Cancel'");
});

test('lets a person write and read by HTTP', async () => {
  const post = (path: string, json: unknown) =>
    fetch(emulator.apiRoot + path, { method: 'POST', body: JSON.stringify(json) });
  expect((await post('/control/messages', { from: 9, text: 'hi' })).status).toBe(200);
  expect(emulator.pending()).toBe(1);
  await api.sendMessage({ chat_id: 9, text: 'there', reply_markup: keyboard('Yes') });
  expect((await post('/control/presses', { from: 9, button: 'No' })).status).toBe(400);
  expect((await post('/control/presses', { from: 9, button: 'Yes' })).status).toBe(200);
  expect(emulator.pending()).toBe(2);
  const got = await fetch(`${emulator.apiRoot}/control/chats/9`);
  expect(await got.json()).toMatchObject([{ text: 'there' }]);
});

test('continues with higher update ids after a restart, as Telegram does', async () => {
  const before = emulator.write(7, 'before');
  const after = await startTelegramEmulator();
  expect(after.write(7, 'after')).toBeGreaterThan(before);
  await after.stop();
});
