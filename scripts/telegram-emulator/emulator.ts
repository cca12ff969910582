import { once } from 'node:events';
import type { Server } from 'node:http';
import { botApi } from './bot-api.ts';
import { createEmulatorServer } from './http-server.ts';
import { presentMessage } from './keyboard.ts';
import type { BotResponse } from './response.ts';
import {
  addBounded,
  type BotCall,
  type CallParameters,
  type EmulatorState,
  emptyState,
  type Fault,
  type PlacedButton,
  type SentMessage,
  type ShownAnswer,
} from './state.ts';

/** A chat as Telegram describes it, with one person or a group. */
interface EmulatedChat {
  id: number;
  type: 'private' | 'group';
}

export interface EmulatorOptions {
  /** Default: any free port. */
  port?: number;
  token?: string;
  username?: string;
}

/** A person who writes to the bot. Their private chat with it has the same id. */
interface Writer {
  id: number;
  username?: string | undefined;
  firstName?: string | undefined;
}

/** Presses that wait for an answer; Telegram forgets them after a while. */
const PRESSES_MAX = 1_000;

/** An emulator of Telegram's Bot API on 127.0.0.1, for tests and for trying the bot without Telegram. */
export interface TelegramEmulator {
  /** The values of `TELEGRAM_API_ROOT` and `TELEGRAM_BOT_TOKEN`. */
  readonly apiRoot: string;
  readonly token: string;
  /** Writes to the bot as a person, in their private chat or in a group. Returns the update's id. */
  write(from: number | Writer, text: string, chat?: EmulatedChat): number;
  /** Returns a button of the newest message with one of this text; throws without one. */
  button(chatId: number, text: string): PlacedButton;
  /** Presses a button as the person of a private chat, also one that was removed meanwhile. Returns the update's id. */
  press(from: number | Writer, button: PlacedButton): number;
  /** Queues any other update, such as `{ my_chat_member: … }`. Returns its id. */
  push(update: Record<string, unknown>): number;
  /** Allows the bot to write to these private chats, as if each person had pressed Start. */
  open(...chatIds: readonly number[]): void;
  /** Sets the fault of every sendMessage to this chat; null removes it. */
  setChatFault(chatId: number, fault: Fault | null): void;
  /** Sets the fault of the next `times` calls of a method (`*`: of any method). */
  injectFault(method: string, fault: Fault, times?: number): void;
  /** Removes the remaining faults of `injectFault`. */
  clearFaults(): void;
  /** Returns the messages sent to a chat (default: all chats) as edited since, oldest first. */
  sent(chatId?: number): readonly SentMessage[];
  /** Returns what persons were shown after a press, oldest first. */
  answers(): readonly ShownAnswer[];
  calls(method?: string): readonly BotCall[];
  /** Returns the commands that the bot has set by setMyCommands. */
  commands(): readonly { command: string; description: string }[];
  /** Returns the number of updates that the bot has not acknowledged. */
  pending(): number;
  /** Returns whether a getUpdates call is waiting. */
  isPolled(): boolean;
  /** Calls the listener with each message that the bot sends. */
  onSent(listener: (message: SentMessage) => void): void;
  /** Calls the listener with what a person is shown after a press. */
  onAnswer(listener: (answer: ShownAnswer) => void): void;
  stop(): Promise<void>;
}

/** Starts an emulator on `port`. */
export async function startTelegramEmulator(options: EmulatorOptions = {}): Promise<TelegramEmulator> {
  const { port = 0, token = '4242:emulated-bot-token', username = 'mintwatch_test_bot' } = options;
  const state = emptyState(token, username);
  const emulator = controlsOf(state);
  const server: Server = createEmulatorServer((request) => respond(state, request), emulator);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the emulator has no port');
  return Object.assign(emulator, {
    apiRoot: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}

function controlsOf(state: EmulatorState): Omit<TelegramEmulator, 'apiRoot' | 'stop'> {
  function push(update: Record<string, unknown>): number {
    const id = state.nextUpdate++;
    addBounded(state.updates, { update_id: id, ...update });
    state.events.emit('update');
    return id;
  }

  return {
    token: state.token,
    push,
    button: (chatId, text) => buttonOf(state, chatId, text),
    press(from, { message, data }) {
      const person = personOf(from);
      const queryId = `press-${state.nextUpdate}`;
      state.presses.set(queryId, person.id);
      const oldest = state.presses.keys().next().value;
      if (state.presses.size > PRESSES_MAX && oldest !== undefined) state.presses.delete(oldest);
      const callback = { id: queryId, from: { ...person, is_bot: false }, chat_instance: String(person.id), data };
      return push({ callback_query: { ...callback, message: presentMessage(state, message) } });
    },
    write(from, text, chat) {
      const person = personOf(from);
      const { id } = person;
      if (chat === undefined) state.chats.add(id);
      const command = /^\/\w+(@\w+)?/.exec(text)?.[0];
      return push({
        message: {
          message_id: state.nextMessage++,
          from: { ...person, is_bot: false, language_code: 'en' },
          chat: chat ? { ...chat, title: `Group ${chat.id}` } : { ...person, type: 'private' },
          date: Math.floor(Date.now() / 1000),
          text,
          ...(command ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] } : {}),
        },
      });
    },
    open(...chatIds) {
      for (const id of chatIds) state.chats.add(id);
    },
    setChatFault(chatId, fault) {
      if (fault) state.chatFaults.set(chatId, fault);
      else state.chatFaults.delete(chatId);
    },
    injectFault(method, fault, times = 1) {
      state.methodFaults.push({ method, fault, times });
    },
    clearFaults() {
      state.methodFaults = [];
    },
    sent: (chatId) => (chatId === undefined ? [...state.sent] : state.sent.filter((sent) => sent.chatId === chatId)),
    answers: () => [...state.answers],
    calls: (method) => (method === undefined ? [...state.calls] : state.calls.filter((call) => call.method === method)),
    commands: () => state.commands,
    pending: () => state.updates.length,
    isPolled: () => state.endPoller !== null,
    onSent: (listener) => void state.events.on('sent', listener),
    onAnswer: (listener) => void state.events.on('answer', listener),
  };
}

function personOf(from: number | Writer) {
  const { id, username = `user${id}`, firstName = `User ${id}` } = typeof from === 'number' ? { id: from } : from;
  return { id, first_name: firstName, username };
}

function buttonOf(state: EmulatorState, chatId: number, text: string): PlacedButton {
  for (const message of state.sent.toReversed()) {
    const button = message.chatId === chatId && message.buttons.flat().find((one) => one.text === text);
    if (button) return { message: { ...message }, data: button.data };
  }
  throw new Error(`chat ${chatId} has no button '${text}'`);
}

/** Responds to a call of the Bot API, and records it. */
async function respond(
  state: EmulatorState,
  request: { token: string; method: string; params: CallParameters; gone: AbortSignal },
): Promise<BotResponse> {
  const { token, method, params, gone } = request;
  if (token !== state.token) return { status: 401, error: 'Unauthorized' };
  addBounded(state.calls, { method, params, at: Date.now() });
  return botApi(state, method, params, gone);
}
