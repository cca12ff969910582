import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Answer, botApi } from './emulator-api.ts';
import { createEmulatorServer } from './emulator-http.ts';
import {
  type BotCall,
  type CallParameters,
  type EmulatorState,
  emptyState,
  type Fault,
  keep,
  type SentMessage,
} from './emulator-state.ts';

/** A chat as Telegram describes it: of one person, or of a group. */
export interface EmulatedChat {
  id: number;
  type: 'private' | 'group';
}

export interface EmulatorOptions {
  /** Default: any free one. */
  port?: number;
  token?: string;
  username?: string;
}

/** A person who writes. Their private chat with the bot has their id. */
export interface Writer {
  id: number;
  username?: string | undefined;
  firstName?: string | undefined;
}

/** A small stand-in for Telegram's Bot API on 127.0.0.1, for tests and for trying the bot without Telegram. */
export interface TelegramEmulator {
  /** For `TELEGRAM_API_ROOT` and `TELEGRAM_BOT_TOKEN`. */
  readonly apiRoot: string;
  readonly token: string;
  /** Somebody writes to the bot, in their private chat or in a group. Answers the update's id. */
  say(from: number | Writer, text: string, chat?: EmulatedChat): number;
  /** Puts any other update in the queue, such as `{ my_chat_member: … }`. */
  push(update: Record<string, unknown>): number;
  /** From now on the bot may write to these private chats, as if each person had pressed Start. */
  open(...chatIds: readonly number[]): void;
  /** How every sendMessage to this chat ends, until `null` makes it well again. */
  faultOf(chatId: number, fault: Fault | null): void;
  /** How the next `times` calls of a method end (`*`: of any). */
  fail(method: string, fault: Fault, times?: number): void;
  /** Forgets all that `fail` still has to do. */
  heal(): void;
  /** What a chat got (default: all chats), oldest first. */
  sent(chatId?: number): readonly SentMessage[];
  calls(method?: string): readonly BotCall[];
  /** What the bot has set by setMyCommands. */
  commands(): readonly { command: string; description: string }[];
  /** Updates that the bot has not acknowledged. */
  pending(): number;
  /** True while a getUpdates call is waiting. */
  isPolled(): boolean;
  /** Called with each message the bot sends. */
  onSent(listener: (message: SentMessage) => void): void;
  stop(): Promise<void>;
}

/** Starts one. */
export async function startTelegramEmulator(options: EmulatorOptions = {}): Promise<TelegramEmulator> {
  const { port = 0, token = '4242:emulated-bot-token', username = 'mintwatch_test_bot' } = options;
  const state = emptyState(token, username);
  const emulator = controlsOf(state);
  const server: Server = createEmulatorServer((request) => answer(state, request), emulator);
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
    keep(state.updates, { update_id: id, ...update });
    state.events.emit('update');
    return id;
  }

  return {
    token: state.token,
    push,
    say(from, text, chat) {
      const { id, username = `user${id}`, firstName = `User ${id}` } = typeof from === 'number' ? { id: from } : from;
      const person = { id, first_name: firstName, username };
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
    faultOf(chatId, fault) {
      if (fault) state.chatFaults.set(chatId, fault);
      else state.chatFaults.delete(chatId);
    },
    fail(method, fault, times = 1) {
      state.methodFaults.push({ method, fault, times });
    },
    heal() {
      state.methodFaults = [];
    },
    sent: (chatId) => (chatId === undefined ? [...state.sent] : state.sent.filter((sent) => sent.chatId === chatId)),
    calls: (method) => (method === undefined ? [...state.calls] : state.calls.filter((call) => call.method === method)),
    commands: () => state.commands,
    pending: () => state.updates.length,
    isPolled: () => state.endPoller !== null,
    onSent: (listener) => void state.events.on('sent', listener),
  };
}

async function answer(
  state: EmulatorState,
  request: { token: string; method: string; params: CallParameters; gone: AbortSignal },
): Promise<Answer> {
  const { token, method, params, gone } = request;
  if (token !== state.token) return { status: 401, error: 'Unauthorized' };
  keep(state.calls, { method, params, at: Date.now() });
  return botApi(state, method, params, gone);
}
