import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import { exitSlippageBps } from '../../../common/trading/account.ts';
import type { EventBus } from '../../events/bus.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { loggable } from '../../platform/log.ts';
import { pause } from '../../platform/resilience.ts';
import type { StoppedRecord } from '../accounts/model.ts';
import type { Placing } from '../orders/place.ts';
import type { OrderRecord } from '../orders/record.ts';
import type { Orders } from '../orders/service.ts';
import type { OrderStore } from '../orders/store.ts';
import type { PositionBook, SellablePosition } from '../positions/fill-book.ts';
import type { BlockedOrders } from './block.ts';
import type { StoppedPosition, StopRecord } from './model.ts';
import { presentStop } from './present.ts';
import type { StopStore } from './store.ts';

export interface ReportDeps {
  store: StopStore;
  orderStore: Pick<OrderStore, 'countOut'>;
  orders: Pick<Orders, 'find'>;
  placing: Pick<Placing, 'place'>;
  positions: Pick<PositionBook, 'sellable'>;
  bus: Pick<EventBus, 'on' | 'emit'>;
  clock: Clock;
  log: Logger;
}

/** The reports of stops, which make the sales that were requested with them. User ids are hexadecimal. */
export interface StopReports {
  /** Stores the report of a stop: the one that is still open, or a new one. */
  begin(userId: string, by: StoppedRecord['by'], sells: boolean, blocked: BlockedOrders): Promise<StopRecord>;
  /** Continues reports that an earlier process left, and follows their orders. */
  start(): void;
  stop(): Promise<void>;
}

/** Interval in which open reports are looked at, besides each change of their orders, ms. */
const FOLLOW_MS = 2 * SECOND;

export function createStopReports(deps: ReportDeps): StopReports {
  const { store, orderStore, bus, clock, log } = deps;
  const exclusive = createKeyedMutex();
  const stopping = new AbortController();
  let following: Promise<void> | null = null;
  let wakeFollower = new AbortController();

  async function reported(
    userId: string,
    by: StoppedRecord['by'],
    sells: boolean,
    { cancelled, out }: BlockedOrders,
  ): Promise<StopRecord> {
    const last = await store.last(userId);
    const open = last?.endedAt === null ? last : null;
    const positions = sells && !open?.sells ? await stoppedPositions(deps, userId) : [];
    if (open) {
      const counts = { cancelled: open.cancelled + cancelled, out };
      const after = open.sells || !sells ? { ...open, ...counts } : { ...open, ...counts, sells, positions };
      return (await save(deps, open, after)) ?? open;
    }
    const at = new Date(clock.now());
    const ids = { _id: new Types.ObjectId(), userId: new Types.ObjectId(userId) };
    const report: StopRecord = { ...ids, at, by, cancelled, out, sells, positions, endedAt: null, version: 1 };
    await store.insert(report);
    bus.emit('stop-report-changed', { userId, report: presentStop(report) });
    return report;
  }

  /** Brings a report up to its orders: makes the missing ones, and notes how the others ended. */
  async function refresh(report: StopRecord): Promise<StopRecord> {
    const userId = report.userId.toHexString();
    const positions: StoppedPosition[] = [];
    for (const position of report.positions) positions.push(await positionNow(deps, report, position));
    const isOpen =
      positions.some(({ outcome }) => outcome === 'waiting' || outcome === 'unknown') ||
      (await orderStore.countOut(userId)) > 0;
    const endedAt = isOpen ? null : new Date(clock.now());
    const after = { ...report, positions, endedAt };
    const isSame = endedAt === null && JSON.stringify(positions) === JSON.stringify(report.positions);
    return isSame ? report : ((await save(deps, report, after)) ?? report);
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const report of await store.open()) await exclusive(report.userId.toHexString(), () => refresh(report));
      } catch (error) {
        log.warn({ error: loggable(error) }, 'reports of stops not brought up to date, retrying');
      }
      if (stopping.signal.aborted) break;
      await pause(FOLLOW_MS, wakeFollower.signal);
      wakeFollower = new AbortController();
    }
  }

  const subscription = bus.on('order-changed', ({ order }) => {
    if (order.cause.kind === 'stop') wakeFollower.abort();
  });

  return {
    async begin(userId, by, sells, blocked) {
      const report = await exclusive(userId, () => reported(userId, by, sells, blocked));
      wakeFollower.abort();
      return report;
    },
    start() {
      following ??= follow();
    },
    async stop() {
      subscription();
      stopping.abort();
      wakeFollower.abort();
      await following;
    },
  };
}

/** Stores a changed report and emits it. Resolves with null when another writer was first. */
async function save({ store, bus }: ReportDeps, before: StopRecord, after: StopRecord): Promise<StopRecord | null> {
  if (!(await store.swap(before, after))) return null;
  const saved = { ...after, version: before.version + 1 };
  bus.emit('stop-report-changed', { userId: saved.userId.toHexString(), report: presentStop(saved) });
  return saved;
}

/** Returns the open positions of a user as a report begins with them, largest first. */
async function stoppedPositions({ positions }: ReportDeps, userId: string): Promise<StoppedPosition[]> {
  const open = await positions.sellable(userId);
  const largestFirst = (one: SellablePosition, other: SellablePosition) => other.lamports - one.lamports;
  return open.toSorted(largestFirst).map(({ id, mode, wallet, token, tokens }) => ({
    positionId: id,
    mode,
    wallet,
    token,
    tokens: String(tokens),
    orderId: null,
    outcome: 'waiting',
    lamports: null,
    failure: null,
  }));
}

/** Returns a position of a report with the present state of its order, which is made when it is missing. */
async function positionNow(deps: ReportDeps, report: StopRecord, position: StoppedPosition): Promise<StoppedPosition> {
  if (position.outcome === 'sold' || position.outcome === 'failed') return position;
  if (position.orderId !== null) {
    const order = await deps.orders.find(position.orderId);
    return order ? { ...position, ...outcomeOf(order) } : position;
  }
  const { positionId, mode, wallet, token, tokens } = position;
  const placement = await deps.placing.place(report.userId.toHexString(), {
    key: `stop:${report._id.toHexString()}:${positionId}`,
    cause: { kind: 'stop', name: null },
    side: 'sell',
    address: token.address,
    tokens: BigInt(tokens),
    slippageBps: exitSlippageBps,
    mode,
    wallet,
    positionId,
    accept: null,
  });
  switch (placement.type) {
    case 'placed':
      return { ...position, orderId: placement.order._id.toHexString(), ...outcomeOf(placement.order) };
    case 'refused':
      // It waits for the node, as every sale does.
      if (placement.reason.code === 'node-away') return position;
      return { ...position, outcome: 'failed', failure: placement.reason };
    case 'unconfirmed':
    case 'unknown-token':
      return { ...position, outcome: 'failed' };
  }
}

function outcomeOf({ status, fill, failure }: OrderRecord): Pick<StoppedPosition, 'outcome' | 'lamports' | 'failure'> {
  switch (status) {
    case 'confirmed':
      return { outcome: 'sold', lamports: fill?.lamports ?? null, failure: null };
    case 'failed':
    case 'cancelled':
      return { outcome: 'failed', lamports: null, failure };
    case 'unknown':
      return { outcome: 'unknown', lamports: null, failure: null };
    default:
      return { outcome: 'waiting', lamports: null, failure: null };
  }
}
