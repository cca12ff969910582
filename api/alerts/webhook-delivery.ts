import type { Model, Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { causeText } from '../../common/alerts/cause.ts';
import { type Clock, HOUR, type Random } from '../../common/time.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { backoff, pause } from '../platform/resilience.ts';
import type { PostResult } from '../webhook/post.ts';
import type { Webhooks } from '../webhook/service.ts';
import type { AlertRecord, AlertWebhook } from './model.ts';
import { type AlertStore, createDatabaseRetry, type DatabaseRetry, failures } from './store.ts';

/** Deliveries at a time, each of another user. */
const CONCURRENCY = 10;
/** Deliveries that wait, about 200 bytes each, of all users and of one; further ones fail. */
const WAITING_MAX = 10_000;
const WAITING_OF_USER_MAX = 100;
/** An older delivery is not begun, ms. */
const MAX_AGE = HOUR;
/** Attempts of a delivery, and the pauses between them, ms. */
const ATTEMPTS = 3;
const BACKOFF = { base: 2_000, max: 20_000 };

type Waiting = Pick<AlertRecord, '_id' | 'userId' | 'address' | 'webhook'>;

export interface WebhookDeliveryDeps {
  alerts: Model<AlertRecord>;
  store: Pick<AlertStore, 'allowed'>;
  webhooks: Pick<Webhooks, 'deliver' | 'ofUsers'>;
  clock: Clock;
  random: Random;
  log: Logger;
  /** ms; shorter in tests. */
  backoff?: { base: number; max: number };
}

export type WebhookDelivery = ReturnType<typeof createWebhookDelivery>;

/**
 * Delivers stored alerts to the webhooks of their users, for each user in order. That a delivery began is stored before its first
 * attempt: after a crash it is not repeated.
 */
export function createWebhookDelivery(deps: WebhookDeliveryDeps) {
  const { alerts, webhooks, random } = deps;
  const log = deps.log.child({ part: 'webhooks' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createDatabaseRetry({ random, log, signal, what: 'webhook results' });
  const queue = new PQueue({ concurrency: CONCURRENCY, autoStart: false });
  const inOrder = createKeyedMutex();
  const waiting = createWaitingCounts();
  const { beginWanted, attemptOf, end } = createAttempts(deps, retry, log);

  /** Makes the attempts of a delivery. Each waits for a slot: until the first one has it, a stop leaves the delivery to the next start. */
  async function deliver(one: Waiting): Promise<void> {
    let alert: AlertRecord | null = null;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const result = await queue.add(async () => {
        alert ??= await beginWanted(one);
        return alert && attemptOf(alert);
      });
      if (result == null) return;
      const isOver = result.problem === null || result.isFinal || attempt === ATTEMPTS;
      if (!isOver) await pause(backoff(attempt - 1, { ...BACKOFF, ...deps.backoff, random }), signal);
      if (isOver || signal.aborted) return void (await end(one._id, result.problem));
    }
  }

  /** Adds the queued deliveries of stored alerts. */
  function add(records: readonly Waiting[]): void {
    for (const record of records) {
      if (record.webhook?.state !== 'queued') continue;
      const userId = record.userId.toHexString();
      waiting.change(userId, 1);
      void inOrder(userId, () => deliver(record))
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ error }, 'webhook result could not be stored');
        })
        .finally(() => waiting.change(userId, -1));
    }
  }

  return {
    add,
    /** Returns the deliveries of those users who have a webhook, by user id: queued, or failed while too many wait, of the user or of all. */
    async deliveries(userIds: readonly string[], at: Date): Promise<Map<string, AlertWebhook>> {
      if (userIds.length === 0) return new Map();
      return new Map(
        [...(await webhooks.ofUsers(userIds))].map((userId) => [userId, deliveryAt(at, waiting.isFull(userId))]),
      );
    },
    /** Ends the deliveries that an earlier process began, adds the queued ones, and begins. */
    async start(): Promise<void> {
      // Index: webhook.at, where queued.
      const queued = { 'webhook.state': 'queued' as const };
      await alerts.updateMany({ ...queued, 'webhook.isBegun': true }, { $set: endOf(failures.unknown) });
      add(
        await alerts
          .find(queued, { userId: 1, address: 1, webhook: 1 })
          .sort({ 'webhook.at': 1 })
          .limit(WAITING_MAX)
          .lean<Waiting[]>(),
      );
      queue.start();
    },
    /** Begins no further delivery, and resolves when those in flight have ended. */
    async stop(): Promise<void> {
      stopping.abort();
      queue.clear();
      await queue.onIdle();
    },
  };
}

/** Counts the deliveries that wait, of all users and of each. */
function createWaitingCounts() {
  let all = 0;
  const byUser = new Map<string, number>();
  return {
    isFull: (userId: string) => all >= WAITING_MAX || (byUser.get(userId) ?? 0) >= WAITING_OF_USER_MAX,
    change(userId: string, by: 1 | -1): void {
      all += by;
      const count = (byUser.get(userId) ?? 0) + by;
      if (count === 0) byUser.delete(userId);
      else byUser.set(userId, count);
    },
  };
}

function deliveryAt(at: Date, isFull: boolean): AlertWebhook {
  const fields = { isBegun: false, at };
  return isFull
    ? { state: 'failed', reason: failures.tooMany, ...fields }
    : { state: 'queued', reason: null, ...fields };
}

/** Creates the parts of a delivery: its begin, an attempt, and its end. */
function createAttempts(
  { alerts, store, webhooks, clock }: Pick<WebhookDeliveryDeps, 'alerts' | 'store' | 'webhooks' | 'clock'>,
  retry: DatabaseRetry,
  log: Logger,
) {
  const end = (_id: Types.ObjectId, reason: string | null) =>
    retry(() => alerts.updateOne({ _id, 'webhook.state': 'queued' }, { $set: endOf(reason) }));

  /** Returns why a delivery is not to be begun; null when it is. */
  async function refusalOf({ userId, address, webhook }: Waiting): Promise<string | null> {
    if (webhook !== null && clock.now() - webhook.at.getTime() > MAX_AGE) return failures.tooLate;
    const user = userId.toHexString();
    return (await store.allowed(address, [user])).has(user) ? null : failures.unwanted;
  }

  /** Marks a delivery as begun if it is still wanted. Resolves with its alert; null when the delivery has begun or ended. */
  async function beginWanted(one: Waiting): Promise<AlertRecord | null> {
    const refusal = await retry(() => refusalOf(one));
    if (refusal === null) return retry(() => begin(alerts, one._id));
    await end(one._id, refusal);
    return null;
  }

  async function attemptOf(alert: AlertRecord): Promise<PostResult> {
    try {
      const result = await webhooks.deliver(alert.userId.toHexString(), bodyOf(alert));
      return result ?? { problem: failures.noWebhook, isFinal: true };
    } catch (error) {
      log.warn({ error }, 'webhook delivery failed');
      return { problem: failures.unknown, isFinal: true };
    }
  }

  return { beginWanted, attemptOf, end };
}

/** Marks a delivery as begun. Resolves with its alert; null when it has begun or ended before. */
function begin(alerts: Model<AlertRecord>, _id: Types.ObjectId): Promise<AlertRecord | null> {
  return alerts
    .findOneAndUpdate(
      { _id, 'webhook.state': 'queued', 'webhook.isBegun': false },
      { $set: { 'webhook.isBegun': true } },
      { returnDocument: 'after' },
    )
    .lean<AlertRecord>()
    .exec();
}

function endOf(reason: string | null) {
  return { 'webhook.state': reason === null ? ('sent' as const) : ('failed' as const), 'webhook.reason': reason };
}

/** Returns what a webhook receives. `id` is the same in each attempt. */
function bodyOf({ _id, type, at, address, name, symbol, price, figures, cause }: AlertRecord): string {
  return JSON.stringify({
    ...{ id: _id.toHexString(), type, at: at.toISOString() },
    reason: cause && causeText(cause),
    token: { address, name, symbol, price, ...figures },
  });
}
