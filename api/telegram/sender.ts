import { setMaxListeners } from 'node:events';
import { type Api, TelegramApiError } from 'node-telegram-bot-api';
import { pause } from '../platform/resilience.ts';

/** What Telegram takes: messages a second overall, and to one chat. */
export const SENDS_PER_SECOND = 25;
export const CHAT_PAUSE = 1_000;
/** Messages that may wait. Whoever has more keeps them in a queue of their own. */
export const WAITING_MAX = 1_000;
/** A longer wait than this, s, is handed back to whoever sends. */
const FLOOD_WAIT_MAX = 60;
/** How often a message that met a 429 is tried. */
const FLOOD_TRIES = 3;
/** Answers may be slow; more than this many at a time would only pile up. */
const IN_FLIGHT_MAX = 40;
/** Slow chats that are remembered. The one that was found out first goes first. */
const SLOW_KEPT = 500;
/** A chat that is not in use is forgotten when this many are known. */
const CHATS_KEPT = 2_000;

/**
 * Why a message did not arrive. `blocked`: by the person; `gone`: there is no such chat any more (both mark the chat as
 * gone); `refused`: Telegram does not take this text; `unavailable`: not now. `retryAfter`: s, when Telegram named it.
 * `onlyThisChat`: others may be written to meanwhile. `maybeSent`: the answer got lost, so that sending it again may double it.
 */
export interface SendFailure {
  failed: 'blocked' | 'gone' | 'refused' | 'unavailable';
  retryAfter?: number;
  onlyThisChat?: true;
  maybeSent?: true;
}
export type SendResult = 'sent' | SendFailure;

/** The one way to chats, for answers, alerts and broadcasts alike: it keeps Telegram's limits. */
export interface Sender {
  /** Never rejects. `urgent`: goes before all that is not, since a person waits for it. */
  send(chatId: string, text: string, options?: { urgent?: boolean }): Promise<SendResult>;
  /** Ends what is under way; everything else is `unavailable`. */
  stop(): void;
}

export interface SenderDeps {
  /** Null without a bot: nothing can be sent. */
  api: Pick<Api, 'sendMessage'> | null;
  /** Called before `blocked` and `gone` are answered. */
  markGone(chatId: string): Promise<void>;
  /** Passing time in ms. Not the time of day: that may be set back, and messages would wait for it to come round again. */
  monotonic?: () => number;
}

interface Job {
  chatId: string;
  text: string;
  tries: number;
  /** When it met a 429 last, ms. */
  floodedAt?: number;
  done: (result: SendResult) => void;
}

const UNAVAILABLE: SendFailure = { failed: 'unavailable' };

export function createSender(deps: SenderDeps): Sender {
  const { api, markGone, monotonic = () => performance.now() } = deps;
  const stopping = new AbortController();
  // Each message under way listens to it, and so does the pause: Node.js would take more than ten for a leak.
  setMaxListeners(IN_FLIGHT_MAX + 10, stopping.signal);
  const urgent: Job[] = [];
  const others: Job[] = [];
  /** When each chat may be written to again, ms; infinite while a message is on its way to it. */
  const freeAt = new Map<string, number>();
  /** Chats whose 429 are their own: others went through meanwhile. */
  const slow = new Set<string>();
  /** When the last one began that went through, ms. */
  let throughAt = Number.NEGATIVE_INFINITY;
  let inFlight = 0;
  let nextSlot = 0;
  let pumping = false;
  let wake = () => {};

  /** Takes out the first message whose chat may be written to. */
  function takeReady(now: number): Job | undefined {
    for (const jobs of [urgent, others]) {
      const index = jobs.findIndex(({ chatId }) => (freeAt.get(chatId) ?? 0) <= now);
      if (index !== -1) return jobs.splice(index, 1)[0];
    }
    return undefined;
  }

  /** ms until there may be something to do. */
  function waitFor(now: number): number {
    // An answer that comes wakes the pump.
    if (inFlight >= IN_FLIGHT_MAX) return CHAT_PAUSE;
    const chats = [...urgent, ...others].map(({ chatId }) => freeAt.get(chatId) ?? 0);
    const next = Math.max(nextSlot, Math.min(...chats));
    return Math.min(CHAT_PAUSE, Math.max(1, next - now));
  }

  async function pump(): Promise<void> {
    while (urgent.length + others.length > 0 && !stopping.signal.aborted) {
      const now = monotonic();
      const job = now >= nextSlot && inFlight < IN_FLIGHT_MAX ? takeReady(now) : undefined;
      if (job) {
        nextSlot = now + 1000 / SENDS_PER_SECOND;
        void deliver(job, now);
        continue;
      }
      const woken = new AbortController();
      wake = () => woken.abort();
      await pause(waitFor(now), woken.signal);
    }
    pumping = false;
  }

  function start(): void {
    wake();
    if (pumping) return;
    pumping = true;
    void pump();
  }

  async function deliver(job: Job, begun: number): Promise<void> {
    freeAt.set(job.chatId, Number.POSITIVE_INFINITY);
    inFlight += 1;
    const result = await attempt(job);
    inFlight -= 1;
    const flood = result !== 'sent' && result.failed === 'unavailable' ? result.retryAfter : undefined;
    freeAt.set(job.chatId, begun + CHAT_PAUSE);
    if (result === 'sent') {
      throughAt = Math.max(throughAt, begun);
      slow.delete(job.chatId);
    }
    if (flood !== undefined && isOwn(job)) {
      restChat(job, flood);
      return;
    }
    forgetIdleChats();
    if (flood !== undefined) holdOn(job, flood);
    const again = flood !== undefined && flood <= FLOOD_WAIT_MAX && job.tries < FLOOD_TRIES;
    if (again && !stopping.signal.aborted) {
      urgent.unshift(job);
      start();
      return;
    }
    wake();
    if (result !== 'sent' && (result.failed === 'blocked' || result.failed === 'gone')) {
      // What can't be marked now is found out again by the next message.
      await markGone(job.chatId).catch(() => {});
    }
    job.done(result);
  }

  /** Whether a 429 means this chat alone. */
  function isOwn({ chatId, floodedAt }: Job): boolean {
    return slow.has(chatId) || (floodedAt !== undefined && throughAt > floodedAt);
  }

  function restChat({ chatId, done }: Job, flood: number): void {
    for (const oldest of slow) {
      if (slow.size < SLOW_KEPT) break;
      slow.delete(oldest);
    }
    slow.add(chatId);
    freeAt.set(chatId, monotonic() + flood * 1000);
    const result: SendFailure = { ...UNAVAILABLE, retryAfter: flood, onlyThisChat: true };
    done(result);
    handBack((job) => job.chatId === chatId, result);
    wake();
  }

  /** Telegram doesn't say whether the chat or the bot is meant: whoever goes on sending waits longer. */
  function holdOn(job: Job, flood: number): void {
    job.floodedAt = monotonic();
    nextSlot = Math.max(nextSlot, job.floodedAt + flood * 1000);
    // Others go first: if they get through, it was the chat.
    freeAt.set(job.chatId, nextSlot + CHAT_PAUSE);
    if (flood > FLOOD_WAIT_MAX) handBack(() => true, { ...UNAVAILABLE, retryAfter: flood });
  }

  async function attempt(job: Job): Promise<SendResult> {
    job.tries += 1;
    if (!api || stopping.signal.aborted) return UNAVAILABLE;
    try {
      const message = { chat_id: job.chatId, text: job.text, link_preview_options: { is_disabled: true } };
      await api.sendMessage(message, stopping.signal);
      return 'sent';
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Gives what waits back to whoever sent it. */
  function handBack(which: (job: Job) => boolean, result: SendFailure): void {
    for (const jobs of [urgent, others]) {
      const given = jobs.filter(which);
      const rest = jobs.filter((job) => !which(job));
      jobs.splice(0, jobs.length, ...rest);
      for (const { done } of given) done(result);
    }
  }

  function forgetIdleChats(): void {
    if (freeAt.size < CHATS_KEPT) return;
    const now = monotonic();
    for (const [chatId, at] of freeAt) if (at <= now) freeAt.delete(chatId);
  }

  return {
    send(chatId, text, options) {
      if (!api || stopping.signal.aborted) return Promise.resolve(UNAVAILABLE);
      if (urgent.length + others.length >= WAITING_MAX)
        return Promise.resolve({ failed: 'unavailable', retryAfter: 1 });
      const paused = Math.ceil((nextSlot - monotonic()) / 1000);
      if (paused > FLOOD_WAIT_MAX) return Promise.resolve({ failed: 'unavailable', retryAfter: paused });
      const rests = Math.ceil(((freeAt.get(chatId) ?? 0) - monotonic()) / 1000);
      if (slow.has(chatId) && Number.isFinite(rests) && rests > CHAT_PAUSE / 1000)
        return Promise.resolve({ failed: 'unavailable', retryAfter: rests, onlyThisChat: true });
      return new Promise((done) => {
        (options?.urgent ? urgent : others).push({ chatId, text, tries: 0, done });
        start();
      });
    },
    stop() {
      stopping.abort();
      wake();
      handBack(() => true, UNAVAILABLE);
    },
  };
}

/** What a failed sendMessage means. */
export function failureOf(error: unknown): SendFailure {
  if (!(error instanceof TelegramApiError))
    return { failed: 'unavailable', ...(isUncertain(error) ? { maybeSent: true } : {}) };
  const { errorCode, description } = error;
  if (errorCode === 403) return { failed: /deactivated/i.test(description) ? 'gone' : 'blocked' };
  if (errorCode === 400)
    return { failed: /chat not found|chat_id is empty|upgraded/i.test(description) ? 'gone' : 'refused' };
  if (errorCode === 429) return { failed: 'unavailable', retryAfter: error.retryAfter ?? 1 };
  return { failed: 'unavailable', ...(errorCode >= 500 ? { maybeSent: true } : {}) };
}

/** Whether the message may have arrived although no answer did. Where nobody listened, it has not. */
function isUncertain(error: unknown): boolean {
  return !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(codeBehind(error));
}

function codeBehind(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && cause.code !== 'EFETCH') return cause.code;
  }
  return '';
}
