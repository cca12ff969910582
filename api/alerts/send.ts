import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { MESSAGE_MAX } from '../../common/templates/render.ts';
import { type Clock, HOUR, MINUTE, type Random } from '../../common/time.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { backoff, pause } from '../platform/resilience.ts';
import type { TelegramLinks } from '../telegram/links.ts';
import type { Sender, SendResult } from '../telegram/sender.ts';
import { type AlertMessage, type AlertRecord, typesAboutTokens } from './model.ts';
import {
  type AlertStore,
  createDatabaseRetry,
  type DatabaseRetry,
  failures,
  type MessageEnd,
  type WaitingAlert,
} from './store.ts';

/** Messages handed to the sender at a time, each to another chat: as many as it sends while one chat must pause. */
const CONCURRENCY = 30;
/** Messages that wait, about 500 bytes each; further ones are not sent. Telegram accepts 90,000 in an hour. */
const WAITING_MAX = 90_000;
/** An older message is no longer sent, ms. */
export const MAX_AGE = HOUR;
/** A start sends no older message about a token, ms: the moment to act on it is over. */
export const TOKEN_MAX_AGE = 2 * MINUTE;
/** Interval between checks whether the bot is connected, ms. */
const POLL_INTERVAL = 1_000;
/** Alerts about own trades and the account are sent before those about tokens. */
const RANK = { alert: 0, trade: 1 };
/** Delay while Telegram is unavailable, ms. */
const BACKOFF = { base: 1_000, max: 30_000 };

export interface DeliveryDeps {
  links: Pick<TelegramLinks, 'ofUsers'>;
  store: Pick<AlertStore, 'allowed' | 'begin' | 'end' | 'recover'>;
  sender: Pick<Sender, 'send'>;
  /** Messages wait until the bot is connected. */
  isConnected(): boolean;
  clock: Clock;
  random: Random;
  log: Logger;
  /** ms; shorter in tests. */
  pollInterval?: number;
  /** Smaller in tests. */
  waitingMax?: number;
}

/** The delivery, as the writers of alerts use it. */
export interface Outgoing {
  /** Returns the messages of those users who have a chat, by user id: queued, or failed while too many wait. */
  messages(userIds: readonly string[], template: string, at: Date): Promise<Map<string, AlertMessage>>;
  /** Adds the queued messages of stored alerts. */
  add(records: readonly WaitingAlert[]): void;
}

/** A message that waits in memory. Its alert is read when it is sent. */
interface Waiting {
  _id: AlertRecord['_id'];
  userId: string;
  priority: keyof typeof RANK;
  /** The token; null for an alert that concerns none. */
  address: string | null;
  /** Epoch ms. */
  at: number;
}

/**
 * Sends the messages of stored alerts: own trades before tokens, and for each user one of each at a time, so that no
 * user waits for the many messages of another. `sending` is stored before a message is sent, so that none is sent twice.
 */
export function createDelivery(deps: DeliveryDeps) {
  const { clock, links, store, pollInterval = POLL_INTERVAL, waitingMax = WAITING_MAX } = deps;
  const log = deps.log.child({ part: 'delivery' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createDatabaseRetry({ ...deps, log, what: 'delivery results', signal });
  const attempt = createAttempts({ ...deps, retry, signal, pollInterval });
  const sending = new PQueue({ concurrency: CONCURRENCY, autoStart: false });
  /** Runs the messages of one user and kind in order. */
  const inOrder = createKeyedMutex();
  let waiting = 0;

  /** Sends a message, again after each pause that Telegram requests. Never rejects. */
  async function deliver(message: Waiting): Promise<void> {
    try {
      while (!signal.aborted) {
        const chatPause = await sending.add(() => attempt(message), { priority: RANK[message.priority] });
        if (chatPause === null) break;
        await waitUntil(clock.now() + chatPause, { clock, pollInterval, signal });
      }
    } catch (error) {
      // The next start finds the message again, or ends it as unknown.
      if (!signal.aborted) log.warn({ error }, 'delivery result could not be stored');
    }
    waiting -= 1;
  }

  function add(records: readonly WaitingAlert[]): void {
    for (const { _id, userId: id, address, type, telegram } of records) {
      if (telegram?.state !== 'queued') continue;
      const [userId, priority] = [id.toHexString(), typesAboutTokens.includes(type) ? 'alert' : 'trade'] as const;
      waiting += 1;
      void inOrder(`${userId} ${priority}`, () =>
        deliver({ _id, userId, priority, address, at: telegram.at.getTime() }),
      );
    }
  }

  return {
    add,
    async messages(userIds: readonly string[], template: string, at: Date): Promise<Map<string, AlertMessage>> {
      const message: AlertMessage =
        waiting < waitingMax
          ? { state: 'queued', template, at, reason: null, note: null }
          : { state: 'failed', template, at, reason: failures.tooMany, note: null };
      const reachable = [...(await links.ofUsers(userIds))].filter(([, { goneAt }]) => goneAt === null);
      return new Map(reachable.map(([userId]) => [userId, message]));
    },
    /** Ends what an earlier process left, adds the messages that are still worth sending, and begins to send. */
    async start(): Promise<void> {
      const now = clock.now();
      add(await retry(() => store.recover({ own: now - MAX_AGE, token: now - TOKEN_MAX_AGE })));
      sending.start();
    },
    /** Begins no further message, and resolves when those in flight have ended. Stop the sender first: it ends them. */
    async stop(): Promise<void> {
      stopping.abort();
      sending.clear();
      await sending.onIdle();
    },
  };
}

interface AttemptDeps extends DeliveryDeps {
  retry: DatabaseRetry;
  signal: AbortSignal;
  pollInterval: number;
}

/**
 * Creates the attempts to send a message. An attempt waits until Telegram takes messages, sends one that is still wanted, and
 * stores its outcome. It returns how long to wait before the next attempt, ms; null: the message has ended.
 */
function createAttempts(deps: AttemptDeps) {
  const { clock, store, links, sender, retry, signal } = deps;
  let failedInRow = 0;
  /** End of the pause of all messages, epoch ms. */
  let pausedUntil = 0;

  /** `retryAfter`: s, as requested by Telegram. */
  function pauseAll(retryAfter: number | undefined): void {
    const ms =
      retryAfter === undefined ? backoff(failedInRow, { ...BACKOFF, random: deps.random }) : retryAfter * 1_000;
    failedInRow += 1;
    pausedUntil = Math.max(pausedUntil, clock.now() + ms);
  }

  /** Returns why the message is not to be sent, or the chat to send it to. */
  async function chatOf({ userId, priority, at, address }: Waiting): Promise<{ failed: string } | { chatId: string }> {
    if (clock.now() - at > MAX_AGE) return { failed: failures.tooLate };
    const link = (await links.ofUsers([userId])).get(userId);
    if (!link || link.goneAt !== null) return { failed: failures.noChat };
    // No blacklist holds an alert about an own trade back.
    const allowed = await store.allowed(priority === 'trade' ? null : address, [userId]);
    return allowed.has(userId) ? { chatId: link.chatId } : { failed: failures.unwanted };
  }

  /** Returns the end of the message. Pauses all messages when the failure is not of its chat. */
  function endOf(result: SendResult): MessageEnd {
    if (result === 'sent') {
      failedInRow = 0;
      return 'sent';
    }
    if (result.maybeSent) {
      pauseAll(undefined);
      return { failed: failures.unknown };
    }
    switch (result.failed) {
      case 'blocked':
      case 'gone':
        return { failed: failures.noChat };
      case 'refused':
        return { failed: failures.refused };
      case 'unavailable':
        if (!result.onlyThisChat) pauseAll(result.retryAfter);
        return 'queued';
    }
  }

  return async function attempt(message: Waiting): Promise<number | null> {
    const { _id, at } = message;
    while (!(deps.isConnected() && clock.now() >= pausedUntil) && clock.now() - at <= MAX_AGE && !signal.aborted) {
      await pause(deps.pollInterval, signal);
    }
    if (signal.aborted) return null;
    const chat = await retry(() => chatOf(message));
    if ('failed' in chat) {
      await retry(() => store.end(_id, 'queued', chat));
      return null;
    }
    const alert = await retry(() => store.begin(_id));
    if (!alert) return null;
    const result = await sender.send(chat.chatId, textOf(alert), { priority: message.priority });
    const end = endOf(result);
    await retry(() => store.end(_id, 'sending', end));
    if (end !== 'queued') return null;
    return result !== 'sent' && result.onlyThisChat ? (result.retryAfter ?? 1) * 1_000 : 0;
  };
}

/** Waits until a time (epoch ms), or until `signal` aborts. */
async function waitUntil(
  at: number,
  { clock, pollInterval, signal }: Pick<AttemptDeps, 'clock' | 'pollInterval' | 'signal'>,
): Promise<void> {
  for (let ms = at - clock.now(); ms > 0 && !signal.aborted; ms = at - clock.now()) {
    await pause(Math.min(ms, pollInterval), signal);
  }
}

/** Returns the text with its note, if both fit. */
function textOf({ text, telegram }: AlertRecord): string {
  const note = telegram?.note ?? null;
  const noted = `${text}\n\n${note}`;
  return note !== null && noted.length <= MESSAGE_MAX ? noted : text;
}
