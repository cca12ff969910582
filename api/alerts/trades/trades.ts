import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type Clock, MINUTE, type Random } from '../../../common/time.ts';
import type { EventSink, EventSource } from '../../events/bus.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import type { AlertRecord } from '../model.ts';
import { createDatabaseRetry, type DatabaseRetry } from '../retry.ts';
import type { Outgoing } from '../send.ts';
import { type AlertStore, presentAlert } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import { alertOfOrder, alertOfPassword, alertOfPosition, alertOfStop, type TradeAlert } from './trade-alert.ts';
import type { TradeAlertStore } from './trade-store.ts';

/** Interval of the catch-up, which finds what events did not bring, ms. */
const CATCH_UP_MS = MINUTE;
/** Time before the checkpoint that is read again, ms: the times of orders and of this process may differ. */
const OVERLAP_MS = MINUTE;
/** Alerts of one write. */
const BATCH = 100;
/** Alerts of events that wait to be written; further ones are found by the catch-up. */
const WAITING_MAX = 10_000;
/** Alerts that are remembered as stored, so that the other events of their order cost nothing. */
const STORED_MAX = 20_000;

export interface TradeAlertDeps {
  store: TradeAlertStore;
  alerts: Pick<AlertStore, 'insert'>;
  readTemplate: ReadTemplate;
  outgoing: Outgoing;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
  /** ms; shorter in tests. */
  catchUpInterval?: number;
}

/** Alerts users of their own trades and account: exactly one for the end of an order, also when the process ends in between. */
export function createTradeAlerts(deps: TradeAlertDeps) {
  const { bus, clock, store, log, catchUpInterval = CATCH_UP_MS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createDatabaseRetry({ ...deps, what: 'alerts about trades', signal });
  const { offer, write, settled } = createWriter(deps, retry, signal);
  const reading = new PQueue({ concurrency: 1 });
  let timer: NodeJS.Timeout | undefined;
  let subscriptions: (() => void)[] = [];

  /** Reads the trades since the checkpoint, and moves it when all of them have their alerts. */
  async function catchUp(): Promise<void> {
    const startedAt = clock.now();
    const since = await retry(() => store.checkpoint(startedAt));
    const batch: TradeAlert[] = [];
    let isComplete = true;
    for await (const alert of store.since(since - OVERLAP_MS)) {
      if (signal.aborted) return;
      if (alert !== null) batch.push(alert);
      if (batch.length === BATCH) isComplete = (await write(batch.splice(0))) && isComplete;
    }
    isComplete = (await write(batch)) && isComplete;
    if (isComplete && !signal.aborted) await retry(() => store.moveCheckpoint(startedAt));
  }

  /** Catches up, also after a run in progress, which may have read before; at most one run waits. */
  function catchUpAgain(): void {
    if (signal.aborted || reading.size > 0) return;
    void reading.add(async () => {
      await catchUp().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ error }, 'trades without an alert could not be read');
      });
    });
  }

  function catchUpSoon(): void {
    if (reading.pending === 0) catchUpAgain();
  }

  return {
    /** Subscribes to events, and begins to catch up with trades that ended before. */
    async start(): Promise<void> {
      // Before the first order of this database can end.
      await store.checkpoint(clock.now());
      subscriptions = [
        bus.on('order-changed', ({ userId, order }) => offer(alertOfOrder(userId, order))),
        bus.on('stop-report-changed', ({ userId, report }) => offer(alertOfStop(userId, report))),
        bus.on('position-changed', ({ userId, position, stuckId }) =>
          offer(alertOfPosition(userId, position, stuckId)),
        ),
        bus.on('password-exposed', ({ userId, at }) => offer(alertOfPassword(userId, at))),
        // Alerts of all users come from the database in batches, however many there are.
        bus.on('all-trading-stopped', catchUpAgain),
        bus.on('positions-given-up', catchUpAgain),
      ];
      catchUpSoon();
      timer = setInterval(catchUpSoon, catchUpInterval);
      timer.unref();
    },
    /** Resolves when everything received so far is stored. */
    async settled(): Promise<void> {
      await reading.onIdle();
      await settled();
    },
    async stop(): Promise<void> {
      for (const end of subscriptions) end();
      clearInterval(timer);
      stopping.abort();
      await Promise.all([reading.onIdle(), settled()]);
    },
  };
}

/** Creates the writer of alerts about trades, which remembers the last ones. */
function createWriter(deps: TradeAlertDeps, retry: DatabaseRetry, signal: AbortSignal) {
  const waiting: TradeAlert[] = [];
  const writing = new PQueue({ concurrency: 1 });
  const stored = createGrowingCache<true>(STORED_MAX);
  const isStored = (alert: TradeAlert) => stored.has(keyOf(alert));

  /** Stores the alerts that are not stored yet, and sends them to open tabs and to Telegram. Returns false when that failed. */
  async function write(alerts: readonly TradeAlert[]): Promise<boolean> {
    const fresh = alerts.filter((alert) => !isStored(alert));
    try {
      const records = await retry(() => recordsOf(fresh, deps));
      const inserted = await retry(() => deps.alerts.insert(records));
      for (const alert of fresh) stored.set(keyOf(alert), true);
      for (const record of inserted) {
        deps.bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
      }
      deps.outgoing.add(inserted);
      return true;
    } catch (error) {
      if (!signal.aborted) deps.log.error({ error }, 'alerts about trades could not be stored');
      return false;
    }
  }

  /** Writes the alert of an event. One that is lost is found by the catch-up, in this process or in the next one. */
  function offer(alert: TradeAlert | null): void {
    if (alert === null || isStored(alert) || signal.aborted || waiting.length >= WAITING_MAX) return;
    waiting.push(alert);
    if (writing.size > 0) return;
    void writing.add(async () => {
      while (waiting.length > 0 && !signal.aborted) await write(waiting.splice(0, BATCH));
    });
  }

  return { offer, write, settled: () => writing.onIdle() };
}

function keyOf({ userId, type, ref }: TradeAlert): string {
  return `${userId} ${type} ${ref}`;
}

/** Makes the documents of alerts with their messages. */
async function recordsOf(
  alerts: readonly TradeAlert[],
  { readTemplate, outgoing, clock }: Pick<TradeAlertDeps, 'readTemplate' | 'outgoing' | 'clock'>,
): Promise<AlertRecord[]> {
  const records: AlertRecord[] = [];
  // The time of the alert, not of the trade: later than the newest alert that a user has seen, it counts as new in the bell.
  const at = new Date(clock.now());
  for (const type of new Set(alerts.map((alert) => alert.type))) {
    const same = alerts.filter((alert) => alert.type === type);
    const fill = await readTemplate(type);
    const userIds = [...new Set(same.map(({ userId }) => userId))];
    const messages = await outgoing.messages(userIds, fill({}).template, at);
    for (const { userId, ref, token, variables, isAnswered = false } of same) {
      const { address = null, name = null, symbol = null } = token ?? {};
      records.push({
        ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(userId), type, address, ref, name, symbol },
        ...{ text: fill(variables).text, figures: null, price: null, at },
        telegram: isAnswered ? null : (messages.get(userId) ?? null),
      });
    }
  }
  return records;
}
