import { Api } from 'node-telegram-bot-api';
import type { Logger } from 'pino';
import type { BotStatus } from '../../common/telegram/model.ts';
import { MESSAGE_MAX } from '../../common/templates/render.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Config } from '../config/config.ts';
import type { EventSink, EventSource } from '../events/bus.ts';
import type { Users } from '../users/service.ts';
import { type BotTiming, createBot } from './bot/bot.ts';
import { answerPress, type ChatReply, type DispatchDeps, dispatch, isDatabaseAway } from './bot/dispatch.ts';
import {
  addRecent,
  type BotFacts,
  createStatusPublisher,
  noFacts,
  presentStatus,
  withoutDetails,
} from './bot/status.ts';
import type { Press, PrivateMessage } from './bot/update.ts';
import {
  type Allowance,
  createChatLimit,
  createStrangerLimit,
  createUpdateQueue,
  type UpdateQueueDeps,
} from './bot/update-queue.ts';
import { commands } from './commands/all.ts';
import { type CommandServices, isCommand } from './commands/command.ts';
import { withoutQuestion } from './confirms.ts';
import type { TelegramLinks } from './links.ts';
import { createSender, type Sender, type SendResult } from './sender.ts';
import { stop } from './trading/stop.ts';

/** Time limit of a call of the Bot API, ms; getUpdates gets 10 s on top of its waiting time. */
const CALL_TIMEOUT = 10_000;
/** Replies to chats without an account that wait to be sent. */
const STRANGERS_WAITING_MAX = 50;
const TOO_MANY = 'That was a lot at once. Please wait a few seconds.';
const DELAYED = 'Not done yet: the database is not reachable. It is tried again until it is.';

export interface TelegramDeps {
  config: Pick<Config, 'telegramBotToken' | 'telegramApiRoot' | 'telegramBotUsername' | 'publicUrl'>;
  links: TelegramLinks;
  users: Pick<Users, 'findActive'>;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
  timing?: BotTiming;
  /** Length of a second of the sender, ms; shorter in tests. */
  senderSecond?: number;
}

export type Telegram = ReturnType<typeof createTelegram>;

/**
 * Creates the configured bot, and the only way to Telegram, without polling yet. Without a token it never polls and sends
 * nothing.
 */
export function createTelegram(deps: TelegramDeps) {
  const { config, links, bus, clock, senderSecond: second } = deps;
  const log = deps.log.child({ part: 'telegram' });
  const { telegramBotToken: token, telegramApiRoot: apiRoot } = config;
  // No retries here: the library would also send again after a lost response.
  const api = token === null ? null : new Api(token, { apiRoot, timeoutMs: CALL_TIMEOUT, maxRetries: 0 });
  const sender = createSender({ api, markGone: links.markGone, ...(second === undefined ? {} : { second }) });
  const facts = noFacts();
  const handling: HandlerDeps = { ...deps, log, facts, sender, services: null, onChange: () => publisher.changed() };
  const updates = createUpdateQueue(createHandlers(handling));
  const bot =
    api &&
    createBot({
      ...{ ...deps, api, commands, log, take: updates.take, onChange: handling.onChange },
      onInfo(info) {
        facts.info = info;
      },
      onContact() {
        facts.lastContactAt = clock.now();
        publisher.changed();
      },
    });
  const botState = () => bot?.state() ?? { state: 'stopped' as const };
  const read = async () =>
    presentStatus({
      configured: token !== null,
      facts,
      bot: botState(),
      username: config.telegramBotUsername,
      commands,
      apiHost: new URL(apiRoot).host,
      activeUserCount: await links.countActive(),
    });
  const publisher = createStatusPublisher({ read, bus });
  const unsubscribe = bus.on('telegram-link-changed', publisher.changed);

  return {
    links,
    sender,
    /** Resolves with the status, for administrators with its details. */
    async status(isAdmin: boolean): Promise<BotStatus> {
      const status = await read();
      return isAdmin ? status : withoutDetails(status);
    },
    isConnected: () => botState().state === 'connected',
    /** Returns the bot's username without the @, as reported by Telegram or as configured; null: neither. */
    username: () => facts.info?.username ?? config.telegramBotUsername,
    /** Starts polling if there is a token. Does not wait for Telegram, which may be unavailable. */
    start(services: CommandServices): void {
      handling.services = services;
      bot?.start();
    },
    /** Resolves within a second. */
    async stop(): Promise<void> {
      unsubscribe();
      publisher.stop();
      updates.stop();
      await bot?.stop();
      sender.stop();
    },
  };
}

interface HandlerDeps extends TelegramDeps {
  facts: BotFacts;
  sender: Sender;
  /** Null until the start. */
  services: CommandServices | null;
  onChange(): void;
}

/** Handles everything that polling brings. */
function createHandlers(deps: HandlerDeps): UpdateQueueDeps {
  const { links, facts, clock, sender, log, onChange } = deps;
  const mayReplyToStranger = createStrangerLimit(clock);
  const replyToStranger = createStrangerReplies(sender);
  return {
    allowance: createChatLimit(clock),
    async onMessage(message, { username }, allowed) {
      const reply = await replyTo(message, username, allowed, { ...deps, mayReplyToStranger });
      if (!reply) return;
      const { text, buttons, isStranger } = reply;
      if (isStranger) replyToStranger(message.chatId, text);
      else
        void sender
          .send(message.chatId, text, { priority: 'reply', buttons })
          .then((result) => logFailure(result, log));
    },
    onPress: (press, allowed) => doPress(press, allowed, deps),
    async onMembership(chatId, kind) {
      const change = kind === 'blocked' ? links.markGone(chatId) : links.markBack(chatId);
      // A failure is corrected by the next message to this chat.
      await change.catch((error: unknown) => log.warn({ error }, 'blocked chat could not be stored'));
    },
    onDelayed(incoming) {
      if (incoming.kind === 'press') void sender.answer(incoming.queryId, DELAYED);
      else void sender.send(incoming.chatId, DELAYED, { priority: 'reply' });
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
  if ((isLimited && allowed === 'ignore') || !services) return null;
  if (isLimited) return (await links.byChat(message.chatId)) && { text: TOO_MANY, buttons: [], isStranger: false };
  const context = { ...services, links, clock, publicUrl: config.publicUrl, commands };
  return dispatch(message, botUsername, { ...deps, context });
}

/** Returns a function that replies to a chat without an account: after all other messages, and only while few wait. */
function createStrangerReplies(sender: Sender): (chatId: string, text: string) => void {
  let waiting = 0;
  return (chatId, text) => {
    if (waiting >= STRANGERS_WAITING_MAX) return;
    waiting += 1;
    void sender.send(chatId, text, { priority: 'bulk' }).finally(() => {
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
  if (allowed === 'ignore' || !services) return;
  const reply =
    allowed === 'allowed' ? await answerPress(press, { links, users, context: services, log }) : { toast: TOO_MANY };
  void sender.answer(press.queryId, 'toast' in reply ? reply.toast : null);
  if ('outcome' in reply) void showOutcome(press, reply.outcome, sender, log);
}

/** Adds the outcome of a press to its message. */
async function showOutcome({ chatId, message, data }: Press, outcome: string, sender: Sender, log: Logger) {
  const text = `${message.text ?? ''}\n\n${outcome}`;
  if (message.text !== null && text.length <= MESSAGE_MAX) {
    const edit = { messageId: message.id, buttons: withoutQuestion(message.buttons, data) };
    if ((await sender.send(chatId, text, { priority: 'reply', ...edit })) === 'sent') return;
  }
  // The message was deleted, is too old to be edited, or has no room.
  logFailure(await sender.send(chatId, outcome, { priority: 'reply' }), log);
}

function logFailure(result: SendResult, log: Logger): void {
  if (result !== 'sent') log.info({ failed: result.failed }, 'Telegram reply did not arrive');
}
