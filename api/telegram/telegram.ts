import type { Connection } from 'mongoose';
import { Api } from 'node-telegram-bot-api';
import type { Logger } from 'pino';
import type { BotStatus } from '../../common/telegram/model.ts';
import type { Clock, Random } from '../../common/time.ts';
import type { Publisher } from '../../realtime/publisher.ts';
import type { Config } from '../config/config.ts';
import { loggable } from '../platform/log.ts';
import type { Users } from '../users/service.ts';
import { type Allowance, createChatLimit } from './bot/chat-limit.ts';
import { answerTo } from './bot/dispatch.ts';
import { type PollDeps, runBot } from './bot/poll.ts';
import { loadHandled } from './bot/processed-updates.ts';
import { createStatusNews, noFacts, presentStatus, remember, withoutDetails } from './bot/status.ts';
import { createSupervisor, type SupervisorTiming, supervisorTiming } from './bot/supervisor.ts';
import type { PrivateMessage } from './bot/update.ts';
import { commands } from './commands/all.ts';
import type { CommandServices } from './commands/command.ts';
import { telegramModels } from './links/model.ts';
import type { TelegramLinks } from './links/service.ts';
import { createSender, type Sender } from './sender.ts';

/** An ordinary call of the Bot API may take this long, ms; getUpdates 10 s longer than it waits. */
const CALL_TIMEOUT = 10_000;
const TOO_MANY = 'That was a lot at once. Please wait a few seconds.';

/** The bot and whatever else goes through Telegram. */
export interface Telegram {
  links: TelegramLinks;
  sender: Sender;
  /** With the details for administrators. */
  status(isAdmin: boolean): Promise<BotStatus>;
  isConnected(): boolean;
  /** The bot's username without the @, as Telegram says or as configured; null: neither. */
  username(): string | null;
  /** Starts to poll, if there is a token. Resolves at once: Telegram may be away. */
  start(services: CommandServices): void;
  /** Within a second. */
  stop(): Promise<void>;
}

export interface TelegramDeps {
  connection: Connection;
  config: Pick<Config, 'telegramBotToken' | 'telegramApiRoot' | 'telegramBotUsername' | 'publicUrl'>;
  links: TelegramLinks;
  users: Pick<Users, 'findActive'>;
  publisher: Pick<Publisher, 'send'>;
  clock: Clock;
  random: Random;
  log: Logger;
  timing?: SupervisorTiming;
}

/** The bot of this configuration, not yet polling. Without a token it never does, and can send nothing. */
export function createTelegram(deps: TelegramDeps): Telegram {
  const { connection, config, links, publisher, clock, random } = deps;
  const log = deps.log.child({ part: 'telegram' });
  const { telegramBotToken: token, telegramApiRoot: apiRoot } = config;
  // Whoever calls decides what is repeated, and when.
  const api = token === null ? null : new Api(token, { apiRoot, timeoutMs: CALL_TIMEOUT, maxRetries: 0 });
  const sender = createSender({ api, markGone: links.markGone });
  const facts = noFacts();
  const services: { current: CommandServices | null } = { current: null };
  const supervisor = createSupervisor({
    run: (signal, connected) => (api ? runBot({ api, ...handlers() }, signal, connected) : Promise.resolve()),
    onChange: () => news.changed(),
    timing: deps.timing ?? supervisorTiming,
    clock,
    random,
    log,
  });
  const read = async () => {
    const activeUserCount = await links.countActive();
    return presentStatus({
      configured: token !== null,
      facts,
      supervisor: supervisor.state(),
      username: config.telegramBotUsername,
      commands,
      apiHost: new URL(apiRoot).host,
      activeUserCount,
    });
  };
  const news = createStatusNews({ read, publisher, clock });
  links.onChange(() => news.changed());
  const allowance = createChatLimit(clock);

  async function onMessage(message: PrivateMessage, botUsername: string, allowed: Allowance): Promise<boolean> {
    remember(facts, message);
    if (allowed === 'ignore' || !services.current) return true;
    const context = { ...services.current, links, clock, publicUrl: config.publicUrl, commands };
    const text =
      allowed === 'tell' ? TOO_MANY : await answerTo(message, botUsername, { links, users: deps.users, context, log });
    if (text === null) return true;
    const result = await sender.send(message.chatId, text, { urgent: true });
    if (result !== 'sent') log.info({ failed: result.failed }, 'an answer did not arrive');
    return result === 'sent';
  }

  function handlers(): Omit<PollDeps, 'api'> {
    return {
      commands,
      handledBy: (botId) => loadHandled(telegramModels(connection).handled, botId, log),
      onInfo(info) {
        facts.info = info;
      },
      onContact() {
        facts.lastContactAt = clock.now();
        news.changed();
      },
      allowance,
      onMessage: (message, { username }, allowed) => onMessage(message, username, allowed),
      async onMembership(chatId, kind) {
        const change = kind === 'blocked' ? links.markGone(chatId) : links.markBack(chatId);
        // The next message to this chat finds it out again.
        await change.catch((error: unknown) => log.warn({ error: loggable(error) }, 'could not note a blocked chat'));
      },
      onHandled() {
        facts.updates += 1;
        news.changed();
      },
      onFailure: (error) => log.error({ error: loggable(error) }, 'could not handle a Telegram update'),
    };
  }

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
      news.stop();
      await supervisor.stop();
      sender.stop();
    },
  };
}
