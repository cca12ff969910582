import { setMaxListeners } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { Api } from 'node-telegram-bot-api';
import PQueue from 'p-queue';
import { createGrowingCache } from '../platform/growing-cache.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { pause } from '../platform/resilience.ts';
import { failureOf, isUnmodified, type SendFailure } from './send-failure.ts';

/** Limit of Telegram: messages in a second over all chats. One chat accepts one message a second. */
const SENDS_PER_SECOND = 25;
/** Messages that may wait here. A caller with more keeps them in a queue of its own. */
export const WAITING_MAX = 1_000;
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

export type SendResult = 'sent' | SendFailure;

/** A button below a message. `data`: what the bot receives when it is pressed, at most 64 bytes. */
export interface Button {
  text: string;
  data: string;
}
/** Rows of buttons. */
export type Keyboard = readonly (readonly Button[])[];

export interface SendOptions {
  /** Sent before other messages, since a person waits for it. */
  urgent?: boolean;
  /** Default: none. */
  buttons?: Keyboard;
  /** Replaces text and buttons of this message of the bot instead of sending a new one. */
  messageId?: number;
}

/** The only way to chats, for replies, alerts and broadcasts: it keeps the limits of Telegram. */
export interface Sender {
  /** Never rejects. */
  send(chatId: string, text: string, options?: SendOptions): Promise<SendResult>;
  /** Ends the progress indicator of a pressed button, and shows `text` for a moment. Never rejects. */
  answer(queryId: string, text: string | null): Promise<void>;
  /** Aborts messages in flight; all others end as `unavailable`. */
  stop(): void;
}

export interface SenderDeps {
  /** Null without a bot: every message is `unavailable`. */
  api: Pick<Api, 'sendMessage' | 'editMessageText' | 'answerCallbackQuery'> | null;
  /** Called before a message ends as `blocked` or `gone`. */
  markGone(chatId: string): Promise<void>;
  /** Length of a second, ms; shorter in tests. */
  second?: number;
}

interface Job {
  chatId: string;
  text: string;
  buttons: Keyboard;
  /** The message to edit; null: a new one. */
  messageId: number | null;
  urgent: boolean;
  attempts: number;
  /** When it last received 429, ms; null: never. */
  floodedAt: number | null;
  /** Ends the job; only the first call counts. */
  end(result: SendResult): void;
  isEnded: boolean;
  isInFlight: boolean;
}

const UNAVAILABLE: SendFailure = { failed: 'unavailable' };

/** Passing time, ms. Not the time of day, which may be set back. */
const monotonic = () => performance.now();

export function createSender({ api, markGone, second = 1_000 }: SenderDeps): Sender {
  const stopping = new AbortController();
  // Every message in flight and every pause listens to it; Node.js would report more than ten as a leak.
  setMaxListeners(WAITING_MAX + IN_FLIGHT_MAX, stopping.signal);
  const queue = new PQueue({
    concurrency: IN_FLIGHT_MAX,
    interval: second / SENDS_PER_SECOND,
    intervalCap: 1,
    strict: true,
  });
  const waiting = new Set<Job>();
  const limits = createLimits(queue, second);
  /** Runs the messages of one chat in order. */
  const inOrder = createKeyedMutex();

  const attempt = (job: Job): Promise<SendResult> | SendResult =>
    api && !stopping.signal.aborted ? sendOnce(job, api, limits, stopping.signal) : UNAVAILABLE;

  /** Ends waiting messages without sending them. One in flight may arrive, so it ends with its own result. */
  function handBack(isMeant: (job: Job) => boolean, result: SendFailure): void {
    for (const job of waiting) if (!job.isInFlight && isMeant(job)) job.end(result);
  }

  /** Returns whether the message is to be sent again after a pause. */
  function shouldRetry(job: Job, retryAfter: number): boolean {
    if (limits.isOfChat(job)) {
      const result: SendFailure = { ...UNAVAILABLE, retryAfter, onlyThisChat: true };
      limits.pauseChat(job.chatId, retryAfter);
      handBack(({ chatId }) => chatId === job.chatId, result);
      return false;
    }
    job.floodedAt = monotonic();
    limits.pauseAll(job.chatId, retryAfter);
    if (retryAfter > FLOOD_PAUSE_MAX) handBack(() => true, { ...UNAVAILABLE, retryAfter });
    return retryAfter <= FLOOD_PAUSE_MAX && job.attempts < FLOOD_ATTEMPTS;
  }

  async function run(job: Job): Promise<void> {
    while (!job.isEnded) {
      await pause(limits.chatPause(job.chatId), stopping.signal);
      const result = await queue.add(async () => (job.isEnded ? UNAVAILABLE : attempt(job)), {
        priority: priorityOf(job),
      });
      if (job.isEnded) return;
      if (result !== 'sent') {
        if (result.retryAfter !== undefined && shouldRetry(job, result.retryAfter)) continue;
        // A failed write is corrected by the next message.
        if (isGone(result)) await markGone(job.chatId).catch(() => {});
      }
      job.end(result);
    }
  }

  return {
    answer: (queryId, text) => answerOnce({ queryId, text }, api, stopping.signal),
    send(chatId, text, { urgent = false, buttons = [], messageId = null } = {}) {
      if (!api || stopping.signal.aborted) return Promise.resolve(UNAVAILABLE);
      if (waiting.size >= WAITING_MAX) return Promise.resolve({ failed: 'unavailable', retryAfter: 1 });
      const refusal = limits.refusal(chatId);
      if (refusal) return Promise.resolve(refusal);
      return new Promise((resolve) => {
        const state = { attempts: 0, floodedAt: null, isEnded: false, isInFlight: false };
        const job: Job = { chatId, text, buttons, messageId, urgent, ...state, end };
        function end(result: SendResult): void {
          job.isEnded = true;
          waiting.delete(job);
          resolve(result);
        }
        waiting.add(job);
        void inOrder(chatId, () => run(job));
      });
    },
    stop() {
      stopping.abort();
      handBack(() => true, UNAVAILABLE);
      queue.clear();
    },
  };
}

/** Sends a message to Telegram once. Never rejects. */
async function sendOnce(
  job: Job,
  api: NonNullable<SenderDeps['api']>,
  limits: ReturnType<typeof createLimits>,
  signal: AbortSignal,
): Promise<SendResult> {
  job.attempts += 1;
  job.isInFlight = true;
  const startedAt = monotonic();
  try {
    await callFor(job, api, signal);
    limits.sent(job.chatId, startedAt);
    return 'sent';
  } catch (error) {
    limits.attempted(job.chatId, startedAt);
    return isUnmodified(error) ? 'sent' : failureOf(error);
  } finally {
    job.isInFlight = false;
  }
}

/** Answers a press. Never rejects. */
async function answerOnce(
  { queryId, text }: { queryId: string; text: string | null },
  api: SenderDeps['api'],
  signal: AbortSignal,
): Promise<void> {
  const call = { callback_query_id: queryId, ...(text === null ? {} : { text }) };
  // The press has had its effect; only the indicator on the person's screen goes on for a while.
  await api?.answerCallbackQuery(call, signal).catch(() => {});
}

function callFor(
  { chatId, text, buttons, messageId }: Job,
  api: NonNullable<SenderDeps['api']>,
  signal: AbortSignal,
): Promise<unknown> {
  const rows = buttons.map((row) => row.map((button) => ({ text: button.text, callback_data: button.data })));
  const keyboard = rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } };
  const message = { chat_id: chatId, text, link_preview_options: { is_disabled: true }, ...keyboard };
  if (messageId === null) return api.sendMessage(message, signal);
  return api.editMessageText({ ...message, message_id: messageId }, signal);
}

/** Retries first, then replies to a person. */
function priorityOf({ attempts, urgent }: Job): number {
  if (attempts > 0) return 2;
  return urgent ? 1 : 0;
}

const isGone = ({ failed }: SendFailure) => failed === 'blocked' || failed === 'gone';

/** The pauses of Telegram: one second for every chat, and those that a 429 requests for a chat or for the bot. */
function createLimits(queue: PQueue, second: number) {
  /** When each chat may receive the next message, ms. */
  const freeAt = createGrowingCache<number>(CHATS_MAX);
  /** Chats whose 429 are their own, because others received messages meanwhile. */
  const slow = new LRUCache<string, true>({ max: SLOW_MAX });
  /** Start of the last message that was sent, ms. */
  let sentAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;

  const remaining = (until: number) => Math.max(0, until - monotonic());
  /** Starts the queue when the pause is over. */
  function resumeLater(): void {
    const ms = remaining(pausedUntil);
    if (ms === 0) queue.start();
    else setTimeout(resumeLater, ms).unref();
  }
  const seconds = (ms: number) => Math.ceil(ms / second);

  return {
    sent(chatId: string, startedAt: number): void {
      sentAt = Math.max(sentAt, startedAt);
      slow.delete(chatId);
      freeAt.set(chatId, startedAt + second);
    },
    attempted: (chatId: string, startedAt: number) => void freeAt.set(chatId, startedAt + second),
    chatPause: (chatId: string) => remaining(freeAt.get(chatId) ?? 0),
    /** Returns whether a 429 of this message concerns its chat alone. */
    isOfChat: ({ chatId, floodedAt }: Job) => slow.has(chatId) || (floodedAt !== null && sentAt > floodedAt),
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
      const paused = seconds(remaining(pausedUntil));
      if (paused > FLOOD_PAUSE_MAX) return { ...UNAVAILABLE, retryAfter: paused };
      const chatPaused = seconds(remaining(freeAt.get(chatId) ?? 0));
      if (slow.has(chatId) && chatPaused > 1) return { ...UNAVAILABLE, retryAfter: chatPaused, onlyThisChat: true };
      return null;
    },
  };
}
