import { type Model, Types } from 'mongoose';
import { MINUTE } from '../../../common/time.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import { isAutomatic } from '../../../common/trading/order.ts';
import { idAt } from '../../platform/object-ids.ts';
import type { OrderRecord } from '../orders/record.ts';
import { byDue } from '../paper/paper-look.ts';
import type { PositionFillRecord, PositionRecord } from '../positions/record.ts';
import { hourBegin, hourEnd } from '../tape/format.ts';
import type { DeskOpening } from './desk/desk.ts';
import type { LiveHour } from './job.ts';

/** Most documents that a run compares with: far more than limits of an account allow in an hour. */
const ORDERS_MAX = 2_000;
const FILLS_MAX = 5_000;
const POSITIONS_MAX = 200;
/** Time in which an order is over, ms. */
const IN_FLIGHT_MS = 2 * MINUTE;

export interface HourModels {
  orders: Model<OrderRecord>;
  positions: Model<PositionRecord>;
  fills: Model<PositionFillRecord>;
}

/**
 * Returns the orders of a user that were made within an hour, and their effects. `of`: the mode of the orders; null for that of
 * the first order by a plan. `userId`: hexadecimal.
 */
export async function readLiveHour(
  { orders, fills }: HourModels,
  { userId, hour, of }: { userId: string; hour: string; of: TradingMode | null },
): Promise<LiveHour> {
  const owner = new Types.ObjectId(userId);
  const [from, to] = [hourBegin(hour), hourEnd(hour)];
  // Index: userId, _id.
  const made = await orders
    .find({ userId: owner, _id: { $gte: idAt(from), $lt: idAt(to) } })
    .sort({ _id: 1 })
    .limit(ORDERS_MAX)
    .lean<OrderRecord[]>();
  const mode: TradingMode | null = of ?? made.find(({ cause }) => isAutomatic(cause))?.mode ?? null;
  if (mode === null) return { mode, orders: [], fills: [] };
  return {
    mode,
    orders: made.filter((order) => order.mode === mode),
    fills: await fillsBetween(fills, { owner, mode, from, to }),
  };
}

/** Returns what a user held on paper at the begin of an hour. `resetAt`: begin of the play money, epoch ms. */
export async function readOpening(
  models: HourModels,
  { userId, resetAt }: { userId: string; resetAt: number },
  hour: string,
): Promise<DeskOpening> {
  const owner = new Types.ObjectId(userId);
  const at = hourBegin(hour);
  const earlier = { userId: owner, mode: 'paper' as const, openedAt: { $lt: new Date(at) } };
  const [open, closed, boughtBy] = await Promise.all([
    // Index of these: userId, open, closedAt, _id.
    models.positions
      .find({ ...earlier, open: true, closedAt: null })
      .sort({ _id: -1 })
      .limit(POSITIONS_MAX)
      .lean<PositionRecord[]>(),
    models.positions
      .find({ ...earlier, open: false, closedAt: { $gte: new Date(at) } })
      .sort({ closedAt: -1, _id: -1 })
      .limit(POSITIONS_MAX)
      .lean<PositionRecord[]>(),
    walletsThatBought(models.orders, { owner, since: Math.min(resetAt, at), at, to: hourEnd(hour) }),
  ]);
  const held = new Map([...open, ...closed].map((position) => [position._id.toHexString(), position]));
  const from = Math.min(...[...held.values()].map(({ openedAt }) => openedAt.getTime()));
  const all = held.size === 0 ? [] : await fillsBetween(models.fills, { owner, mode: 'paper', from, to: at });
  const ofHeld = (fill: PositionFillRecord) =>
    fill.parts.filter(({ positionId }) => held.has(positionId.toHexString()));
  const fills = all.map((fill) => ({ ...fill, parts: ofHeld(fill) })).filter(({ parts }) => parts.length > 0);
  return { fills, boughtBy, resetAt: resetAt >= at && resetAt < hourEnd(hour) ? resetAt : null };
}

/** Returns those wallets with orders on paper around an hour that had bought before `at`. Times are epoch ms. */
async function walletsThatBought(
  orders: HourModels['orders'],
  { owner, since, at, to }: { owner: Types.ObjectId; since: number; at: number; to: number },
): Promise<string[]> {
  const own = { userId: owner, mode: 'paper' as const };
  // Index of these: userId, _id.
  const wallets = await orders.distinct('wallet', { ...own, _id: { $gte: idAt(at - IN_FLIGHT_MS), $lt: idAt(to) } });
  const bought = { ...own, side: 'buy' as const, status: 'confirmed' as const, 'fill.at': { $lt: at } };
  const span = { $gte: idAt(since), $lt: idAt(at) };
  const known = await Promise.all(wallets.map((wallet) => orders.exists({ ...bought, wallet, _id: span })));
  return wallets.filter((_, index) => known[index] !== null);
}

/** Returns effects in the order in which they were applied. */
async function fillsBetween(
  fills: HourModels['fills'],
  { owner, mode, from, to }: { owner: Types.ObjectId; mode: TradingMode; from: number; to: number },
): Promise<PositionFillRecord[]> {
  // Index: userId, mode, at.
  const found = await fills
    .find({ userId: owner, mode, at: { $gte: new Date(from), $lt: new Date(to) } })
    .sort({ at: 1 })
    .limit(FILLS_MAX)
    .lean<PositionFillRecord[]>();
  // The database has those of the same time in any order.
  return found.toSorted((one, other) => byDue(dueOf(one), dueOf(other)));
}

function dueOf({ at, signature }: PositionFillRecord): Parameters<typeof byDue>[0] {
  return { dueAt: at.getTime(), signature: signature ?? '' };
}
