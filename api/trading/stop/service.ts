import { Types } from 'mongoose';
import type { Logger } from 'pino';
import { PublicError } from '../../../common/errors.ts';
import { type Clock, SECOND } from '../../../common/time.ts';
import type { TradingAccount } from '../../../common/trading/account.ts';
import { exitSlippageBps } from '../../../common/trading/account.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import type { Actor, Audit } from '../../audit/service.ts';
import type { EventBus } from '../../events/bus.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { loggable } from '../../platform/log.ts';
import { pause } from '../../platform/resilience.ts';
import type { StoppedRecord } from '../accounts/model.ts';
import type { TradingAccounts } from '../accounts/service.ts';
import type { Placing } from '../orders/place.ts';
import type { OrderRecord } from '../orders/record.ts';
import type { Orders } from '../orders/service.ts';
import type { PositionBook, SellablePosition } from '../positions/fill-book.ts';
import { type BlockedOrders, blockPurchases } from './block.ts';
import type { StoppedPosition, StopRecord } from './model.ts';
import { presentStop } from './present.ts';
import type { StopStore } from './store.ts';

/** Ends buying, and sells what is held. User ids are hexadecimal. */
export interface TradingStop {
  /** Stops a user. Once it resolves nothing more is signed for a purchase; sales follow, and the report with them. */
  stop(userId: string, options: { sell: boolean; by: StoppedRecord['by'] }, actor: Actor): Promise<StopReport>;
  /** Allows a user to buy again. Throws `trading-stopped` while trading is stopped for all. */
  resume(userId: string, actor: Actor): Promise<TradingAccount>;
  /** Returns the report of the last stop; null without one. */
  report(userId: string): Promise<StopReport | null>;
  /** Stops purchases of all users. Once it resolves nothing more is signed for a purchase. */
  stopAll(actor: Actor): Promise<void>;
  /** Ends the stop of all users. */
  resumeAll(actor: Actor): Promise<void>;
  /** Continues reports that an earlier process left, and follows the orders of stops. */
  start(): void;
  stopFollowing(): Promise<void>;
}

export interface StopDeps {
  store: StopStore;
  accounts: TradingAccounts;
  block: Parameters<typeof blockPurchases>[1];
  orders: Pick<Orders, 'find'>;
  placing: Pick<Placing, 'place'>;
  positions: Pick<PositionBook, 'sellable'>;
  audit: Pick<Audit, 'record'>;
  bus: Pick<EventBus, 'on' | 'emit'>;
  clock: Clock;
  log: Logger;
}

/** Interval in which open reports are looked at, besides each change of their orders, ms. */
const FOLLOW_MS = 2 * SECOND;

export function createTradingStop(deps: StopDeps): TradingStop {
  const { store, accounts, audit, bus, clock, log } = deps;
  const exclusive = createKeyedMutex();
  const stopping = new AbortController();
  let following: Promise<void> | null = null;
  let wakeFollower = new AbortController();

  async function save(before: StopRecord, after: StopRecord): Promise<StopRecord | null> {
    if (!(await store.swap(before, after))) return null;
    const saved = { ...after, version: before.version + 1 };
    bus.emit('stop-report-changed', { userId: saved.userId.toHexString(), report: presentStop(saved) });
    return saved;
  }

  /** Stores the report of a stop: the one that is still open, or a new one. */
  async function reported(
    userId: string,
    by: StoppedRecord['by'],
    sells: boolean,
    { cancelled, out }: BlockedOrders,
  ): Promise<StopRecord> {
    const open = await store.last(userId);
    const positions = sells && !(open?.endedAt === null && open.sells) ? await stoppedPositions(deps, userId) : [];
    if (open?.endedAt === null) {
      const counts = { cancelled: open.cancelled + cancelled, out };
      const after = open.sells || !sells ? { ...open, ...counts } : { ...open, ...counts, sells, positions };
      return (await save(open, after)) ?? open;
    }
    const report: StopRecord = {
      _id: new Types.ObjectId(),
      userId: new Types.ObjectId(userId),
      at: new Date(clock.now()),
      by,
      cancelled,
      out,
      sells,
      positions,
      endedAt: null,
      version: 1,
    };
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
      (await deps.block.store.countOut(userId)) > 0;
    const endedAt = isOpen ? null : new Date(clock.now());
    const after = { ...report, positions, endedAt };
    const isSame = endedAt === null && JSON.stringify(positions) === JSON.stringify(report.positions);
    return isSame ? report : ((await save(report, after)) ?? report);
  }

  async function follow(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const report of await store.open()) await exclusive(report.userId.toHexString(), () => refresh(report));
      } catch (error) {
        log.warn({ error: loggable(error) }, 'reports of stops not brought up to date, retrying');
      }
      await pause(FOLLOW_MS, wakeFollower.signal);
      wakeFollower = new AbortController();
    }
  }

  const subscription = bus.on('order-changed', ({ order }) => {
    if (order.cause.kind === 'stop') wakeFollower.abort();
  });

  return {
    async stop(userId, { sell, by }, actor) {
      if (accounts.server === 'off') throw new PublicError('trading-off');
      await audit.record('trading-stopped', actor, userId, sell ? 'with sale of all positions' : null);
      await accounts.stop(userId, by);
      const blocked = await blockPurchases(userId, deps.block);
      const report = await exclusive(userId, () => reported(userId, by, sell, blocked));
      wakeFollower.abort();
      return presentStop(report);
    },
    async resume(userId, actor) {
      if (accounts.server === 'off') throw new PublicError('trading-off');
      if (await accounts.stopAll.read()) throw new PublicError('trading-stopped');
      await audit.record('trading-resumed', actor, userId);
      return accounts.resume(userId);
    },
    async report(userId) {
      const last = await store.last(userId);
      return last && presentStop(last);
    },
    async stopAll(actor) {
      if (accounts.server === 'off') throw new PublicError('trading-off');
      await audit.record('trading-stopped-all', actor, null);
      await accounts.stopAll.stop({ at: new Date(clock.now()), by: 'admin' });
      await blockPurchases(null, deps.block);
      await accounts.emitAll();
    },
    async resumeAll(actor) {
      if (accounts.server === 'off') throw new PublicError('trading-off');
      await audit.record('trading-resumed-all', actor, null);
      await accounts.stopAll.resume();
      await accounts.emitAll();
    },
    start() {
      following ??= follow();
    },
    async stopFollowing() {
      subscription();
      stopping.abort();
      wakeFollower.abort();
      await following;
    },
  };
}

/** Returns the open positions of a user as a report begins with them, largest first. */
async function stoppedPositions({ positions }: StopDeps, userId: string): Promise<StoppedPosition[]> {
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
async function positionNow(deps: StopDeps, report: StopRecord, position: StoppedPosition): Promise<StoppedPosition> {
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
