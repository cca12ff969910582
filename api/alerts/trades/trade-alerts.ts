import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, MINUTE, type Random } from '../../../common/time.ts';
import type { EventSink, EventSource } from '../../events/bus.ts';
import type { Outgoing } from '../delivery/queue.ts';
import type { AlertRecord } from '../model.ts';
import { createDatabaseRetry } from '../retry.ts';
import { type AlertStore, presentAlert } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import { createBacklog } from './backlog.ts';
import type { Checkpoint } from './checkpoint.ts';
import {
  alertOfAllStop,
  alertOfGivenUp,
  alertOfOrder,
  alertOfPassword,
  alertOfPosition,
  alertOfStop,
  type TradeAlert,
} from './trade-alert.ts';
import type { AlertSubject, TradeAlertStore } from './trade-store.ts';

/** Interval of the catch-up, which finds what events did not bring, ms. */
const CATCH_UP_MS = MINUTE;
/** Clocks of other processes may be behind by this, ms. */
const OVERLAP_MS = MINUTE;

export interface TradeAlertDeps {
  store: TradeAlertStore;
  alerts: Pick<AlertStore, 'insert'>;
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

/** Alerts users of their own trades and account: exactly one for the end of an order, also when the process ends in between. */
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
  const backlog = createBacklog({
    write: writeBatch,
    // The catch-up finds them again, in this process or in the next one.
    onError: (error) => {
      if (!signal.aborted) log.error({ error }, 'alerts about trades could not be stored');
    },
    signal,
  });
  const catchingUp = createRepeated(async () => {
    await catchUp().catch((error: unknown) => {
      if (!signal.aborted) log.warn({ error }, 'trades without an alert could not be read');
    });
  }, signal);
  let timer: NodeJS.Timeout | undefined;
  let subscriptions: (() => void)[] = [];

  function offer(subject: AlertSubject): void {
    const alert = alertOf(subject);
    if (alert) backlog.offer(alert);
  }

  async function writeBatch(alerts: readonly TradeAlert[]): Promise<void> {
    const records = await retry(() => recordsOf(alerts, deps));
    const { stored } = await retry(() => deps.alerts.insert(records));
    for (const record of stored) {
      bus.emit('alert-created', { userId: record.userId.toHexString(), alert: presentAlert(record) });
    }
    if (stored.some(({ telegram }) => telegram !== null)) deps.outgoing.wake();
  }

  async function catchUp(): Promise<void> {
    const startedAt = clock.now();
    const lost = backlog.lost();
    const since = await retry(() => checkpoint.read(startedAt));
    for await (const subject of store.since(since - OVERLAP_MS)) {
      if (signal.aborted) return;
      offer(subject);
      await backlog.room();
    }
    await backlog.settled();
    if (backlog.lost() === lost && !signal.aborted) await retry(() => checkpoint.move(startedAt));
  }

  return {
    async start() {
      // Before the first order of this database can end.
      await checkpoint.read(clock.now());
      subscriptions = [
        bus.on('order-changed', offer),
        bus.on('stop-report-changed', offer),
        bus.on('position-changed', offer),
        bus.on('password-exposed', ({ userId, at }) => offer({ userId, passwordAt: at })),
        // Alerts of all users come from the database in batches, however many there are.
        bus.on('all-trading-stopped', catchingUp.again),
        bus.on('positions-given-up', catchingUp.again),
      ];
      catchingUp.soon();
      timer = setInterval(catchingUp.soon, catchUpInterval);
      timer.unref();
    },
    async settled() {
      await catchingUp.settled();
      await backlog.settled();
    },
    async stop() {
      for (const end of subscriptions) end();
      clearInterval(timer);
      stopping.abort();
      await Promise.all([catchingUp.settled(), backlog.settled()]);
    },
  };
}

function alertOf(subject: AlertSubject): TradeAlert | null {
  if ('order' in subject) return alertOfOrder(subject.userId, subject.order);
  if ('report' in subject) return alertOfStop(subject.userId, subject.report);
  if ('allStopId' in subject) return alertOfAllStop(subject.userId, subject.allStopId);
  if ('givenUp' in subject) return alertOfGivenUp(subject.userId, subject.entryId, subject.givenUp);
  if ('passwordAt' in subject) return alertOfPassword(subject.userId, subject.passwordAt);
  return alertOfPosition(subject.userId, subject.position, subject.stuckId);
}

/** Makes the documents of alerts with their messages. They have no place in an hour, so that no limit concerns them. */
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
        ...{ text: fill(variables).text, figures: null, price: null, at, place: null },
        telegram: isAnswered ? null : (messages.get(userId) ?? null),
      });
    }
  }
  return records;
}

/** Work that runs once at a time. */
interface Repeated {
  /** Runs it, unless it runs. */
  soon(): void;
  /** Runs it, also after a run in progress, which may have read before. */
  again(): void;
  /** Resolves when it does not run. */
  settled(): Promise<void>;
}

/** Creates the runs of `work`, which never rejects. None begins after `signal` has aborted. */
function createRepeated(work: () => Promise<void>, signal: AbortSignal): Repeated {
  let running: Promise<void> | null = null;
  let isDue = false;

  async function runWhileDue(): Promise<void> {
    do {
      isDue = false;
      await work();
    } while (isDue && !signal.aborted);
    running = null;
  }

  function soon(): void {
    if (!signal.aborted) running ??= runWhileDue();
  }

  return {
    soon,
    again() {
      isDue = true;
      soon();
    },
    settled: async () => running ?? undefined,
  };
}
