import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock, Random } from '../../../common/time.ts';
import { isUnavailable } from '../../platform/database.ts';
import { loggable } from '../../platform/loggable.ts';
import { backoff, pause } from '../../platform/resilience.ts';
import type { TelegramLinks } from '../../telegram/links/service.ts';
import type { Sender, SendResult } from '../../telegram/sender.ts';
import { createPersist } from '../retry.ts';
import type { AlertStore } from '../store.ts';
import { type Queue, type Queued, reasons } from './queue.ts';

/** Messages at the sender at a time, each to another chat: as many as it sends in the second that a chat has to rest. */
const AT_ONCE = 30;
/** How often it is looked for what other processes put in, and for what is too old, ms. */
const LOOK_EVERY = 5_000;
/** Chats that rest by themselves; beyond it everybody waits with them. */
const CHATS_RESTING_MAX = 200;
/** While Telegram or the database is away, ms: doubled with each failure. */
const AWAY = { base: 1_000, max: 30_000 };

export interface DeliveryDeps {
  queue: Pick<Queue, 'claim' | 'end' | 'endAllOf' | 'sweep'>;
  links: Pick<TelegramLinks, 'ofUsers'>;
  /** Who may still be alerted: a message may have waited for long. */
  store: Pick<AlertStore, 'allowed'>;
  sender: Pick<Sender, 'send'>;
  /** Whether Telegram answers: until then everything waits. */
  isConnected(): boolean;
  clock: Clock;
  random: Random;
  log: Logger;
  /** ms. */
  lookEvery?: number;
}

/** Takes messages from the queue to the sender, turn by turn and one at a time to each user. */
export interface Delivery {
  start(): void;
  /** There is something new. */
  wake(): void;
  /** Claims nothing more, and resolves when all that was claimed has ended: the sender is to be stopped before. */
  stop(): Promise<void>;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { queue, links, store, sender, clock, random, lookEvery = LOOK_EVERY } = deps;
  const log = deps.log.child({ part: 'delivery' });
  const stopping = new AbortController();
  /** What must be noted is noted even while stopping, as long as the process is there. */
  const note = createPersist({ what: 'messages', random, log, signal: stopping.signal });
  const underWay = new Map<string, { userId: Types.ObjectId; done: Promise<void> }>();
  const chatsResting = new Map<string, { userId: Types.ObjectId; until: number }>();
  let running: Promise<void> | undefined;
  let resting = new AbortController();
  let failures = 0;
  /** Epoch ms. */
  let pausedUntil = 0;
  let sweptAt = Number.NEGATIVE_INFINITY;

  function wake(): void {
    resting.abort();
  }

  /** Not now: everybody waits, since the next message would meet the same. */
  function holdOn(retryAfter: number | undefined): void {
    const ms = retryAfter === undefined ? backoff(failures, { ...AWAY, random }) : retryAfter * 1000;
    failures += 1;
    pausedUntil = Math.max(pausedUntil, clock.now() + ms);
  }

  /** Only this user's chat has to wait. */
  function restChat(userId: Types.ObjectId, retryAfter: number): void {
    if (chatsResting.size >= CHATS_RESTING_MAX) holdOn(retryAfter);
    else chatsResting.set(userId.toHexString(), { userId, until: clock.now() + retryAfter * 1000 });
  }

  /** Whose turn it can't be now. */
  function busyAt(now: number): Types.ObjectId[] {
    for (const [key, { until }] of chatsResting) if (until <= now) chatsResting.delete(key);
    return [...underWay.values(), ...chatsResting.values()].map(({ userId }) => userId);
  }

  async function deliver(message: Queued): Promise<void> {
    const userId = message.userId.toHexString();
    const link = (await note(() => links.ofUsers([userId]))).get(userId);
    if (!link || link.goneAt !== null) {
      await note(() => queue.end(message, { failed: reasons.noChat }));
      await note(() => queue.endAllOf(message.userId, reasons.noChat));
      return;
    }
    const allowed = await note(() => store.allowed(message.address, [userId]));
    if (!allowed.has(userId)) return note(() => queue.end(message, { failed: reasons.unwanted }));
    await conclude(message, await sender.send(link.chatId, message.text));
  }

  async function conclude(message: Queued, result: SendResult): Promise<void> {
    if (result === 'sent') {
      failures = 0;
      return note(() => queue.end(message, { sent: true }));
    }
    if (result.maybeSent) {
      holdOn(undefined);
      return note(() => queue.end(message, { failed: reasons.unknown }));
    }
    switch (result.failed) {
      case 'blocked':
      case 'gone':
        await note(() => queue.end(message, { failed: reasons.noChat }));
        return note(() => queue.endAllOf(message.userId, reasons.noChat));
      case 'refused':
        return note(() => queue.end(message, { failed: reasons.refused }));
      case 'unavailable':
        if (result.onlyThisChat) restChat(message.userId, result.retryAfter ?? 1);
        else holdOn(result.retryAfter);
        return note(() => queue.end(message, null));
    }
  }

  function begin(message: Queued): void {
    const key = message.userId.toHexString();
    const done = deliver(message)
      // It stays claimed, and counts as unknown when the claim is over.
      .catch((error: unknown) => log.warn({ error: loggable(error) }, 'how a message ended could not be noted'))
      .finally(() => {
        underWay.delete(key);
        wake();
      });
    underWay.set(key, { userId: message.userId, done });
  }

  /** One step; how long to rest after it, ms. */
  async function step(): Promise<number> {
    const now = clock.now();
    if (now - sweptAt >= lookEvery) {
      await queue.sweep(now);
      sweptAt = now;
    }
    if (underWay.size >= AT_ONCE || now < pausedUntil || !deps.isConnected()) return lookEvery;
    const message = await queue.claim(busyAt(now), now);
    if (!message) return lookEvery;
    begin(message);
    return 0;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Before the step, so that what comes during it is not slept through.
      resting = new AbortController();
      const ms = await step().catch((error: unknown) => {
        if (!isUnavailable(error)) log.error({ error: loggable(error) }, 'the queue stumbled');
        return lookEvery;
      });
      const held = pausedUntil - clock.now();
      if (ms > 0) await pause(held > 0 ? Math.min(ms, held) : ms, resting.signal);
    }
  }

  return {
    start() {
      running ??= run();
    },
    wake,
    async stop() {
      stopping.abort();
      wake();
      await running;
      await Promise.all([...underWay.values()].map(({ done }) => done));
    },
  };
}
