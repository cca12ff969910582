import type { Model, Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { causeText } from '../../common/alerts/cause.ts';
import { type Clock, HOUR, type Random } from '../../common/time.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import { backoff, pause } from '../platform/resilience.ts';
import type { Webhooks } from '../webhook/service.ts';
import type { AlertRecord, AlertWebhook } from './model.ts';
import { createDatabaseRetry, failures } from './store.ts';

/** Deliveries at a time, each of another user. */
const CONCURRENCY = 10;
/** Deliveries that wait, about 200 bytes each; further ones fail. */
const WAITING_MAX = 10_000;
/** An older delivery is not begun, ms. */
const MAX_AGE = HOUR;
/** Attempts of a delivery, and the pauses between them, ms. */
const ATTEMPTS = 3;
const BACKOFF = { base: 2_000, max: 20_000 };

type Waiting = Pick<AlertRecord, '_id' | 'userId' | 'webhook'>;

export interface WebhookDeliveryDeps {
  alerts: Model<AlertRecord>;
  webhooks: Pick<Webhooks, 'deliver' | 'ofUsers'>;
  clock: Clock;
  random: Random;
  log: Logger;
  /** Shorter in tests, ms. */
  backoff?: { base: number; max: number };
}

export type WebhookDelivery = ReturnType<typeof createWebhookDelivery>;

/**
 * Delivers stored alerts to the webhooks of their users, for each user in order. That a delivery began is stored before its first
 * attempt: after a crash it is not repeated.
 */
export function createWebhookDelivery(deps: WebhookDeliveryDeps) {
  const { alerts, webhooks, clock, random } = deps;
  const log = deps.log.child({ part: 'webhooks' });
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createDatabaseRetry({ random, log, signal, what: 'webhook results' });
  const queue = new PQueue({ concurrency: CONCURRENCY, autoStart: false });
  const inOrder = createKeyedMutex();
  let waiting = 0;

  const end = (_id: Types.ObjectId, reason: string | null) =>
    retry(() => alerts.updateOne({ _id, 'webhook.state': 'queued' }, { $set: endOf(reason) }));

  /** Returns why a delivery failed; null after a success. */
  async function attempts(userId: string, body: string): Promise<string | null> {
    for (let attempt = 1; ; attempt += 1) {
      const result = await queue.add(() => webhooks.deliver(userId, body));
      if (result == null) return failures.noWebhook;
      if (result.problem === null || result.isFinal || attempt === ATTEMPTS || signal.aborted) return result.problem;
      await pause(backoff(attempt - 1, { ...BACKOFF, ...deps.backoff, random }), signal);
    }
  }

  async function deliver({ _id, userId }: Waiting, at: number): Promise<void> {
    if (signal.aborted) return;
    if (clock.now() - at > MAX_AGE) return void (await end(_id, failures.tooLate));
    const begun = await retry(() => begin(alerts, _id));
    if (begun) await end(_id, await attempts(userId.toHexString(), bodyOf(begun)));
  }

  /** Adds the queued deliveries of stored alerts. */
  function add(records: readonly Waiting[]): void {
    for (const record of records) {
      const { webhook } = record;
      if (webhook?.state !== 'queued') continue;
      waiting += 1;
      void inOrder(record.userId.toHexString(), () => deliver(record, webhook.at.getTime()))
        .catch((error: unknown) => {
          if (!signal.aborted) log.warn({ error }, 'webhook result could not be stored');
        })
        .finally(() => {
          waiting -= 1;
        });
    }
  }

  return {
    add,
    /** Returns the deliveries of those users who have a webhook, by user id: queued, or failed while too many wait. */
    async deliveries(userIds: readonly string[], at: Date): Promise<Map<string, AlertWebhook>> {
      if (userIds.length === 0) return new Map();
      const delivery: AlertWebhook =
        waiting < WAITING_MAX
          ? { state: 'queued', isBegun: false, at, reason: null }
          : { state: 'failed', isBegun: false, at, reason: failures.tooMany };
      return new Map([...(await webhooks.ofUsers(userIds))].map((userId) => [userId, delivery]));
    },
    /** Ends the deliveries that an earlier process began, adds the queued ones, and begins. */
    async start(): Promise<void> {
      // Index: webhook.at, where queued.
      const queued = { 'webhook.state': 'queued' as const };
      await alerts.updateMany({ ...queued, 'webhook.isBegun': true }, { $set: endOf(failures.unknown) });
      add(
        await alerts
          .find(queued, { userId: 1, webhook: 1 })
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
