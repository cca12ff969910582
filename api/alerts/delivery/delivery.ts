import type { Types } from 'mongoose';
import type { Logger } from 'pino';
import { MESSAGE_MAX } from '../../../common/templates/render.ts';
import type { Clock, Random } from '../../../common/time.ts';
import { isUnavailable } from '../../platform/database.ts';
import { backoff, pause } from '../../platform/resilience.ts';
import type { TelegramLinks } from '../../telegram/links/service.ts';
import type { Sender, SendResult } from '../../telegram/sender.ts';
import { createDatabaseRetry, type DatabaseRetry } from '../retry.ts';
import type { AlertStore } from '../store.ts';
import { failures, type Queue, type QueuedAlert } from './queue.ts';

/** Messages handed to the sender at a time, each to another chat: as many as it sends while one chat must pause. */
const CONCURRENCY = 30;
/** Interval between checks for messages of other processes and for expired ones, ms. */
const POLL_INTERVAL = 5_000;
/** Users paused on their own; beyond it the whole delivery pauses. */
const PAUSED_USERS_MAX = 200;
/** Delay while Telegram is unavailable, ms. */
const BACKOFF = { base: 1_000, max: 30_000 };

export interface DeliveryDeps {
  queue: Pick<Queue, 'claim' | 'end' | 'endAllOf' | 'expire'>;
  links: Pick<TelegramLinks, 'ofUsers'>;
  /** Checked again before sending, because a message may have waited long. */
  store: Pick<AlertStore, 'allowed'>;
  sender: Pick<Sender, 'send'>;
  /** Messages wait in the queue until the bot is connected. */
  isConnected(): boolean;
  clock: Clock;
  random: Random;
  log: Logger;
  /** ms. */
  pollInterval?: number;
}

/** Takes queued messages to the sender, turn by turn and one at a time for each user. */
export interface Delivery {
  start(): void;
  /** Checks the queue now instead of at the next interval. */
  wake(): void;
  /** Claims nothing more, and resolves when every claimed message has ended. Stop the sender first: it ends those in flight. */
  stop(): Promise<void>;
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { queue, clock, pollInterval = POLL_INTERVAL } = deps;
  const log = deps.log.child({ part: 'delivery' });
  const stopping = new AbortController();
  const retry = createDatabaseRetry({ ...deps, log, what: 'delivery results', signal: stopping.signal });
  const pauses = createPauses(deps);
  const inFlight = new Map<string, { userId: Types.ObjectId; done: Promise<void> }>();
  let running: Promise<void> | undefined;
  let sleep = new AbortController();
  let expiredAt = Number.NEGATIVE_INFINITY;

  function begin(message: QueuedAlert): void {
    const key = message.userId.toHexString();
    const done = deliver(message, { ...deps, retry, pauses })
      // The message stays claimed, and its outcome counts as unknown when the claim expires.
      .catch((error: unknown) => log.warn({ error }, 'delivery result could not be stored'))
      .finally(() => {
        inFlight.delete(key);
        sleep.abort();
      });
    inFlight.set(key, { userId: message.userId, done });
  }

  /** Starts at most one delivery. Returns how long to sleep afterwards, ms. */
  async function step(): Promise<number> {
    const now = clock.now();
    if (now - expiredAt >= pollInterval) {
      await queue.expire(now);
      expiredAt = now;
    }
    if (inFlight.size >= CONCURRENCY || pauses.remaining() > 0 || !deps.isConnected()) return pollInterval;
    const busy = [...inFlight.values()].map(({ userId }) => userId);
    const message = await queue.claim([...busy, ...pauses.users()], now);
    if (!message) return pollInterval;
    begin(message);
    return 0;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Created before the step, so that a wake-up during the step is not lost.
      sleep = new AbortController();
      const ms = await step().catch((error: unknown) => {
        if (!isUnavailable(error)) log.error({ error }, 'delivery step failed');
        return pollInterval;
      });
      const remaining = pauses.remaining();
      if (ms > 0) await pause(remaining > 0 ? Math.min(ms, remaining) : ms, sleep.signal);
    }
  }

  return {
    start() {
      running ??= run();
    },
    wake: () => sleep.abort(),
    async stop() {
      stopping.abort();
      sleep.abort();
      await running;
      await Promise.all([...inFlight.values()].map(({ done }) => done));
    },
  };
}

/** Pauses requested by Telegram or caused by its failures: of the whole delivery, and of single users. */
function createPauses({ clock, random }: { clock: Clock; random: Random }) {
  const byUser = new Map<string, { userId: Types.ObjectId; until: number }>();
  let failedInRow = 0;
  /** Epoch ms. */
  let until = 0;

  /** `retryAfter`: s, as requested by Telegram. */
  function pauseAll(retryAfter: number | undefined): void {
    const ms = retryAfter === undefined ? backoff(failedInRow, { ...BACKOFF, random }) : retryAfter * 1_000;
    failedInRow += 1;
    until = Math.max(until, clock.now() + ms);
  }

  return {
    pauseAll,
    pauseUser(userId: Types.ObjectId, retryAfter: number): void {
      if (byUser.size >= PAUSED_USERS_MAX) pauseAll(retryAfter);
      else byUser.set(userId.toHexString(), { userId, until: clock.now() + retryAfter * 1_000 });
    },
    sent(): void {
      failedInRow = 0;
    },
    /** Returns the rest of the pause of the whole delivery, ms; 0 or less: none. */
    remaining: () => until - clock.now(),
    /** Returns the paused users. */
    users(): Types.ObjectId[] {
      const now = clock.now();
      for (const [key, pausedUser] of byUser) if (pausedUser.until <= now) byUser.delete(key);
      return [...byUser.values()].map(({ userId }) => userId);
    },
  };
}

type DeliverDeps = Pick<DeliveryDeps, 'queue' | 'links' | 'store' | 'sender'> & {
  retry: DatabaseRetry;
  pauses: ReturnType<typeof createPauses>;
};

/** Sends one claimed message, if its user still wants it, and stores the outcome. */
async function deliver(message: QueuedAlert, deps: DeliverDeps): Promise<void> {
  const { queue, links, store, sender, retry } = deps;
  const userId = message.userId.toHexString();
  const link = (await retry(() => links.ofUsers([userId]))).get(userId);
  if (!link || link.goneAt !== null) return endAll(message, deps);
  const allowed = await retry(() => store.allowed(message.ref ? null : message.address, [userId]));
  if (!allowed.has(userId)) return retry(() => queue.end(message, { failed: failures.unwanted }));
  await settle(message, await sender.send(link.chatId, textOf(message)), deps);
}

/** Returns the text with its note, if both fit. Messages queued before notes were stored have none. */
function textOf({ text, telegram: { note } }: QueuedAlert): string {
  const noted = `${text}\n\n${note}`;
  return note && noted.length <= MESSAGE_MAX ? noted : text;
}

async function settle(message: QueuedAlert, result: SendResult, deps: DeliverDeps): Promise<void> {
  const { queue, retry, pauses } = deps;
  if (result === 'sent') {
    pauses.sent();
    return retry(() => queue.end(message, { sent: true }));
  }
  if (result.maybeSent) {
    pauses.pauseAll(undefined);
    return retry(() => queue.end(message, { failed: failures.unknown }));
  }
  switch (result.failed) {
    case 'blocked':
    case 'gone':
      return endAll(message, deps);
    case 'refused':
      return retry(() => queue.end(message, { failed: failures.refused }));
    case 'unavailable':
      if (result.onlyThisChat) pauses.pauseUser(message.userId, result.retryAfter ?? 1);
      else pauses.pauseAll(result.retryAfter);
      return retry(() => queue.end(message, null));
  }
}

/** Ends the message and all others of its user: the chat is not reachable. */
async function endAll(message: QueuedAlert, { queue, retry }: DeliverDeps): Promise<void> {
  await retry(() => queue.end(message, { failed: failures.noChat }));
  await retry(() => queue.endAllOf(message.userId, failures.noChat));
}
