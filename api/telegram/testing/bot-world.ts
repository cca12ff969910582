import { type Connection, Types } from 'mongoose';
import { pino } from 'pino';
import { expect, onTestFinished, vi } from 'vitest';
import { startTelegramEmulator, type TelegramEmulator } from '../../../scripts/telegram-emulator/emulator.ts';
import type { PlacedButton } from '../../../scripts/telegram-emulator/state.ts';
import { openAudit } from '../../audit/service.ts';
import { noLimits } from '../../testing/server.ts';
import { tokenPage } from '../../testing/tokens.ts';
import type { TokenRecord } from '../../tokens/record.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import { openUsers } from '../../users/service.ts';
import type { CommandServices } from '../commands/command.ts';
import { createConfirms } from '../confirms.ts';
import { openTelegramLinks, telegramModels } from '../links.ts';
import { createTelegram } from '../telegram.ts';
import type { BotTrading } from '../trading/engine.ts';
import { createFakeTrading, type FakeTrading } from './fake-trading.ts';
import { linkRecord } from './linked.ts';

/** Time between two commands on the clock of the bot, ms: none is one too many for its chat. */
const BETWEEN = 10_000;
/** Length of a second of the sender, ms. */
const SHORT_SECOND = 10;

/** A linked chat with a bot of its own, the database, and trading: in memory unless another one is given. */
export interface BotWorld<Trading extends BotTrading> {
  emulator: TelegramEmulator;
  trading: Trading;
  chat: number;
  /** The user of the chat. */
  user: UserRecord;
  /** Moves the clock of the questions, ms. */
  wait(ms: number): void;
  /** Stops the bot as a stopped server does, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  /** Writes to the bot. Returns the message that replies. */
  ask(text: string): Promise<string>;
  /** Presses a button. Resolves when the outcome is shown, with the text shown for a moment, or null. */
  press(button: PlacedButton, from?: number): Promise<string | null>;
  /** Returns the newest message of the chat as it stands. */
  newest(): { text: string; buttons: string[][] };
}

let chats = 900;

/** Opens a world in which the bot knows these tokens. It ends with the test. */
export function botWorld(connection: Connection, tokens: readonly TokenRecord[]): Promise<BotWorld<FakeTrading>> {
  return botWorldWith(connection, tokens, createFakeTrading());
}

/** The same with another trading, and with the given services. */
export async function botWorldWith<Trading extends BotTrading>(
  connection: Connection,
  tokens: readonly TokenRecord[],
  trading: Trading,
  given: Partial<CommandServices> = {},
): Promise<BotWorld<Trading>> {
  chats += 10;
  const chat = chats;
  const emulator = await startTelegramEmulator({ token: `${chat}:token` });
  const user = await linkedChat(connection, chat);
  emulator.open(chat);
  const clock = { now: () => Date.now() + idle };
  let idle = 0;
  let waited = 0;
  const users = await openUsers(connection, clock);
  const audit = await openAudit(connection, clock);
  const bus = { emit: () => {}, on: () => () => {} };
  const links = await openTelegramLinks({ connection, users, audit, bus, clock, limits: noLimits });
  const { apiRoot, token } = emulator;
  const config = { telegramBotToken: token, telegramApiRoot: apiRoot, telegramBotUsername: null, publicUrl: null };
  const rest = { random: () => 0, log: pino({ level: 'silent' }), timing: { base: 20, max: 40, conflict: 40 } };
  function start() {
    const started = createTelegram({
      ...{ links, users, clock, config, bus },
      senderSecond: SHORT_SECOND,
      ...rest,
    });
    // A process of its own: it has forgotten every question.
    const confirms = createConfirms({ clock: { now: () => Date.now() + waited } });
    started.start({ ...servicesFor(tokens), confirms, trading, ...given });
    return started;
  }
  let bot = start();
  onTestFinished(async () => {
    await bot.stop();
    await emulator.stop();
  });
  return {
    ...{ emulator, trading, chat, user },
    wait(ms) {
      waited += ms;
    },
    stop: () => bot.stop(),
    async restart() {
      await bot.stop();
      bot = start();
    },
    async ask(text) {
      idle += BETWEEN;
      const before = emulator.sent(chat).length;
      emulator.write(chat, text);
      await vi.waitFor(() => expect(emulator.sent(chat).length).toBeGreaterThan(before));
      return emulator.sent(chat).at(-1)?.text ?? '';
    },
    async press(button, from = chat) {
      idle += BETWEEN;
      const before = emulator.answers().length;
      emulator.press(from, button);
      await vi.waitFor(() => expect(emulator.answers().length).toBeGreaterThan(before));
      // Without a text, the outcome is added to the message.
      const outcomes = emulator.answers().filter(({ text }) => text === null).length;
      await vi.waitFor(() => expect(emulator.calls('editMessageText').length).toBeGreaterThanOrEqual(outcomes));
      await vi.waitFor(() => expect(emulator.pending()).toBe(0));
      return emulator.answers().at(-1)?.text ?? null;
    },
    newest() {
      const { text = '', buttons = [] } = emulator.sent(chat).at(-1) ?? {};
      return { text, buttons: buttons.map((row) => row.map((button) => button.text)) };
    },
  };
}

/** Stores an active user with this chat, without the time that a password takes. */
export async function linkedChat(connection: Connection, chat: number): Promise<UserRecord> {
  const username = `person${chat}`;
  const record = { _id: new Types.ObjectId(), username, usernameKey: username, passwordHash: 'none' };
  const user = { ...record, isAdmin: false, isActive: true, level: 1, magicPoints: 100, createdAt: new Date() };
  await userModel(connection).create(user);
  await telegramModels(connection).links.create(linkRecord(user._id, chat));
  return user;
}

const unused = () => Promise.reject(new Error('not expected'));

function servicesFor(tokens: readonly TokenRecord[]): Omit<CommandServices, 'trading' | 'confirms'> {
  const ofSymbol = (q: string) => tokens.filter(({ symbol }) => symbol?.toLowerCase() === q.toLowerCase());
  return {
    queries: {
      ...{ newest: unused, runners: unused, mightRun: unused, stats: unused },
      byAddress: async (address) => tokens.find(({ _id }) => _id === address) ?? null,
      list: async ({ q = '' }) => tokenPage(ofSymbol(q)),
    },
    market: { status: () => [] },
    watchlists: { add: unused, tokens: unused },
    wallets: { current: unused },
    rules: { list: unused },
    settings: { get: unused, change: unused },
    balance: unused,
    explainToken: unused,
  };
}
