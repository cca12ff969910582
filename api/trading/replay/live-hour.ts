import { type Model, Types } from 'mongoose';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { OrderRecord } from '../orders/record.ts';
import type { PositionFillRecord, PositionRecord } from '../positions/record.ts';
import { hourBegin, hourEnd } from '../tape/format.ts';
import type { DeskOpening } from './desk/desk.ts';
import type { LiveHour } from './job.ts';

/** Most documents that a run compares with: far more than limits of an account allow in an hour. */
const ORDERS_MAX = 2_000;
const FILLS_MAX = 5_000;
const POSITIONS_MAX = 200;

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
  const mode: TradingMode | null =
    of ?? made.find(({ cause }) => cause.kind === 'rule' || cause.kind === 'strategy')?.mode ?? null;
  if (mode === null) return { mode, orders: [], fills: [] };
  return {
    mode,
    orders: made.filter((order) => order.mode === mode),
    fills: await fillsBetween(fills, { owner, mode, from, to }),
  };
}

/** Returns what a user's wallet on paper held at the begin of an hour. */
export async function readOpening(models: HourModels, userId: string, hour: string): Promise<DeskOpening> {
  const owner = new Types.ObjectId(userId);
  const at = hourBegin(hour);
  const earlier = { userId: owner, mode: 'paper' as const, openedAt: { $lt: new Date(at) } };
  const [open, closed, bought] = await Promise.all([
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
    // Index: userId, _id.
    models.orders.exists({ userId: owner, _id: { $lt: idAt(at) }, mode: 'paper', side: 'buy', status: 'confirmed' }),
  ]);
  const held = new Map([...open, ...closed].map((position) => [position._id.toHexString(), position]));
  const from = Math.min(...[...held.values()].map(({ openedAt }) => openedAt.getTime()));
  const all = held.size === 0 ? [] : await fillsBetween(models.fills, { owner, mode: 'paper', from, to: at });
  const ofHeld = (fill: PositionFillRecord) =>
    fill.parts.filter(({ positionId }) => held.has(positionId.toHexString()));
  const fills = all.map((fill) => ({ ...fill, parts: ofHeld(fill) })).filter(({ parts }) => parts.length > 0);
  return { fills, hasBought: bought !== null };
}

function fillsBetween(
  fills: HourModels['fills'],
  { owner, mode, from, to }: { owner: Types.ObjectId; mode: TradingMode; from: number; to: number },
): Promise<PositionFillRecord[]> {
  // Index: userId, mode, at.
  return fills
    .find({ userId: owner, mode, at: { $gte: new Date(from), $lt: new Date(to) } })
    .sort({ at: 1 })
    .limit(FILLS_MAX)
    .lean<PositionFillRecord[]>()
    .exec();
}

/** Returns the lowest id of a time, epoch ms. */
function idAt(at: number): Types.ObjectId {
  return new Types.ObjectId(`${Math.floor(at / 1_000).toString(16)}${'0'.repeat(16)}`);
}
