import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import { type Api, TelegramApiError } from 'node-telegram-bot-api';
import PQueue from 'p-queue';
import { createGrowingCache } from '../platform/growing-cache.ts';
import { pause } from '../platform/resilience.ts';

/** Limit of Telegram: messages in a second over all chats. One chat accepts one message a second. */
const SENDS_PER_SECOND = 25;
/** Messages that may wait here. A caller with more keeps them in a queue of its own. */
export const WAITING_MAX = 1_000;
/** Replies that may wait besides: other messages never keep a reply out. */
const REPLIES_MAX = 500;
/** A longer pause, s, is handed back to the caller. */
const FLOOD_PAUSE_MAX = 60;
/** Attempts of a message that receives 429. */
const FLOOD_ATTEMPTS = 3;
/** Messages in flight; more would only pile up behind slow responses. */
const IN_FLIGHT_MAX = 40;
/** Slow chats remembered. */
const SLOW_MAX = 500;
/** Chats remembered with their last message. */
const CHATS_MAX = 5_000;

/** Order of sending: replies to persons first, then messages about own trades, other alerts, and broadcasts. */
const PRIORITIES = { reply: 3, trade: 2, alert: 1, bulk: 0 };
type Priority = keyof typeof PRIORITIES;

/**
 * Why a message did not arrive. `blocked`: by the person; `gone`: the chat no longer exists (both mark the chat as gone);
 * `refused`: Telegram refuses this text; `unavailable`: not now. `retryAfter`: s, if Telegram named it. `onlyThisChat`:
 * other chats accept messages meanwhile. `maybeSent`: the response was lost, so a retry may duplicate the message.
 */
export interface SendFailure {
  failed: 'blocked' | 'gone' | 'refused' | 'unavailable';
  retryAfter?: number;
  onlyThisChat?: true;
  maybeSent?: true;
}

export type SendResult = 'sent' | SendFailure;

/** A button below a message. `data`: what the bot receives when it is pressed, at most 64 bytes. */
export interface Button {
  text: string;
  data: string;
}
/** Rows of buttons. */
export type Keyboard = readonly (readonly Button[])[];

export interface SendOptions {
  /** Default: `alert`. */
  priority?: Priority;
  /** Default: none. */
  buttons?: Keyboard;
  /** Replaces text and buttons of this message of the bot instead of sending a new one. */
  messageId?: number;
}

export interface SenderDeps {
  /** Null without a bot: every message is `unavailable`. Its own retries are off, since they repeat lost responses, too. */
  api: Pick<Api, 'sendMessage' | 'editMessageText' | 'answerCallbackQuery'> | null;
  /** Called before a message ends as `blocked` or `gone`. */
  markGone(chatId: string): Promise<void>;
  /** Length of a second, ms; shorter in tests. */
  second?: number;
}

interface Job extends Required<Pick<SendOptions, 'buttons'>> {
  text: string;
  messageId: number | null;
  priority: number;
  attempts: number;
  /** When it last received 429, ms; null: never. */
  floodedAt: number | null;
  end(result: SendResult): void;
}

/** A chat with messages that wait: more urgent ones first, then older ones. `isQueued`: it waits for its turn. */
interface Chat {
  id: string;
  jobs: Job[];
  isQueued: boolean;
}

const UNAVAILABLE: SendFailure = { failed: 'unavailable' };

/** Passing time, ms. Not the time of day, which may be set back. */
const monotonic = () => performance.now();

export type Sender = ReturnType<typeof createSender>;

/**
 * Creates the only way to chats, for replies, alerts and broadcasts: it keeps the limits of Telegram. A reply waits neither for
 * other chats nor for other messages of its own chat.
 */
export function createSender({ api, markGone, second = 1_000 }: SenderDeps) {
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every message in flight and every pause listens to it; Node.js would report more than ten as a leak.
  setMaxListeners(WAITING_MAX + REPLIES_MAX + IN_FLIGHT_MAX, signal);
  const interval = second / SENDS_PER_SECOND;
  const queue = new PQueue({ concurrency: IN_FLIGHT_MAX, interval, intervalCap: 1, strict: true });
  const limits = createLimits(queue, second);
  const chats = api && createChats({ api, markGone, queue, limits, signal });
  let waiting = 0;

  return {
    /** Ends the progress indicator of a pressed button, and shows `text` for a moment. Never rejects. */
    async answer(queryId: string, text: string | null): Promise<void> {
      const call = { callback_query_id: queryId, ...(text === null ? {} : { text }) };
      // The press has had its effect; only the indicator on the person's screen goes on for a while.
      await api?.answerCallbackQuery(call, signal).catch(() => {});
    },
    /** Sends a message, or edits one, within the limits of Telegram. Never rejects. */
    send(chatId: string, text: string, options: SendOptions = {}): Promise<SendResult> {
      const { priority: name = 'alert', buttons = [], messageId = null } = options;
      if (!chats || signal.aborted) return Promise.resolve(UNAVAILABLE);
      if (waiting >= (name === 'reply' ? WAITING_MAX + REPLIES_MAX : WAITING_MAX)) {
        return Promise.resolve({ ...UNAVAILABLE, retryAfter: 1 });
      }
      const refusal = limits.refusal(chatId);
      if (refusal) return Promise.resolve(refusal);
      waiting += 1;
      return new Promise((resolve) => {
        const end = (result: SendResult) => {
          waiting -= 1;
          resolve(result);
        };
        const priority = PRIORITIES[name];
        chats.add(chatId, { text, buttons, messageId, priority, attempts: 0, floodedAt: null, end });
      });
    },
    /** Aborts messages in flight; all others end as `unavailable`. */
    stop(): void {
      stopping.abort();
      chats?.endAll(UNAVAILABLE);
      queue.clear();
    },
  };
}

interface ChatDeps extends Pick<SenderDeps, 'markGone'> {
  api: NonNullable<SenderDeps['api']>;
  queue: PQueue;
  limits: ReturnType<typeof createLimits>;
  signal: AbortSignal;
}

/**
 * Creates the chats with messages that wait. A chat is in the queue once, with the priority of its most urgent message, and again
 * after a second while it has more.
 */
function createChats({ api, markGone, queue, limits, signal }: ChatDeps) {
  const chats = new Map<string, Chat>();

  /** Ends the waiting messages of a chat without sending them. */
  const end = ({ jobs }: Chat, result: SendFailure) => {
    for (const job of jobs.splice(0)) job.end(result);
  };
  const endAll = (result: SendFailure) => {
    for (const chat of chats.values()) end(chat, result);
  };

  /** Sends the messages of a chat, one a second. */
  async function serve(chat: Chat): Promise<void> {
    for (;;) {
      const ms = limits.chatPause(chat.id);
      // Not even for a moment, in which less urgent messages would go first.
      if (ms > 0) await pause(ms, signal);
      const [next] = chat.jobs;
      if (!next) break;
      chat.isQueued = true;
      await queue.add(() => sendNext(chat), { id: chat.id, priority: next.priority });
    }
    chats.delete(chat.id);
  }

  async function sendNext(chat: Chat): Promise<void> {
    chat.isQueued = false;
    const job = chat.jobs.shift();
    if (!job) return;
    const startedAt = monotonic();
    job.attempts += 1;
    const result = await callFor(chat.id, job, api, signal).then(() => 'sent' as const, resultOf);
    limits.attempted(chat.id, startedAt, result === 'sent');
    if (result !== 'sent' && result.retryAfter !== undefined && !signal.aborted) {
      onFlood(chat, job, result.retryAfter);
      return;
    }
    // A failed write is corrected by the next message.
    if (result !== 'sent' && isGone(result)) await markGone(chat.id).catch(() => {});
    job.end(result);
  }

  function onFlood(chat: Chat, job: Job, retryAfter: number): void {
    const result: SendFailure = { ...UNAVAILABLE, retryAfter };
    chat.jobs.unshift(job);
    if (limits.isOfChat(chat.id, job)) {
      limits.pauseChat(chat.id, retryAfter);
      end(chat, { ...result, onlyThisChat: true });
      return;
    }
    job.floodedAt = monotonic();
    limits.pauseAll(chat.id, retryAfter);
    if (retryAfter > FLOOD_PAUSE_MAX) endAll(result);
    else if (job.attempts >= FLOOD_ATTEMPTS) chat.jobs.shift()?.end(result);
  }

  return {
    endAll,
    add(chatId: string, job: Job): void {
      const chat = chats.get(chatId) ?? { id: chatId, jobs: [], isQueued: false };
      const later = chat.jobs.findIndex(({ priority }) => priority < job.priority);
      chat.jobs.splice(later === -1 ? chat.jobs.length : later, 0, job);
      if (chat.isQueued && chat.jobs[0] === job) queue.setPriority(chatId, job.priority);
      if (chats.has(chatId)) return;
      chats.set(chatId, chat);
      void serve(chat);
    },
  };
}

function callFor(
  chatId: string,
  { text, buttons, messageId }: Job,
  api: NonNullable<SenderDeps['api']>,
  signal: AbortSignal,
): Promise<unknown> {
  const rows = buttons.map((row) => row.map((button) => ({ text: button.text, callback_data: button.data })));
  const keyboard = rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } };
  const message = { chat_id: chatId, text, link_preview_options: { is_disabled: true }, ...keyboard };
  if (messageId === null) return api.sendMessage(message, signal);
  return api.editMessageText({ ...message, message_id: messageId }, signal);
}

/** The pauses of Telegram: one second for every chat, and the pauses that a 429 requests for a chat or for the bot. */
function createLimits(queue: PQueue, second: number) {
  /** When each chat may receive the next message, ms. */
  const freeAt = createGrowingCache<number>(CHATS_MAX);
  /** Chats whose 429 are their own, because others received messages meanwhile. */
  const slow = new LRUCache<string, true>({ max: SLOW_MAX });
  /** Start of the last message that was sent, ms. */
  let sentAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;

  const remaining = (until: number) => Math.max(0, until - monotonic());
  const chatPause = (chatId: string) => remaining(freeAt.get(chatId) ?? 0);
  /** Starts the queue when the pause is over. */
  function resumeLater(): void {
    const ms = remaining(pausedUntil);
    if (ms === 0) queue.start();
    else setTimeout(resumeLater, ms).unref();
  }

  return {
    chatPause,
    attempted(chatId: string, startedAt: number, isSent: boolean): void {
      freeAt.set(chatId, startedAt + second);
      if (!isSent) return;
      sentAt = Math.max(sentAt, startedAt);
      slow.delete(chatId);
    },
    /** Returns whether a 429 of this message concerns its chat alone. */
    isOfChat: (chatId: string, { floodedAt }: Job) => slow.has(chatId) || (floodedAt !== null && sentAt > floodedAt),
    pauseChat(chatId: string, retryAfter: number): void {
      slow.set(chatId, true);
      freeAt.set(chatId, monotonic() + retryAfter * second);
    },
    /** Pauses everything: Telegram does not name the limit, and a bot that goes on sending waits longer. */
    pauseAll(chatId: string, retryAfter: number): void {
      pausedUntil = Math.max(pausedUntil, monotonic() + retryAfter * second);
      // The other chats go first: if they succeed, the limit was the chat's.
      freeAt.set(chatId, pausedUntil + second);
      queue.pause();
      resumeLater();
    },
    /** Returns the failure of a message to this chat that would have to wait too long; null: it may wait. */
    refusal(chatId: string): SendFailure | null {
      const paused = Math.ceil(remaining(pausedUntil) / second);
      if (paused > FLOOD_PAUSE_MAX) return { ...UNAVAILABLE, retryAfter: paused };
      const chatPaused = Math.ceil(chatPause(chatId) / second);
      if (slow.has(chatId) && chatPaused > 1) return { ...UNAVAILABLE, retryAfter: chatPaused, onlyThisChat: true };
      return null;
    },
  };
}

const isGone = ({ failed }: SendFailure) => failed === 'blocked' || failed === 'gone';

/** Returns the result of a message whose call failed. */
export function resultOf(error: unknown): SendResult {
  if (!(error instanceof TelegramApiError))
    return isUncertain(error) ? { ...UNAVAILABLE, maybeSent: true } : UNAVAILABLE;
  const { errorCode, description } = error;
  // An earlier edit had the same effect.
  if (/message is not modified/i.test(description)) return 'sent';
  if (errorCode === 403) return { failed: /deactivated/i.test(description) ? 'gone' : 'blocked' };
  if (errorCode === 400)
    return { failed: /chat not found|chat_id is empty|upgraded/i.test(description) ? 'gone' : 'refused' };
  if (errorCode === 429) return { ...UNAVAILABLE, retryAfter: error.retryAfter ?? 1 };
  return errorCode >= 500 ? { ...UNAVAILABLE, maybeSent: true } : UNAVAILABLE;
}

/** Returns whether the message may have arrived without a response. It has not if no server was reached. */
function isUncertain(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code !== 'EFETCH') {
      return !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(cause.code);
    }
  }
  return true;
}
