import { type Connection, Schema, Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { AuditAction } from '../../../common/audit/model.ts';
import { type Clock, MINUTE, type Random } from '../../../common/time.ts';
import { openPositionsChoices } from '../../../common/wallet/model.ts';
import { type AuditRecord, auditModel } from '../../audit/model.ts';
import type { EventSink, EventSource } from '../../events/bus.ts';
import { createGrowingCache } from '../../platform/growing-cache.ts';
import { idAt } from '../../platform/object-ids.ts';
import { tradingAccountModel, tradingStateModel } from '../../trading/accounts/model.ts';
import { createStopAll } from '../../trading/accounts/store.ts';
import { type OrderRecord, orderModel } from '../../trading/orders/model.ts';
import { presentOrder } from '../../trading/orders/present.ts';
import { type PositionRecord, positionModel } from '../../trading/positions/model.ts';
import { presentPosition, stuckIdOf } from '../../trading/positions/present.ts';
import { givenUpActions } from '../../trading/stop/given-up.ts';
import { type StopRecord, stopModel } from '../../trading/stop/model.ts';
import { presentStop } from '../../trading/stop/reports.ts';
import type { AlertRecord } from '../model.ts';
import type { Outgoing } from '../send.ts';
import { type AlertStore, createDatabaseRetry, type DatabaseRetry, presentAlert } from '../store.ts';
import type { ReadTemplate } from '../text.ts';
import {
  alertOfAllStop,
  alertOfGivenUp,
  alertOfOrder,
  alertOfPassword,
  alertOfPosition,
  alertOfStop,
  awaitsProfit,
  type TradeAlert,
} from './trade-alert.ts';

/** Interval of the catch-up, which finds what events did not bring, ms. */
const CATCH_UP_MS = MINUTE;
/** Time before the checkpoint that is read again, ms: the times of orders and of this process may differ. */
const OVERLAP_MS = MINUTE;
/** Documents read, and alerts written, at once. */
const BATCH = 200;
/** Alerts of events that wait to be written; further ones are found by the catch-up. */
const WAITING_MAX = 10_000;
/** Alerts that are remembered as stored, so that the other events of their order cost nothing. */
const STORED_MAX = 20_000;

interface TradeAlertDeps {
  connection: Connection;
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
  const { bus, clock, log, catchUpInterval = CATCH_UP_MS } = deps;
  const store = createTradeAlertStore(deps.connection);
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
      if (alert === 'later') isComplete = false;
      else if (alert !== null) batch.push(alert);
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
        cause: null,
        webhook: null,
      });
    }
  }
  return records;
}

/** Until when the trades of this database have their alerts. Needs no index: read and written by `_id` only. */
interface CheckpointRecord {
  _id: 'trades';
  at: Date;
}

const checkpointSchema = new Schema<CheckpointRecord>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { versionKey: false, collection: 'alertCheckpoints' },
);

/** Reads what alerts of this database are about, besides tokens. */
export function createTradeAlertStore(connection: Connection) {
  const orders = orderModel(connection);
  const stops = stopModel(connection);
  const positions = positionModel(connection);
  const audit = auditModel(connection);
  const allStops = createStopAll(tradingStateModel(connection));

  /** Returns the users who traded, or might have, before a time. */
  async function* usersBefore(at: Date): AsyncIterable<string> {
    // By _id, which has the time of the registration.
    const before = idAt(at.getTime());
    const found = tradingAccountModel(connection)
      .find({ _id: { $lt: before } }, { _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>()
      .cursor({ batchSize: BATCH });
    for await (const { _id } of found) yield _id.toHexString();
  }

  /** Returns the entries of an action from an id on. */
  const entriesOf = (action: AuditAction, from: Types.ObjectId) =>
    // Index: action, _id.
    audit
      .find({ action, _id: { $gte: from } })
      .lean<AuditRecord[]>()
      .cursor({ batchSize: BATCH });

  /** Returns the alerts about what only the audit has. */
  async function* recordedSince(from: Types.ObjectId): AsyncIterable<TradeAlert | null> {
    for await (const { subjectId, at } of entriesOf('password-exposed', from)) {
      if (subjectId) yield alertOfPassword(subjectId.toHexString(), at.getTime());
    }
    for (const choice of openPositionsChoices) {
      for await (const { _id, subjectId, object } of entriesOf(givenUpActions[choice], from)) {
        if (subjectId === null || object === null) continue;
        yield alertOfGivenUp(subjectId.toHexString(), _id.toHexString(), { choice, positions: object });
      }
    }
  }

  return {
    ...createCheckpoint(connection),

    /**
     * Returns the alerts about orders that are over since then (epoch ms), orders without a verdict, positions whose sale is
     * stuck, stops since then (one for all users: once for each user), exposed passwords, and positions that an administrator
     * gave up since then; null for what needs none, and `later` for a sale whose profit is not known yet.
     */
    async *since(at: number): AsyncIterable<TradeAlert | 'later' | null> {
      // Index: times.decided.
      const over = orders
        .find({ 'times.decided': { $gte: at } })
        .sort({ 'times.decided': 1 })
        .lean<OrderRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const record of over) yield alertOfDecided(record);
      // Index: open, nextAt where open.
      const unknown = orders.find({ open: true, status: 'unknown' }).lean<OrderRecord[]>().cursor({ batchSize: BATCH });
      for await (const order of unknown) yield alertOfOrder(order.userId.toHexString(), presentOrder(order));
      // Index: open, where open.
      const stuck = positions
        .find({ open: true, status: 'stuck' })
        .lean<PositionRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const record of stuck) {
        yield alertOfPosition(record.userId.toHexString(), presentPosition(record, null), stuckIdOf(record));
      }
      // By _id.
      const from = idAt(at);
      const stopped = stops
        .find({ _id: { $gte: from } })
        .lean<StopRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const stop of stopped) yield alertOfStop(stop.userId.toHexString(), presentStop(stop));
      for (const stop of await allStops.since(at)) {
        for await (const userId of usersBefore(stop.at)) yield alertOfAllStop(userId, stop.id.toHexString());
      }
      yield* recordedSince(from);
    },
  };
}

/** Returns the alert about an order that is over; `later` while the profit of its sale is not known, null when it needs none. */
function alertOfDecided(record: OrderRecord): TradeAlert | 'later' | null {
  const order = presentOrder(record);
  return awaitsProfit(order) ? 'later' : alertOfOrder(record.userId.toHexString(), order);
}

/** Creates the time until which the trades of this database have their alerts. */
function createCheckpoint(connection: Connection) {
  const checkpoints = connection.model<CheckpointRecord>('AlertCheckpoint', checkpointSchema);

  return {
    /** Returns the time before which every trade has its alert, epoch ms; at the first call in a database: `now`, which is stored. */
    async checkpoint(now: number): Promise<number> {
      const at = new Date(now);
      const found = await checkpoints
        .findOneAndUpdate({ _id: 'trades' }, { $setOnInsert: { at } }, { upsert: true, returnDocument: 'after' })
        .lean<CheckpointRecord>();
      return (found?.at ?? at).getTime();
    },
    async moveCheckpoint(at: number): Promise<void> {
      await checkpoints.updateOne({ _id: 'trades' }, { $max: { at: new Date(at) } });
    },
  };
}
