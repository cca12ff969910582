import type { Connection } from 'mongoose';
import { Api } from 'node-telegram-bot-api';
import type { Logger } from 'pino';
import type { BotStatus } from '../../common/telegram/model.ts';
import { MESSAGE_MAX } from '../../common/templates/render.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Config } from '../config/config.ts';
import type { EventSink, EventSource } from '../events/bus.ts';
import type { Users } from '../users/service.ts';
import { type Allowance, createChatLimit } from './bot/chat-limit.ts';
import { dispatch } from './bot/dispatch.ts';
import { type PollDeps, runBot } from './bot/poll.ts';
import { answerPress } from './bot/press.ts';
import { loadProcessedUpdates } from './bot/processed-updates.ts';
import {
  addRecent,
  type BotFacts,
  createStatusPublisher,
  noFacts,
  presentStatus,
  withoutDetails,
} from './bot/status.ts';
import { createSupervisor, type SupervisorTiming, supervisorTiming } from './bot/supervisor.ts';
import type { Press, PrivateMessage } from './bot/update.ts';
import { commands } from './commands/all.ts';
import { type CommandServices, isCommand } from './commands/command.ts';
import { withoutQuestion } from './confirms/confirms.ts';
import { telegramModels } from './links/model.ts';
import type { TelegramLinks } from './links/service.ts';
import { createSender, type Sender, type SendResult } from './sender.ts';
import { stop } from './trading/stop.ts';

/** Time limit of a call of the Bot API, ms; getUpdates gets 10 s on top of its waiting time. */
const CALL_TIMEOUT = 10_000;
const TOO_MANY = 'That was a lot at once. Please wait a few seconds.';

/** The bot, and the only way to Telegram. */
export interface Telegram {
  links: TelegramLinks;
  sender: Sender;
  /** Resolves with the status, for administrators with its details. */
  status(isAdmin: boolean): Promise<BotStatus>;
  isConnected(): boolean;
  /** Returns the bot's username without the @, as reported by Telegram or as configured; null: neither. */
  username(): string | null;
  /** Starts polling if there is a token. Does not wait for Telegram, which may be unavailable. */
  start(services: CommandServices): void;
  /** Resolves within a second. */
  stop(): Promise<void>;
}

export interface TelegramDeps {
  connection: Connection;
  config: Pick<Config, 'telegramBotToken' | 'telegramApiRoot' | 'telegramBotUsername' | 'publicUrl'>;
  links: TelegramLinks;
  users: Pick<Users, 'findActive'>;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
  timing?: SupervisorTiming;
  /** Length of a second of the sender, ms; shorter in tests. */
  senderSecond?: number;
}

/** Creates the configured bot, without polling yet. Without a token it never polls and sends nothing. */
export function createTelegram(deps: TelegramDeps): Telegram {
  const { config, links, bus, clock, random } = deps;
  const log = deps.log.child({ part: 'telegram' });
  const { telegramBotToken: token, telegramApiRoot: apiRoot } = config;
  // No retries here: each caller decides what to retry, and when.
  const api = token === null ? null : new Api(token, { apiRoot, timeoutMs: CALL_TIMEOUT, maxRetries: 0 });
  const { senderSecond: second } = deps;
  const sender = createSender({ api, markGone: links.markGone, ...(second === undefined ? {} : { second }) });
  const facts = noFacts();
  const services: { current: CommandServices | null } = { current: null };
  const supervisor = createSupervisor({
    run: (signal, connected) => (api ? runBot({ api, ...handlers }, signal, connected) : Promise.resolve()),
    onChange: () => publisher.changed(),
    timing: deps.timing ?? supervisorTiming,
    clock,
    random,
    log,
  });
  const read = async () =>
    presentStatus({
      configured: token !== null,
      facts,
      supervisor: supervisor.state(),
      username: config.telegramBotUsername,
      commands,
      apiHost: new URL(apiRoot).host,
      activeUserCount: await links.countActive(),
    });
  const publisher = createStatusPublisher({ read, bus, clock });
  const unsubscribe = bus.on('telegram-link-changed', publisher.changed);
  const handlers = createHandlers({ ...deps, log, facts, sender, services, onChange: publisher.changed });

  return {
    links,
    sender,
    async status(isAdmin) {
      const status = await read();
      return isAdmin ? status : withoutDetails(status);
    },
    isConnected: () => supervisor.state().state === 'connected',
    username: () => facts.info?.username ?? config.telegramBotUsername,
    start(given) {
      services.current = given;
      if (api) supervisor.start();
    },
    async stop() {
      unsubscribe();
      publisher.stop();
      await supervisor.stop();
      sender.stop();
    },
  };
}

interface HandlerDeps extends TelegramDeps {
  facts: BotFacts;
  sender: Sender;
  /** Null until the start. */
  services: { current: CommandServices | null };
  onChange(): void;
}

/** Handles everything that polling brings. */
function createHandlers(deps: HandlerDeps): Omit<PollDeps, 'api'> {
  const { connection, links, facts, clock, log, onChange } = deps;
  return {
    commands,
    processedBy: (botId) => loadProcessedUpdates(telegramModels(connection).processedUpdates, botId, log),
    onInfo(info) {
      facts.info = info;
    },
    onContact() {
      facts.lastContactAt = clock.now();
      onChange();
    },
    allowance: createChatLimit(clock),
    // A stop must not wait for the commands before it.
    isUrgent: ({ text }) => isCommand(text, stop),
    onMessage: (message, { username }, allowed) => reply(message, username, allowed, deps),
    onPress: (press, allowed) => replyToPress(press, allowed, deps),
    async onMembership(chatId, kind) {
      const change = kind === 'blocked' ? links.markGone(chatId) : links.markBack(chatId);
      // A failure is corrected by the next message to this chat.
      await change.catch((error: unknown) => log.warn({ error }, 'blocked chat could not be stored'));
    },
    onProcessed() {
      facts.updates += 1;
      onChange();
    },
    onFailure: (error) => log.error({ error }, 'Telegram update could not be processed'),
  };
}

/** Replies to a message. Resolves with false when the reply did not arrive. */
async function reply(
  message: PrivateMessage,
  botUsername: string,
  allowed: Allowance,
  { facts, services, config, links, users, clock, log, sender }: HandlerDeps,
): Promise<boolean> {
  addRecent(facts, message);
  // A stop acts however many commands came before it.
  const isLimited = allowed !== 'allowed' && !isCommand(message.text, stop);
  if ((isLimited && allowed === 'ignore') || !services.current) return true;
  const context = { ...services.current, links, clock, publicUrl: config.publicUrl, commands };
  const done = isLimited
    ? { text: TOO_MANY, buttons: [] }
    : await dispatch(message, botUsername, { links, users, context, log });
  if (done === null || allowed === 'ignore') return true;
  return arrived(await sender.send(message.chatId, done.text, { urgent: true, buttons: done.buttons }), log);
}

/** Does the action of a pressed button, and adds the outcome to its message. Resolves with false when it did not arrive. */
async function replyToPress(
  press: Press,
  allowed: Allowance,
  { services, links, users, log, sender }: HandlerDeps,
): Promise<boolean> {
  if (!services.current) return true;
  const { chatId, queryId, message, data } = press;
  const limited = { toast: TOO_MANY };
  const done =
    allowed === 'allowed' ? await answerPress(press, { links, users, context: services.current, log }) : limited;
  await sender.answer(queryId, 'toast' in done ? done.toast : null);
  if ('toast' in done) return true;
  if (message.text !== null) {
    const text = `${message.text}\n\n${done.outcome}`;
    const edit = { urgent: true, messageId: message.id, buttons: withoutQuestion(message.buttons, data) };
    const result = text.length <= MESSAGE_MAX ? await sender.send(chatId, text, edit) : null;
    if (result === 'sent') return true;
  }
  // The message was deleted, is too old to be edited, or has no room.
  return arrived(await sender.send(chatId, done.outcome, { urgent: true }), log);
}

function arrived(result: SendResult, log: Logger): boolean {
  if (result !== 'sent') log.info({ failed: result.failed }, 'Telegram reply did not arrive');
  return result === 'sent';
}
