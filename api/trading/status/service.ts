import type { Model } from 'mongoose';
import type { Logger } from 'pino';
import { isAway } from '../../../common/errors.ts';
import { type Clock, SECOND } from '../../../common/time.ts';
import { dayOf } from '../../../common/trading/limits/book.ts';
import type { ReasonCode } from '../../../common/trading/reasons.ts';
import type { TradingStatus } from '../../../common/trading/status.ts';
import type { EventSink } from '../../events/bus.ts';
import { cachedValue } from '../../platform/cached-value.ts';
import { isUnavailable } from '../../platform/database.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { OrderRecord } from '../orders/model.ts';
import { percentiles } from '../plans/stepper.ts';

/** Orders whose latencies are shown. */
const RECENT = 200;

/** Trading as administrators see it. */
export interface TradingStatusService {
  /** Returns the present figures; reused for a second. */
  read(): Promise<TradingStatus>;
  /** Has the next read count again. */
  clear(): void;
  start(): void;
  stop(): void;
}

export interface StatusDeps {
  model: Model<OrderRecord>;
  accounts: Pick<TradingAccounts, 'stopAll' | 'server'>;
  /** Whether real buying is refused, since the launchpad's program responded in an unknown way. */
  isLocked(): boolean;
  /** Returns the figures of rules and strategies; null where nothing decides for them. */
  engineFigures?(): TradingStatus['engine'];
  /** Returns the state of the tape; missing where no hours are kept. */
  tapeFigures?: (() => Promise<TradingStatus['tape']>) | undefined;
  /** Returns false when no administrator watches. */
  isWatched(): boolean;
  bus: EventSink;
  clock: Clock;
  log: Logger;
}

export function createTradingStatus(deps: StatusDeps): TradingStatusService {
  const { isWatched, bus, clock, log } = deps;
  const cached = cachedValue(() => statusNow(deps), { maxAge: SECOND, costFactor: 20, clock });
  let timer: NodeJS.Timeout | undefined;
  let isTicking = false;
  let emitted = '';

  async function tick(): Promise<void> {
    if (isTicking) return;
    if (!isWatched()) {
      emitted = '';
      return;
    }
    isTicking = true;
    try {
      const status = await cached.read();
      const text = JSON.stringify(status);
      if (text !== emitted) bus.emit('trading-status-changed', status);
      emitted = text;
    } catch (error) {
      if (!isAway(error) && !isUnavailable(error)) log.warn({ error }, 'trading status not read');
    } finally {
      isTicking = false;
    }
  }

  return {
    read: cached.read,
    clear: cached.clear,
    start() {
      timer ??= setInterval(() => void tick(), SECOND);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

interface StatusCount {
  _id: OrderRecord['status'];
  count: number;
  oldest: number;
}

interface FailureCount {
  _id: { status: OrderRecord['status']; code: ReasonCode | null };
  count: number;
}

async function statusNow({
  model,
  accounts,
  isLocked,
  engineFigures,
  tapeFigures,
  clock,
}: StatusDeps): Promise<TradingStatus> {
  const dayStart = Date.parse(dayOf(clock.now()));
  const [open, ended, recent, stopped, tape] = await Promise.all([
    // Index: open, nextAt where open.
    model.aggregate<StatusCount>([
      { $match: { open: true } },
      { $group: { _id: '$status', count: { $sum: 1 }, oldest: { $min: '$times.created' } } },
    ]),
    // Index: times.decided.
    model.aggregate<FailureCount>([
      { $match: { 'times.decided': { $gte: dayStart } } },
      { $group: { _id: { status: '$status', code: '$failure.code' }, count: { $sum: 1 } } },
    ]),
    // Index: times.decided.
    model
      .find({ 'times.decided': { $gt: 0 } }, { times: 1, status: 1 })
      .sort({ 'times.decided': -1 })
      .limit(RECENT)
      .lean<Pick<OrderRecord, 'times' | 'status'>[]>(),
    accounts.stopAll.read(),
    tapeFigures?.() ?? null,
  ]);
  const countOf = (status: OrderRecord['status']) => open.find(({ _id }) => _id === status)?.count ?? 0;
  const oldest = open.map((row) => row.oldest);
  const endedAs = (...statuses: OrderRecord['status'][]) => ended.filter(({ _id }) => statuses.includes(_id.status));
  const failed = endedAs('failed', 'cancelled');
  return {
    server: accounts.server,
    state: stateOf(accounts.server, stopped !== null, isLocked()),
    stoppedAt: stopped?.at.toISOString() ?? null,
    orders: { created: countOf('created'), held: countOf('held'), sent: countOf('sent'), unknown: countOf('unknown') },
    oldestAt: oldest.length === 0 ? null : new Date(Math.min(...oldest)).toISOString(),
    today: { confirmed: sumOf(endedAs('confirmed')), failed: sumOf(failed), failures: byReason(failed) },
    decisionMs: percentiles(recent.map(({ times }) => spanOf(times.created, times.sent))),
    confirmationMs: percentiles(
      recent.filter(({ status }) => status === 'confirmed').map(({ times }) => spanOf(times.sent, times.decided)),
    ),
    engine: engineFigures?.() ?? null,
    tape,
  };
}

function stateOf(server: TradingAccounts['server'], isStopped: boolean, isLocked: boolean): TradingStatus['state'] {
  if (server === 'off') return 'off';
  if (isStopped) return 'stopped';
  return isLocked ? 'locked' : 'running';
}

const sumOf = (rows: readonly FailureCount[]): number => rows.reduce((sum, { count }) => sum + count, 0);

function byReason(rows: readonly FailureCount[]): TradingStatus['today']['failures'] {
  const failures: TradingStatus['today']['failures'] = {};
  for (const { _id, count } of rows) if (_id.code !== null) failures[_id.code] = (failures[_id.code] ?? 0) + count;
  return failures;
}

function spanOf(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}
