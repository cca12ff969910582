import { LRUCache } from 'lru-cache';
import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, MINUTE, type Random } from '../../../common/time.ts';
import type { EventSink, EventSource } from '../../events/bus.ts';
import { loggable } from '../../platform/log.ts';
import type { Outgoing } from '../alert-writer.ts';
import type { AlertRecord } from '../model.ts';
import { createDatabaseRetry } from '../retry.ts';
import { presentAlert } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import type { Checkpoint } from './checkpoint.ts';
import { alertOfOrder, alertOfPosition, alertOfStop, type TradeAlert } from './trade-alert.ts';
import type { TradeAlertStore, TradeEvent } from './trade-store.ts';

/** Alerts of one write. */
const BATCH = 100;
/** Alerts that wait; beyond it they are found again by the next catch-up. */
const WAITING_MAX = 10_000;
/** Alerts that are remembered as stored, so that the other events of their order cost nothing. */
const DONE_MAX = 20_000;
/** Interval of the catch-up, which finds what events did not bring, ms. */
const CATCH_UP_MS = MINUTE;
/** Clocks of other processes may be behind by this, ms. */
const OVERLAP_MS = MINUTE;

export interface TradeAlertDeps {
  store: TradeAlertStore;
  checkpoint: Checkpoint;
  readTemplate: ReadTemplate;
  outgoing: Outgoing;
  bus: EventSource & EventSink;
  clock: Clock;
  random: Random;
  log: Logger;
  /** ms; shorter in tests. */
  catchUpInterval?: number;
}

/** Alerts users of their own trades: exactly one for the end of an order, also when the process ends in between. */
export interface TradeAlerts {
  /** Subscribes to events, and begins to catch up with trades that ended before. */
  start(): Promise<void>;
  /** Resolves when everything received so far is stored. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export function createTradeAlerts(deps: TradeAlertDeps): TradeAlerts {
  const { bus, clock, checkpoint, store, log, catchUpInterval = CATCH_UP_MS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const retry = createDatabaseRetry({ ...deps, what: 'alerts about trades', signal });
  const waiting = new Map<string, TradeAlert>();
  const done = new LRUCache<string, true>({ max: DONE_MAX });
  let isWriting = false;
  let writing: Promise<void> = Promise.resolve();
  let catching: Promise<void> | null = null;
  /** Whether an alert was dropped since the last catch-up began. */
  let isShort = false;
  let timer: NodeJS.Timeout | undefined;
  let subscriptions: (() => void)[] = [];

  function offer(event: TradeEvent): void {
    const alert = alertOf(event, clock.now());
    if (!alert || signal.aborted) return;
    const key = `${alert.type} ${alert.ref}`;
    if (done.has(key) || waiting.has(key)) return;
    if (waiting.size >= WAITING_MAX) {
      isShort = true;
      return;
    }
    waiting.set(key, alert);
    if (!isWriting) writing = write();
  }

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.size > 0 && !signal.aborted) {
      const batch = [...waiting].slice(0, BATCH);
      try {
        await writeBatch(batch.map(([, alert]) => alert));
        for (const [key] of batch) done.set(key, true);
      } catch (error) {
        // The catch-up finds them again, in this process or in the next one.
        isShort = true;
        if (!signal.aborted) log.error({ error: loggable(error) }, 'alerts about trades could not be stored');
      }
      for (const [key] of batch) waiting.delete(key);
    }
    isWriting = false;
  }

  async function writeBatch(alerts: readonly TradeAlert[]): Promise<void> {
    const records = await retry(() => recordsOf(alerts, deps));
    const stored = await retry(() => store.insert(records));
    for (const record of stored) {
      bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
    }
    if (stored.some(({ telegram }) => telegram !== null)) deps.outgoing.wake();
  }

  async function catchUp(): Promise<void> {
    const startedAt = clock.now();
    isShort = false;
    const since = await retry(() => checkpoint.read(startedAt));
    for await (const event of store.since(since - OVERLAP_MS)) {
      if (signal.aborted) return;
      offer(event);
      // The database fills the backlog no faster than it is written.
      if (waiting.size >= WAITING_MAX / 2) await writing;
    }
    await writing;
    if (!isShort && !signal.aborted) await retry(() => checkpoint.move(startedAt));
  }

  function catchUpSoon(): void {
    catching ??= catchUp()
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ error: loggable(error) }, 'trades without an alert could not be read');
      })
      .finally(() => {
        catching = null;
      });
  }

  return {
    async start() {
      // Before the first order of this database can end.
      await checkpoint.read(clock.now());
      subscriptions = [
        bus.on('order-changed', offer),
        bus.on('stop-report-changed', offer),
        bus.on('position-changed', offer),
      ];
      catchUpSoon();
      timer = setInterval(catchUpSoon, catchUpInterval);
      timer.unref();
    },
    async settled() {
      await catching;
      await writing;
    },
    async stop() {
      for (const end of subscriptions) end();
      clearInterval(timer);
      stopping.abort();
      await Promise.all([catching, writing]);
    },
  };
}

function alertOf(event: TradeEvent, now: number): TradeAlert | null {
  if ('order' in event) return alertOfOrder(event.userId, event.order, now);
  if ('report' in event) return alertOfStop(event.userId, event.report);
  return alertOfPosition(event.userId, event.position, now);
}

/** Makes the documents of alerts with their messages. They have no place in an hour, so that no limit concerns them. */
async function recordsOf(
  alerts: readonly TradeAlert[],
  { readTemplate, outgoing, clock }: Pick<TradeAlertDeps, 'readTemplate' | 'outgoing' | 'clock'>,
): Promise<AlertRecord[]> {
  const records: AlertRecord[] = [];
  for (const type of new Set(alerts.map((alert) => alert.type))) {
    const same = alerts.filter((alert) => alert.type === type);
    const fill = await readTemplate(type);
    const userIds = [...new Set(same.map(({ userId }) => userId))];
    const deliveries = await outgoing.deliveries(userIds, fill({}).template, new Date(clock.now()));
    for (const { userId, ref, token, at, variables } of same) {
      const { address = null, name = null, symbol = null } = token ?? {};
      records.push({
        ...{ _id: new Types.ObjectId(), userId: new Types.ObjectId(userId), type, address, ref, name, symbol },
        ...{ text: fill(variables).text, figures: null, price: null, at: new Date(at), place: null },
        telegram: deliveries.get(userId) ?? null,
      });
    }
  }
  return records;
}
