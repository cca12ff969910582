import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditPageSchema } from '../../common/audit/model.ts';
import { clientConfigSchema } from '../../common/client-config/model.ts';
import { type BotStatus, botStatusSchema, linkCodeSchema, telegramLinkSchema } from '../../common/telegram/model.ts';
import { startTelegramEmulator, type TelegramEmulator } from '../../scripts/telegram-emulator/emulator.ts';
import { startTestServer } from '../test-server.ts';
import { testChain } from '../testing/chain.ts';
import { type Person, person, socketOf, tabOf } from '../testing/people.ts';
import type { TestServer } from '../testing/server.ts';
import { tokenRecord } from '../testing/tokens.ts';
import { testWallet } from '../testing/wallets.ts';
import { tokenModels } from '../tokens/model.ts';
import { linkChat } from './testing/linked.ts';

let emulator: TelegramEmulator;
let server: TestServer;
let admin: Person;

beforeAll(async () => {
  emulator = await startTelegramEmulator();
  const env = { TELEGRAM_BOT_TOKEN: emulator.token, TELEGRAM_API_ROOT: emulator.apiRoot };
  server = await startTestServer({ env: { ...env, PUBLIC_URL: 'https://mint.example' }, chain: testChain() });
  admin = await person(server, 'Boss', { isAdmin: true });
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
});
afterAll(async () => {
  await server.stop();
  await emulator.stop();
});

const statusOf = async (who: Person) => botStatusSchema.parse((await who.call('/api/telegram/status')).body);
const linkOf = async (who: Person) => telegramLinkSchema.parse((await who.call('/api/telegram/link')).body);
const codeOf = async (who: Person) =>
  linkCodeSchema.parse((await who.call('/api/telegram/link', { method: 'POST' })).body);

/** Sends a message from this chat. Returns the reply of the bot. */
async function replyTo(chatId: number, text: string): Promise<string> {
  const before = emulator.sent(chatId).length;
  emulator.write(chatId, text);
  await vi.waitFor(() => expect(emulator.sent(chatId).length).toBeGreaterThan(before));
  return emulator.sent(chatId).at(-1)?.text ?? '';
}

test('the status describes the bot, its abilities and recent messages [S3-20, S3-21, S3-22, S3-23, S2.16-01, S7.1-11]', async () => {
  emulator.write({ id: 501, username: 'writer' }, '/help');
  await vi.waitFor(() => expect(emulator.sent(501)).toHaveLength(1));
  const status = await vi.waitFor(async () => {
    const now = await statusOf(admin);
    expect(now.updates).toBeGreaterThan(0);
    return now;
  });
  expect(status).toMatchObject({
    configured: true,
    connected: true,
    botUsername: 'mintwatch_test_bot',
    botName: 'Mintwatch',
    botInfo: {
      id: 4242,
      username: 'mintwatch_test_bot',
      first_name: 'Mintwatch',
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
    },
    activeUserCount: 0,
    error: null,
    apiHost: new URL(emulator.apiRoot).host,
    recentMessages: [{ from: '@writer', text: '/help', date: expect.any(String) }],
  });
  expect(status.commands.slice(0, 3).map(({ command }) => command)).toEqual(['start', 'help', 'status']);
  expect(emulator.commands()).toEqual(status.commands);
});

test('signed-in users see whether there is a bot, and only administrators its details [S7.1-11]', async () => {
  expect((await server.fetchJson('/api/telegram/status')).status).toBe(401);
  const status = await statusOf(await person(server, 'Plain'));
  expect(status).toMatchObject({ configured: true, connected: true, botUsername: 'mintwatch_test_bot' });
  expect(status).toMatchObject({ botInfo: null, updates: null, recentMessages: null, activeUserCount: null });
  const { body } = await admin.call('/api/config');
  expect(clientConfigSchema.parse(body).botUsername).toBe('mintwatch_test_bot');
});

test('a chat is linked by a code from the settings, used by commands, and unlinked [S1-02]', async () => {
  const ann = await person(server, 'Ann');
  const tab = await tabOf(server, ann);
  expect(await linkOf(ann)).toEqual({ linked: null });
  const { code, url, expiresAt } = await codeOf(ann);
  expect(url).toBe(`https://t.me/mintwatch_test_bot?start=${code}`);
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(9 * 60_000);
  expect(await replyTo(609, '/wallet')).toContain('https://mint.example/app/settings?tab=telegram');
  expect(await replyTo(601, `/start ${code}`)).toBe('This chat is now linked to Ann. /unlink undoes it.');
  const link = await linkOf(ann);
  expect(link).toEqual({ linked: { username: 'user601', linkedAt: expect.any(String), gone: false } });
  await tab.settled();
  expect(tab.received).toEqual([{ subject: 'telegram', op: 'saved', item: link }]);
  // A code is valid once.
  expect(await replyTo(602, `/start ${code}`)).toContain('not known, or has expired');

  const token = tokenRecord(1);
  await tokenModels(server.connection).tokens.create(token);
  expect(await replyTo(601, `/watch ${token._id}`)).toBe(`On your watchlist:\n${token._id}`);
  const { body: watched } = await ann.call('/api/watchlists');
  expect(watched).toMatchObject([{ list: 'watch', address: token._id }]);

  expect(await replyTo(601, '/unlink')).toContain('no longer linked to Ann');
  expect(await linkOf(ann)).toEqual({ linked: null });
  const { body } = await ann.call(`/api/users/${ann.id}/audit`);
  expect(auditPageSchema.parse(body).entries).toMatchObject([
    { action: 'telegram-unlinked', actor: 'Ann', object: '@user601', address: 'telegram' },
    { action: 'telegram-linked', actor: 'Ann', object: '@user601', address: 'telegram' },
    { action: 'registered', actor: 'Ann' },
  ]);
});

test('a chat moves to another account only after /unlink, and a code is not lost by that', async () => {
  const [one, two] = [await person(server, 'One'), await person(server, 'Two')];
  await linkChat(emulator, one, 611);
  const { code } = await codeOf(two);
  expect(await replyTo(611, `/start ${code}`)).toContain('linked to another account. Send /unlink first');
  await replyTo(611, '/unlink');
  expect(await replyTo(611, `/start ${code}`)).toContain('now linked to Two');
  expect((await linkOf(one)).linked).toBeNull();
});

test('an account moves to another chat; on the web it is unlinked too, and its codes with it', async () => {
  const mover = await person(server, 'Mover');
  await linkChat(emulator, mover, 621);
  await linkChat(emulator, mover, 622);
  expect((await linkOf(mover)).linked?.username).toBe('user622');
  expect(await replyTo(621, '/rules')).toContain('This needs an account.');
  const { code } = await codeOf(mover);
  expect((await mover.call('/api/telegram/link', { method: 'DELETE' })).body).toEqual({ linked: null });
  expect(await replyTo(623, `/start ${code}`)).toContain('not known, or has expired');
});

test('codes are stored as hashes, and the one before is no longer good', async () => {
  const coder = await person(server, 'Coder');
  const [first, second] = [await codeOf(coder), await codeOf(coder)];
  const stored = JSON.stringify(await server.connection.collection('telegramLinkCodes').find().toArray());
  expect(stored).not.toContain(second.code);
  expect(await replyTo(631, `/start ${first.code}`)).toContain('not known, or has expired');
  await server.connection
    .collection('telegramLinkCodes')
    .updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await replyTo(632, `/start ${second.code}`)).toContain('not known, or has expired');
});

test('an inactive account gets nothing in its chat', async () => {
  const idle = await person(server, 'Idle');
  await linkChat(emulator, idle, 641);
  const { code } = await codeOf(idle);
  await server.connection.collection('users').updateOne({ username: 'Idle' }, { $set: { isActive: false } });
  expect(await replyTo(641, '/rules')).toBe('This account is not active.');
  expect(await replyTo(642, `/start ${code}`)).toBe('This account is not active.');
});

test('ignores groups', async () => {
  const { code } = await codeOf(admin);
  emulator.open(-7);
  emulator.write(651, `/start ${code}`, { id: -7, type: 'group' });
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  expect(emulator.sent(-7)).toEqual([]);
  expect(await linkOf(admin)).toEqual({ linked: null });
});

test('a blocked chat is gone until a message arrives from it', async () => {
  const blocker = await person(server, 'Blocker');
  await linkChat(emulator, blocker, 661);
  emulator.setChatFault(661, { kind: 'blocked' });
  emulator.write(661, '/help');
  await vi.waitFor(async () => expect((await linkOf(blocker)).linked?.gone).toBe(true));
  emulator.setChatFault(661, null);
  await replyTo(661, '/help');
  expect((await linkOf(blocker)).linked?.gone).toBe(false);
  const chat = { id: 661, type: 'private' };
  emulator.push({ my_chat_member: { chat, new_chat_member: { status: 'kicked' } } });
  await vi.waitFor(async () => expect((await linkOf(blocker)).linked?.gone).toBe(true));
});

test('events contain what their audience may see, and never the token or a code [S3-23]', async () => {
  const [plain, boss] = [await socketOf(server, await person(server, 'Listener')), await socketOf(server, admin)];
  const received: { plain: BotStatus[]; boss: BotStatus[] } = { plain: [], boss: [] };
  plain.on('bot-status', (status) => received.plain.push(botStatusSchema.parse(status)));
  boss.on('bot-status', (status) => received.boss.push(botStatusSchema.parse(status)));
  await plain.emitWithAck('subscribe', { topic: 'tokens' });
  await boss.emitWithAck('subscribe', { topic: 'admin' });
  const { code } = await codeOf(await person(server, 'Secretive'));
  await replyTo(671, `/start ${code}`);
  await vi.waitFor(() => expect(received.boss.at(-1)?.recentMessages?.[0]?.text).toBe('/start ••••'), {
    timeout: 15_000,
  });
  await plain.emitWithAck('echo', {});
  // The public part has not changed.
  expect(received.plain).toEqual([]);
  const everything = JSON.stringify([received, await statusOf(admin)]);
  expect(everything).not.toContain(emulator.token);
  expect(everything).not.toContain(code);
});

test('/wallet and /balance show the wallet that is set', async () => {
  const owner = await person(server, 'Owner');
  await linkChat(emulator, owner, 681);
  const wallet = testWallet(1);
  await owner.call(`/api/users/${owner.id}/wallet`, { method: 'POST', json: wallet });
  expect(await replyTo(681, '/wallet')).toContain(wallet.walletAddress);
  expect(await replyTo(681, '/balance')).toBe(`0 SOL\n${wallet.walletAddress}`);
});

test('reports a missing bot in the status without a token [S7.1-11]', async () => {
  const bare = await startTestServer({ env: { TELEGRAM_BOT_USERNAME: 'some_bot' } });
  const boss = await person(bare, 'Chief', { isAdmin: true });
  const status = await statusOf(boss);
  const refused = await boss.call('/api/telegram/link', { method: 'POST' });
  await bare.stop();
  expect(status).toMatchObject({ configured: false, connected: false, botUsername: 'some_bot', botInfo: null });
  expect(status).toMatchObject({ error: null, updates: 0, recentMessages: [] });
  expect(refused).toMatchObject({ status: 409, body: { code: 'bot-not-connected' } });
});
