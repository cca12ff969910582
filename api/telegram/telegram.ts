import type { Connection } from 'mongoose';
import { Api } from 'node-telegram-bot-api';
import type { Logger } from 'pino';
import type { BotInfo, BotStatus } from '../../common/telegram/model.ts';
import { MESSAGE_MAX } from '../../common/templates/render.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Config } from '../config/config.ts';
import type { EventSink, EventSource } from '../events/bus.ts';
import type { Users } from '../users/service.ts';
import { type Allowance, createChatLimit, createStrangerLimit } from './bot/chat-limit.ts';
import { type ChatReply, type DispatchDeps, dispatch, isDatabaseAway } from './bot/dispatch.ts';
import { runBot } from './bot/poll.ts';
import { answerPress } from './bot/press.ts';
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
import { createUpdateQueue, type UpdateQueueDeps } from './bot/update-queue.ts';
import { commands } from './commands/all.ts';
import { type CommandServices, isCommand } from './commands/command.ts';
import { withoutQuestion } from './confirms/confirms.ts';
import type { TelegramLinks } from './links/service.ts';
import { createSender, type Sender, type SendResult } from './sender.ts';
import { stop } from './trading/stop.ts';

/** Time limit of a call of the Bot API, ms; getUpdates gets 10 s on top of its waiting time. */
const CALL_TIMEOUT = 10_000;
/** Replies to chats without an account that wait to be sent. */
const STRANGERS_WAITING_MAX = 50;
const TOO_MANY = 'That was a lot at once. Please wait a few seconds.';
const DELAYED = 'Not done yet: the database is not reachable. It is tried again until it is.';

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
  const options = { apiRoot, timeoutMs: CALL_TIMEOUT, maxRetries: 0 };
  const api = token === null ? null : new Api(token, options);
  const { senderSecond: second } = deps;
  const sender = createSender({ api, markGone: links.markGone, ...(second === undefined ? {} : { second }) });
  const facts = noFacts();
  const services: { current: CommandServices | null } = { current: null };
  const supervisor = createSupervisor({
    run: (signal, connected) =>
      token === null ? Promise.resolve() : runBot({ token, options, commands, ...polling }, signal, connected),
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
  const updates = createUpdateQueue(
    createHandlers({ ...deps, log, facts, sender, services, onChange: publisher.changed }),
  );
  const polling = {
    take: updates.take,
    onInfo(info: BotInfo) {
      facts.info = info;
    },
    onContact() {
      facts.lastContactAt = clock.now();
      publisher.changed();
    },
  };

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
      updates.stop();
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
function createHandlers(deps: HandlerDeps): UpdateQueueDeps {
  const { links, facts, clock, sender, log, onChange } = deps;
  const mayReplyToStranger = createStrangerLimit(clock);
  const toStrangers = createStrangerReplies(sender);
  return {
    allowance: createChatLimit(clock),
    async onMessage(message, { username }, allowed) {
      const done = await replyTo(message, username, allowed, { ...deps, mayReplyToStranger });
      if (!done) return;
      const { chatId } = message;
      const { text, buttons } = done;
      if (done.isStranger) toStrangers(chatId, text);
      else void sender.send(chatId, text, { urgent: true, buttons }).then((result) => logFailure(result, log));
    },
    onPress: (press, allowed) => doPress(press, allowed, deps),
    async onMembership(chatId, kind) {
      const change = kind === 'blocked' ? links.markGone(chatId) : links.markBack(chatId);
      // A failure is corrected by the next message to this chat.
      await change.catch((error: unknown) => log.warn({ error }, 'blocked chat could not be stored'));
    },
    onDelayed(incoming) {
      if (incoming.kind === 'press') void sender.answer(incoming.queryId, DELAYED);
      else void sender.send(incoming.chatId, DELAYED, { urgent: true });
    },
    onProcessed() {
      facts.updates += 1;
      onChange();
    },
    onFailure(error) {
      // That the database is away is logged where it is detected.
      if (!isDatabaseAway(error)) log.error({ error }, 'Telegram update could not be processed');
    },
  };
}

/** Returns the reply to a message; null: none. Rejects when the database was away for a stop. */
async function replyTo(
  message: PrivateMessage,
  botUsername: string,
  allowed: Allowance,
  deps: HandlerDeps & Pick<DispatchDeps, 'mayReplyToStranger'>,
): Promise<ChatReply | null> {
  const { facts, services, config, links, clock } = deps;
  addRecent(facts, message);
  // A stop acts however many commands came before it.
  const isLimited = allowed !== 'allowed' && !isCommand(message.text, stop);
  if ((isLimited && allowed === 'ignore') || !services.current) return null;
  if (isLimited) return (await links.byChat(message.chatId)) && { text: TOO_MANY, buttons: [], isStranger: false };
  const context = { ...services.current, links, clock, publicUrl: config.publicUrl, commands };
  return dispatch(message, botUsername, { ...deps, context });
}

/** Returns a function that replies to a chat without an account: after all other messages, and only while few wait. */
function createStrangerReplies(sender: Sender): (chatId: string, text: string) => void {
  let waiting = 0;
  return (chatId, text) => {
    if (waiting >= STRANGERS_WAITING_MAX) return;
    waiting += 1;
    void sender.send(chatId, text).finally(() => {
      waiting -= 1;
    });
  };
}

/** Does the action of a pressed button. Does not wait until the person sees the outcome. */
async function doPress(
  press: Press,
  allowed: Allowance,
  { services, links, users, log, sender }: HandlerDeps,
): Promise<void> {
  if (allowed === 'ignore' || !services.current) return;
  const limited = { toast: TOO_MANY };
  const done =
    allowed === 'allowed' ? await answerPress(press, { links, users, context: services.current, log }) : limited;
  void sender.answer(press.queryId, 'toast' in done ? done.toast : null);
  if ('outcome' in done) void showOutcome(press, done.outcome, sender, log);
}

/** Adds the outcome of a press to its message. */
async function showOutcome({ chatId, message, data }: Press, outcome: string, sender: Sender, log: Logger) {
  if (message.text !== null) {
    const text = `${message.text}\n\n${outcome}`;
    const edit = { urgent: true, messageId: message.id, buttons: withoutQuestion(message.buttons, data) };
    const result = text.length <= MESSAGE_MAX ? await sender.send(chatId, text, edit) : null;
    if (result === 'sent') return;
  }
  // The message was deleted, is too old to be edited, or has no room.
  logFailure(await sender.send(chatId, outcome, { urgent: true }), log);
}

function logFailure(result: SendResult, log: Logger): void {
  if (result !== 'sent') log.info({ failed: result.failed }, 'Telegram reply did not arrive');
}
