import mongoose from 'mongoose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type EmulatorOptions, startTelegramEmulator } from '../../../scripts/telegram-emulator/emulator.ts';
import type { Fault } from '../../../scripts/telegram-emulator/state.ts';
import { openAudit } from '../../audit/service.ts';
import { createEventBus } from '../../events/bus.ts';
import type { DomainEvents } from '../../events/events.ts';
import { createLog } from '../../platform/log.ts';
import { testConnection } from '../../testing/database.ts';
import { expectIndexed, explainer } from '../../testing/explain.ts';
import { noLimits } from '../../testing/server.ts';
import { openUsers } from '../../users/service.ts';
import type { CommandServices } from '../commands/command.ts';
import { createConfirms } from '../confirms.ts';
import { openTelegramLinks } from '../links.ts';
import { createTelegram } from '../telegram.ts';
import { createFakeTrading } from '../testing/fake-trading.ts';
import { linkRecord } from '../testing/linked.ts';

const connection = await testConnection({ monitorCommands: true });

const clock = { now: Date.now };
const [users, audit] = [await openUsers(connection, clock), await openAudit(connection, clock)];
const links = await openTelegramLinks({ connection, users, audit, bus: { emit: () => {} }, clock, limits: noLimits });

const unused = () => Promise.reject(new Error('not expected'));
const services: CommandServices = {
  queries: { newest: unused, runners: unused, mightRun: unused, stats: unused, byAddress: unused, list: unused },
  market: { status: () => [] },
  watchlists: { add: unused, tokens: unused },
  wallets: { current: async () => null },
  rules: { list: unused },
  settings: { get: unused, change: unused },
  balance: unused,
  trading: createFakeTrading(),
  confirms: createConfirms({ clock }),
  explainToken: unused,
};

async function emulated(options: EmulatorOptions = {}) {
  // A bot of its own, since processed updates are stored by its id.
  bots += 1;
  const emulator = await startTelegramEmulator({ token: `${5_000 + bots}:the-token-itself`, ...options });
  onTestFinished(() => emulator.stop());
  return emulator;
}
let bots = 0;

/** Starts a bot with short delays. */
function botFor({ apiRoot, token }: { apiRoot: string; token: string }, given: Partial<CommandServices> = {}) {
  const lines: string[] = [];
  const events: DomainEvents['bot-status-changed'][] = [];
  const bus = createEventBus(() => {});
  bus.on('bot-status-changed', (event) => void events.push(event));
  const telegram = createTelegram({
    config: { telegramBotToken: token, telegramApiRoot: apiRoot, telegramBotUsername: null, publicUrl: null },
    links,
    users: { findActive: async () => null },
    bus,
    clock: { now: Date.now },
    random: () => 0,
    log: createLog('trace', { write: (line: string) => lines.push(line) }),
    timing: { base: 20, max: 40, conflict: 200 },
  });
  onTestFinished(() => telegram.stop());
  telegram.start({ ...services, ...given });
  const error = async () => (await telegram.status(true)).error;
  return { telegram, lines, events, error };
}

test('an unknown token is final, is reported in one sentence, and appears nowhere', async () => {
  const emulator = await emulated();
  const { telegram, lines, events, error } = botFor({ apiRoot: emulator.apiRoot, token: '1:some-secret-token' });
  await vi.waitFor(async () => expect(await error()).toContain('(401). Check TELEGRAM_BOT_TOKEN and restart.'));
  await vi.waitFor(() => expect(events.map(({ audience }) => audience)).toContain('admins'));
  expect(telegram.isConnected()).toBe(false);
  expect(await telegram.status(false)).toMatchObject({ configured: true, connected: false, error: null });
  const all = JSON.stringify([lines, events, await telegram.status(true)]);
  expect(all).toContain('does not know this bot token');
  expect(all).not.toContain('some-secret-token');
});

test('of two instances one reports the conflict, and the other continues after it stops', async () => {
  const emulator = await emulated();
  const first = botFor(emulator);
  await vi.waitFor(() => expect(first.telegram.isConnected()).toBe(true));
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  const second = botFor(emulator);
  await vi.waitFor(async () =>
    expect([await first.error(), await second.error()].join()).toContain('run only one bot instance'),
  );
  await second.telegram.stop();
  await vi.waitFor(() => expect(first.telegram.isConnected()).toBe(true));
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  emulator.write(1, '/buy');
  await vi.waitFor(() => expect(emulator.sent(1)).toHaveLength(1));
});

test.each<[Fault, string]>([
  [{ kind: 'down' }, 'Telegram cannot be reached.'],
  [{ kind: 'status', status: 500, description: 'Internal Server Error' }, 'Telegram answered with an error (500).'],
  [{ kind: 'cut' }, 'Telegram cannot be reached.'],
  [{ kind: 'garbage' }, 'The server that answers is not Telegram.'],
])('recovers after %j', async (fault, text) => {
  const emulator = await emulated();
  const { telegram, lines, error } = botFor(emulator);
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  emulator.injectFault('*', fault, 10_000);
  emulator.write(1, '/buy');
  await vi.waitFor(async () => expect(await error()).toBe(text));
  await vi.waitFor(async () => expect((await telegram.status(true)).retryAt).not.toBeNull());
  emulator.clearFaults();
  await vi.waitFor(() => expect(telegram.isConnected()).toBe(true));
  expect(await error()).toBeNull();
  emulator.write(2, '/buy');
  await vi.waitFor(() => expect(emulator.sent(2)).toHaveLength(1));
  expect(lines.join('')).not.toContain('the-token-itself');
});

test('reports an unreachable address, and stops at once', async () => {
  const { telegram, error } = botFor({ apiRoot: 'http://127.0.0.1:1', token: '1:the-token-itself' });
  await vi.waitFor(async () => expect(await error()).toBe('Telegram cannot be reached.'));
  await telegram.stop();
});

test('processes an update once whose acknowledgement was lost', async () => {
  const emulator = await emulated();
  const { error } = botFor(emulator);
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  // The poll that waits brings the message; the next one, which would acknowledge it, is cut off.
  emulator.injectFault('getUpdates', { kind: 'cut' }, 10_000);
  emulator.write(1, '/buy');
  await vi.waitFor(() => expect(emulator.sent(1)).toHaveLength(1));
  await vi.waitFor(async () => expect(await error()).not.toBeNull());
  expect(emulator.pending()).toBe(1);
  emulator.clearFaults();
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  emulator.write(2, '/buy');
  await vi.waitFor(() => expect(emulator.sent(2)).toHaveLength(1));
  expect(emulator.sent(1)).toHaveLength(1);
});

test('a chat without an account gets two replies a minute, and still can be linked', async () => {
  const emulator = await emulated();
  const user = await users.create({ username: `linker${emulator.token.split(':')[0]}`, password: 'unused' });
  for (let number = 0; number < 4; number += 1) emulator.write(1, 'x');
  botFor(emulator);
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  await vi.waitFor(() => expect(emulator.sent(1)).toHaveLength(2));
  const { code } = await links.newCode(user._id.toHexString());
  emulator.write(1, `/start ${code}`);
  await vi.waitFor(() => expect(emulator.sent(1).at(-1)?.text).toMatch(/^This chat is now linked/));
  expect(emulator.sent(1)).toHaveLength(3);
  await links.unlink(user._id.toHexString(), { user, address: 'test' });
});

test('a slow chat delays no other, and a flooding chat is warned once', async () => {
  const emulator = await emulated();
  const queries = { ...services.queries, newest: () => new Promise<never>(() => {}) };
  await connection.collection('telegramLinks').insertOne(linkRecord(new mongoose.Types.ObjectId(), 2));
  for (let message = 0; message < 8; message += 1) emulator.write(2, '/nothing@elsewhere');
  emulator.write(99, '/new');
  emulator.write(3, '/buy');
  botFor(emulator, { queries });
  await vi.waitFor(() => expect(emulator.sent(3)).toHaveLength(1));
  await vi.waitFor(() =>
    expect(emulator.sent(2).map(({ text }) => text)).toEqual([expect.stringContaining('a lot at once')]),
  );
  expect(emulator.sent(99)).toEqual([]);
});

test('an update that fails neither ends the bot nor is repeated', async () => {
  const emulator = await emulated();
  const { telegram, lines } = botFor(emulator);
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  const person = { id: 1, first_name: 'One' };
  // An invalid date.
  emulator.push({ message: { from: person, chat: { id: 1, type: 'private' }, date: 9e15, text: '/buy' } });
  emulator.write(2, '/buy');
  await vi.waitFor(() => expect(emulator.sent(2)).toHaveLength(1));
  await vi.waitFor(() => expect(emulator.pending()).toBe(0));
  expect(telegram.isConnected()).toBe(true);
  expect(lines.join('')).toContain('Telegram update could not be processed');
});

test('updates without ids are an error, and are not polled in a loop', async () => {
  const emulator = await emulated();
  const { error, telegram } = botFor(emulator);
  await vi.waitFor(() => expect(emulator.isPolled()).toBe(true));
  emulator.push({ update_id: 'none' });
  await vi.waitFor(async () => expect(await error()).toBe('The bot failed on our side.'));
  await telegram.stop();
  expect(emulator.calls('getUpdates').length).toBeLessThan(50);
});

test('every query of links uses its index', async () => {
  await connection.collection('telegramLinks').deleteMany({});
  const users = Array.from({ length: 50 }, (_, number) => linkRecord(new mongoose.Types.ObjectId(), 90_000 + number));
  await connection.collection('telegramLinks').insertMany(users);
  const { plans } = explainer(connection);
  const stages = await plans(async () => {
    await links.of(users[0]?._id.toHexString() ?? '');
    await links.ofUsers(users.map(({ _id }) => _id.toHexString()));
    await links.byChat('90001');
    expect(await links.usersByChatIdPrefix('9000', 5)).toHaveLength(5);
    expect(await links.usersByChatIdPrefix('90049', 5)).toHaveLength(1);
    expect(await links.usersByChatIdPrefix('$ne', 5)).toEqual([]);
    expect([await links.countLinked(), await links.countActive()]).toEqual([50, 50]);
    // None of these users exists.
    expect(await links.activeChats()).toEqual([]);
  });
  expect(stages.length).toBeGreaterThan(6);
  expectIndexed(stages, { sorts: true });
});
