import { Types } from 'mongoose';
import PQueue from 'p-queue';
import type { Logger } from 'pino';
import { type Clock, SECOND } from '../../../common/time.ts';
import { exitSlippageBps, type TradingMode } from '../../../common/trading/account.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import type { EventBus } from '../../events/bus.ts';
import { createKeyedMutex } from '../../platform/keyed-mutex.ts';
import { pause } from '../../platform/resilience.ts';
import type { StoppedRecord } from '../accounts/model.ts';
import type { OrderRecord } from '../orders/model.ts';
import type { Placing } from '../orders/place.ts';
import type { Orders } from '../orders/store.ts';
import type { PositionBook, SellablePosition } from '../positions/fill-book.ts';
import type { StoppedPosition, StopRecord, StopStore } from './model.ts';

export interface ReportDeps {
  orders: Pick<Orders, 'find'>;
  positions: Pick<PositionBook, 'sellable'>;
  store: StopStore;
  placing: Pick<Placing, 'place'>;
  bus: Pick<EventBus, 'on' | 'emit'>;
  clock: Clock;
  log: Logger;
}

/** Purchases at a block: the number cancelled before they were sent, and the ids (hexadecimal) of sent ones. */
export interface BlockedOrders {
  cancelled: number;
  out: string[];
}

/** A stop that is reported. */
export interface StopRequest {
  by: StoppedRecord['by'];
  /** When buying was blocked: a report from before belongs to an earlier stop. */
  since: Date;
  sells: boolean;
  /** Modes whose positions are sold. */
  modes: TradingMode[];
}

/** Interval in which open reports are looked at, besides each change of their orders, ms. */
const FOLLOW_MS = 2 * SECOND;
/** Users whose positions are being sold at the same time. */
const REPORTS_AT_ONCE = 8;

/** The reports of stops, which make the sales that were requested with them. User ids are hexadecimal. */
export function createStopReports(deps: ReportDeps) {
  const { store, bus, log } = deps;
  const exclusive = createKeyedMutex();
  const stopping = new AbortController();
  let following: Promise<void> | null = null;
  let wakeFollower = new AbortController();

  /** One report that fails delays no other one. */
  async function refreshOne({ _id, userId }: StopRecord): Promise<void> {
    try {
      await exclusive(userId.toHexString(), async () => {
        const present = await store.find(_id);
        if (present?.endedAt === null) await refresh(deps, present);
      });
    } catch (error) {
      log.warn({ error, report: _id }, 'report of a stop not brought up to date, retrying');
    }
  }

  async function follow(): Promise<void> {
    const queue = new PQueue({ concurrency: REPORTS_AT_ONCE });
    while (!stopping.signal.aborted) {
      try {
        const open = await store.open();
        await queue.addAll(open.map((report) => () => refreshOne(report)));
      } catch (error) {
        log.warn({ error }, 'reports of stops not read, retrying');
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
    /** Stores the report of a stop: the one that is still open, or a new one, which takes over what an earlier stop has left open. */
    async begin(userId: string, request: StopRequest, blocked: BlockedOrders): Promise<StopRecord> {
      const report = await exclusive(userId, () => reported(deps, userId, request, blocked));
      wakeFollower.abort();
      return report;
    },
    /** Continues reports that an earlier process left, and follows their orders. */
    start(): void {
      following ??= follow();
    },
    async stop(): Promise<void> {
      subscription();
      stopping.abort();
      wakeFollower.abort();
      await following;
    },
  };
}

/** Stores the report of a stop and emits it. */
async function reported(
  deps: ReportDeps,
  userId: string,
  request: StopRequest,
  { cancelled, out }: BlockedOrders,
): Promise<StopRecord> {
  const { store, bus, clock } = deps;
  const { by, since, modes } = request;
  const last = await store.last(userId);
  const open = last?.endedAt === null ? last : null;
  const same = open && open.at >= since ? open : null;
  const known = same ? same.positions : (open?.positions.filter(isSelling) ?? []);
  const wanted = request.sells ? unsold(known, await stoppedPositions(deps, userId, modes)) : [];
  const positions = mergedPositions(known, wanted);
  if (same) {
    const all = { cancelled: same.cancelled + cancelled, out: [...new Set([...same.out, ...out])] };
    return (await save(deps, same, { ...same, ...all, sells: same.sells || request.sells, modes, positions })) ?? same;
  }
  const at = new Date(clock.now());
  const ids = { _id: new Types.ObjectId(), userId: new Types.ObjectId(userId) };
  const facts = { at, by, cancelled, out, sells: request.sells || positions.length > 0, modes, positions };
  const report: StopRecord = { ...ids, ...facts, endedAt: null, version: 1 };
  await store.insert(report);
  if (open) await store.swap(open, { ...open, endedAt: at });
  bus.emit('stop-report-changed', { userId, report: presentStop(report) });
  return report;
}

/** Brings a report up to its orders: makes the missing ones, and notes how the others ended. */
async function refresh(deps: ReportDeps, report: StopRecord): Promise<StopRecord> {
  const purchases = await purchasesOf(deps, report);
  const known = mergedPositions(report.positions, await landedPositions(deps, report, purchases));
  const positions = await Promise.all(known.map((position) => positionNow(deps, report, position)));
  // A purchase may have landed in a position while it was being sold: the rest is sold next.
  const isOver =
    !purchases.isOut &&
    !positions.some(isSelling) &&
    (await landedPositions(deps, { ...report, positions }, purchases)).length === 0;
  const endedAt = isOver ? new Date(deps.clock.now()) : null;
  const isSame = endedAt === null && JSON.stringify(positions) === JSON.stringify(report.positions);
  return isSame ? report : ((await save(deps, report, { ...report, positions, endedAt })) ?? report);
}

/** Stores a changed report and emits it. Resolves with null when another writer was first. */
async function save({ store, bus }: ReportDeps, before: StopRecord, after: StopRecord): Promise<StopRecord | null> {
  if (!(await store.swap(before, after))) return null;
  const saved = { ...after, version: before.version + 1 };
  bus.emit('stop-report-changed', { userId: saved.userId.toHexString(), report: presentStop(saved) });
  return saved;
}

/** Returns a position of a report with the present state of its order, which is made when it is missing. */
async function positionNow(deps: ReportDeps, report: StopRecord, position: StoppedPosition): Promise<StoppedPosition> {
  if (position.outcome === 'sold' || position.outcome === 'failed') return position;
  if (position.orderId !== null) {
    const order = await deps.orders.find(position.orderId);
    return order ? { ...position, ...outcomeOf(order) } : position;
  }
  const { positionId, mode, cluster, wallet, token, tokens, repeats = 0 } = position;
  const placement = await deps.placing.place(report.userId.toHexString(), {
    key: `stop:${report._id.toHexString()}:${positionId}${repeats > 0 ? `:${repeats}` : ''}`,
    cause: { kind: 'stop', name: null },
    side: 'sell',
    address: token.address,
    tokens: BigInt(tokens),
    slippageBps: exitSlippageBps,
    mode,
    cluster,
    wallet,
    positionId,
    accept: null,
  });
  switch (placement.type) {
    case 'placed':
      return { ...position, orderId: placement.order._id.toHexString(), ...outcomeOf(placement.order) };
    case 'refused':
      // It waits for the node, as every sale does, and for the end of another sale of the position.
      if (['node-away', 'being-sold'].includes(placement.reason.code)) return position;
      // Another sale has emptied it since the stop.
      if (placement.reason.code === 'no-position') return { ...position, outcome: 'sold' };
      return { ...position, outcome: 'failed', failure: placement.reason };
    case 'unconfirmed':
    case 'unknown-token':
      return { ...position, outcome: 'failed' };
  }
}

/** Returns how the sale of a position stands; it is sold once the fill is in the position. */
function outcomeOf({
  status,
  open,
  fill,
  failure,
}: OrderRecord): Pick<StoppedPosition, 'outcome' | 'lamports' | 'failure'> {
  switch (status) {
    case 'confirmed':
      if (open) return { outcome: 'waiting', lamports: null, failure: null };
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

/** Returns the report of a stop as REST and events carry it. */
export function presentStop(record: StopRecord): StopReport {
  const { _id, at, by, cancelled, out, sells, positions, endedAt, version } = record;
  return {
    id: _id.toHexString(),
    at: at.toISOString(),
    by,
    cancelled,
    out: out.length,
    sells,
    positions: positions.map(({ positionId, token, orderId, outcome, lamports, failure }) => ({
      positionId,
      token,
      orderId,
      outcome,
      lamports,
      failure,
    })),
    endedAt: endedAt?.toISOString() ?? null,
    version,
  };
}

/** Returns the open positions of a user as a report begins with them, largest first. */
async function stoppedPositions(
  { positions }: ReportDeps,
  userId: string,
  modes: readonly TradingMode[],
): Promise<StoppedPosition[]> {
  const open = (await positions.sellable(userId)).filter(({ mode }) => modes.includes(mode));
  const largestFirst = (one: SellablePosition, other: SellablePosition) => other.lamports - one.lamports;
  return open.toSorted(largestFirst).map(({ id, mode, cluster, wallet, token, tokens }) => ({
    positionId: id,
    mode,
    cluster,
    wallet,
    token,
    tokens: String(tokens),
    orderId: null,
    outcome: 'waiting',
    lamports: null,
    failure: null,
  }));
}

/** Returns whether the sale of a position is not over. */
function isSelling({ outcome }: StoppedPosition): boolean {
  return outcome === 'waiting' || outcome === 'unknown';
}

/** Returns the positions of a report and the positions to be sold now; a sale that has ended is repeated. */
function mergedPositions(known: readonly StoppedPosition[], wanted: readonly StoppedPosition[]): StoppedPosition[] {
  const merged = new Map(known.map((position) => [position.positionId, position]));
  for (const position of wanted) {
    const before = merged.get(position.positionId);
    merged.set(position.positionId, before ? { ...position, repeats: (before.repeats ?? 0) + 1 } : position);
  }
  return [...merged.values()];
}

/** Purchases that were out at a stop, or in no position yet. */
interface OutPurchases {
  /** Whether one of them still is. */
  isOut: boolean;
  /** Positions of orders that have landed since, hexadecimal ids. */
  positionIds: ReadonlySet<string>;
}

/** Returns what became of the purchases of a report. */
async function purchasesOf({ orders }: ReportDeps, { out }: StopRecord): Promise<OutPurchases> {
  const found = await Promise.all(out.map((id) => orders.find(id)));
  const over = found.filter((order) => order?.open === false);
  return {
    isOut: found.some((order) => order?.open === true),
    positionIds: new Set(over.flatMap((order) => order?.positionId?.toHexString() ?? [])),
  };
}

/**
 * Returns the positions that purchases have changed since the stop, and that are to be sold. A purchase after the stop is no part of
 * it. A sale that has failed is repeated once a purchase has added to its position.
 */
async function landedPositions(
  deps: ReportDeps,
  { userId, sells, modes, positions }: StopRecord,
  { positionIds }: OutPurchases,
): Promise<StoppedPosition[]> {
  if (!sells || positionIds.size === 0) return [];
  const open = await stoppedPositions(deps, userId.toHexString(), modes);
  const isFailed = (one: StoppedPosition) =>
    positions.some(
      ({ positionId, outcome, tokens }) =>
        positionId === one.positionId && outcome === 'failed' && tokens === one.tokens,
    );
  const landed = open.filter((position) => positionIds.has(position.positionId) && !isFailed(position));
  return unsold(positions, landed);
}

/** Returns the positions whose sale is not on its way. What one that was sold has now was bought since. */
function unsold(known: readonly StoppedPosition[], wanted: readonly StoppedPosition[]): StoppedPosition[] {
  const selling = new Set(known.filter(isSelling).map(({ positionId }) => positionId));
  return wanted.filter(({ positionId }) => !selling.has(positionId));
}
