import { type Model, Types } from 'mongoose';
import type { ReplayResult } from '../../../common/replay/model.ts';
import type { TradingMode } from '../../../common/trading/account.ts';
import type { Position } from '../../../common/trading/position.ts';
import { idAt } from '../../platform/object-ids.ts';
import type { OrderRecord } from '../orders/model.ts';
import type { PositionRecord } from '../positions/model.ts';
import { hourBegin, hourEnd } from '../tape/format.ts';
import { sideOf } from './rows.ts';

/** Most orders since the begin of the hour that are read: far more than limits of an account allow in an hour. */
const ORDERS_MAX = 2_000;

export interface LiveHourDeps {
  orders: Model<OrderRecord>;
  positions: Model<PositionRecord>;
  /** Returns the open positions of a user with their present values. */
  listOpen(userId: string, mode: TradingMode): Promise<Position[]>;
}

/**
 * Returns what a plan really bought within an hour, in the mode of its first purchase, and what became of it until now. `planId`: null
 * for a plan that is not stored. Ids are hexadecimal.
 */
export async function readLiveHour(
  { orders, positions, listOpen }: LiveHourDeps,
  { userId, hour, planId }: { userId: string; hour: string; planId: string | null },
): Promise<ReplayResult['live']> {
  // Index: userId, _id.
  const made = await orders
    .find({ userId: new Types.ObjectId(userId), _id: { $gte: idAt(hourBegin(hour)) } })
    .sort({ _id: 1 })
    .limit(ORDERS_MAX)
    .lean<OrderRecord[]>();
  const ofPlan = made.filter(({ key, times }) => key.startsWith(`buy:${planId}:`) && times.created < hourEnd(hour));
  const mode = ofPlan[0]?.mode ?? null;
  if (mode === null) return { mode, ...sideOf({ orders: [], positions: [] }, () => null) };
  const purchases = ofPlan.filter((order) => order.mode === mode);
  const [bought, open] = await Promise.all([
    positions.find({ _id: { $in: purchases.map(({ _id }) => _id) } }).lean<PositionRecord[]>(),
    listOpen(userId, mode),
  ]);
  const values = new Map(open.map(({ id, value }) => [id, value?.lamports ?? null]));
  const sales = made.filter(({ side }) => side === 'sell');
  return {
    mode,
    ...sideOf({ orders: [...purchases, ...sales], positions: bought }, ({ _id }) => values.get(String(_id)) ?? null),
  };
}
