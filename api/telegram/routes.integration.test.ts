import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { alertSchema } from '../../common/alerts/model.ts';
import { BROADCAST_EMPTY, broadcastResultSchema, notificationStatsSchema } from '../../common/telegram/model.ts';
import { startTelegramEmulator, type TelegramEmulator } from '../../scripts/telegram-emulator/emulator.ts';
import { alertModel } from '../alerts/model.ts';
import { linkedChat } from '../alerts/testing/alerts.ts';
import { auditModel } from '../audit/model.ts';
import { startTestServer } from '../test-server.ts';
import { type Person, person } from '../testing/people.ts';
import type { TestServer } from '../testing/server.ts';
import { addressNumber } from '../testing/tokens.ts';

const POST = '/api/broadcast-message';
const STATS = '/api/telegram/notification-stats';
const get = (message: string) => `${POST}/${encodeURIComponent(message)}`;

let server: TestServer;
let emulator: TelegramEmulator;
let admin: Person;
let alice: Person;
let chat: number;

beforeAll(async () => {
  emulator = await startTelegramEmulator();
  const env = { TELEGRAM_BOT_TOKEN: emulator.token, TELEGRAM_API_ROOT: emulator.apiRoot };
  server = await startTestServer({ env });
  admin = await person(server, 'Boss', { isAdmin: true });
  alice = await person(server, 'Alice');
  chat = Number(await linkedChat(server.connection, alice.id));
  emulator.open(chat);
});
afterAll(async () => {
  await server.stop();
  await emulator.stop();
});

const post = (who: Person, message: unknown) => who.call(POST, { method: 'POST', json: { message } });
const connected = () =>
  vi.waitFor(async () => expect(await alice.call('/api/telegram/status')).toMatchObject({ body: { connected: true } }));
/** A chat accepts one message a second. */
const PATIENCE = { timeout: 15_000 };
const textsOf = () => emulator.sent(chat).map(({ text }) => text);

test('refuses a broadcast without text, posted or by address [S5-27]', async () => {
  const refused = { status: 400, body: { code: 'invalid-input', details: { message: [BROADCAST_EMPTY] } } };
  expect(BROADCAST_EMPTY).toBe('Please enter a message to broadcast.');
  expect(await post(admin, '')).toMatchObject(refused);
  expect(await post(admin, ' \n ')).toMatchObject(refused);
  expect(await admin.call(get('  '))).toMatchObject(refused);
  expect((await post(admin, 'x'.repeat(4_097))).status).toBe(400);
});

test('only administrators broadcast; the linked chat receives it, and the audit omits its text [S7.3-24]', async () => {
  await connected();
  expect((await post(alice, 'hello')).status).toBe(403);
  expect((await server.fetchJson(POST, { method: 'POST', json: { message: 'hello' } })).status).toBe(401);
  const { status, body } = await post(admin, '  Maintenance at noon  ');
  expect(status).toBe(200);
  expect(broadcastResultSchema.parse(body)).toEqual({ success: true, sentCount: 1, failedCount: 0, errors: [] });
  expect(textsOf()).toEqual(['Maintenance at noon']);
  const entries = await auditModel(server.connection).find({ action: 'broadcast-sent' }).sort({ _id: 1 }).lean();
  expect(entries.map(({ actorName, object }) => [actorName, object])).toEqual([
    ['Boss', '19 characters'],
    ['Boss', '19 characters: sent to 1 of 1 chats, 0 failed'],
  ]);
});

test('broadcasts by address only for a script of the own page or a program of an administrator [S7.3-23]', async () => {
  await connected();
  const before = textsOf().length;
  const message = 'Half off? 50 % / “yes” & more';
  expect((await alice.call(get(message))).status).toBe(403);
  expect((await server.fetchJson(get(message))).status).toBe(401);
  const scripted = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };
  const program = { 'x-requested-with': 'XMLHttpRequest' };
  const foreign = [
    // A browser without fetch metadata opens a link; an embedded one adds a header of its own.
    {},
    { 'x-requested-with': 'com.example.app' },
    // A link in a mail or a typed address, a link of our own page, an image and a frame in it.
    { ...program, 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' },
    { ...program, 'sec-fetch-dest': 'document' },
    { ...scripted, 'sec-fetch-site': 'none' },
    { ...scripted, 'sec-fetch-site': 'cross-site' },
    { ...scripted, 'sec-fetch-site': 'same-site' },
    { ...program, origin: 'https://evil.example' },
    { ...program, origin: 'null' },
    { ...program, referer: 'https://evil.example/page' },
    { ...program, referer: 'nonsense' },
    // A browser that prefetches an address while it is typed.
    { ...scripted, 'sec-purpose': 'prefetch;prerender' },
    { ...program, purpose: 'prefetch' },
  ];
  for (const headers of foreign) {
    expect(await admin.call(get(message), { headers })).toMatchObject({
      status: 403,
      body: { code: 'foreign-origin' },
    });
  }
  expect(textsOf()).toHaveLength(before);
  const own = { ...scripted, referer: `${server.url}/app/telegram-status` };
  for (const headers of [own, program]) {
    const { status, body } = await admin.call(get(message), { headers });
    expect([status, broadcastResultSchema.parse(body).sentCount]).toEqual([200, 1]);
  }
  expect(textsOf().slice(before)).toEqual([message, message]);
});

test('a broadcast continues after its administrator disconnects [S7.3-24]', async () => {
  await connected();
  let respond = () => {};
  const until = new Promise<void>((resolve) => (respond = resolve));
  emulator.injectFault('sendMessage', { kind: 'held', until });
  const before = emulator.calls('sendMessage').length;
  const leaving = new AbortController();
  const asked = fetch(server.url + POST, {
    method: 'POST',
    headers: { cookie: admin.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'I am gone' }),
    signal: leaving.signal,
  });
  await vi.waitFor(() => expect(emulator.calls('sendMessage').length).toBeGreaterThan(before), PATIENCE);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  respond();
  await vi.waitFor(() => expect(textsOf().at(-1)).toBe('I am gone'), PATIENCE);
});

test('shows administrators the outcomes of the messages of the last 24 h [S2.16-04]', async () => {
  expect((await alice.call(STATS)).status).toBe(403);
  const { body } = await admin.call(STATS);
  const broadcasts = notificationStatsSchema.parse(body).find(({ template }) => template === 'Broadcast');
  expect(broadcasts).toMatchObject({ failed: 0 });
  expect(broadcasts?.sent).toBeGreaterThan(0);
});

test('users read their own alerts, newest first', async () => {
  const record = (number: number, userId: string) => ({
    _id: new Types.ObjectId(),
    userId: new Types.ObjectId(userId),
    type: 'new_token' as const,
    address: addressNumber(number),
    name: 'Coin',
    symbol: 'C',
    text: `alert ${number}`,
    price: null,
    at: new Date(Date.now() - number * 1_000),
    telegram: null,
  });
  await alertModel(server.connection).insertMany([record(2, alice.id), record(1, alice.id), record(3, admin.id)]);
  const { body } = await alice.call('/api/alerts');
  expect(
    alertSchema
      .array()
      .parse(body)
      .map(({ text }) => text),
  ).toEqual(['alert 1', 'alert 2']);
  expect((await alice.call('/api/alerts?limit=1')).body).toHaveLength(1);
  expect((await server.fetchJson('/api/alerts')).status).toBe(401);
});

test('refuses a broadcast without a bot [S7.3-24]', async () => {
  const without = await startTestServer();
  const boss = await person(without, 'Boss', { isAdmin: true });
  const reply = await post(boss, 'x');
  await without.stop();
  expect(reply).toMatchObject({ status: 409, body: { code: 'bot-not-connected' } });
});
