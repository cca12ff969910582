import { type Model, type QueryFilter, Types } from 'mongoose';
import type { TradingMode } from '../../../common/trading/account.ts';
import { idAt } from '../../platform/object-ids.ts';
import type { OrderRecord } from './record.ts';

/** The part of an open order that it has traded, or may still trade. */
export type OpenTrade = Pick<OrderRecord, '_id' | 'side' | 'cause' | 'fill' | 'attempts'>;

/** Reads what orders have traded, and how fast. Ids are hexadecimal. */
export interface OrderFills {
  /** Returns the orders of a wallet that are not closed: their fills may be in no position yet. `address`: null for all tokens. */
  openOf(userId: string, of: { mode: TradingMode; wallet: string; address: string | null }): Promise<OpenTrade[]>;
  /** Returns whether a wallet of the user has bought anything since a time (epoch ms). */
  hasBought(userId: string, of: { mode: TradingMode; wallet: string; since: number }): Promise<boolean>;
  /** Returns the times of the last orders on a chain from decision to verdict, ms; at most 200. */
  realTimes(): Promise<number[]>;
}

/** Most orders whose times count. */
const TIMES_MAX = 200;

export function createOrderFills(model: Model<OrderRecord>): OrderFills {
  return {
    // Index: userId, side, status where open.
    openOf: (userId, { mode, wallet, address }) =>
      model
        .find(
          {
            userId: new Types.ObjectId(userId),
            open: true,
            mode,
            wallet,
            ...(address && { 'token.address': address }),
          },
          { side: 1, cause: 1, fill: 1, attempts: 1 },
        )
        .lean<OpenTrade[]>()
        .exec(),
    async hasBought(userId, { mode, wallet, since }) {
      // Index: userId, _id; a purchase is near the end.
      const _id = { $gte: idAt(since) };
      const bought: QueryFilter<OrderRecord> = { mode, wallet, side: 'buy', status: 'confirmed' };
      const filter: QueryFilter<OrderRecord> = { ...bought, userId: new Types.ObjectId(userId), _id };
      return (await model.exists(filter).sort({ _id: -1 })) !== null;
    },
    async realTimes() {
      // Index: times.decided where a cluster is set.
      const filter: QueryFilter<OrderRecord> = { cluster: { $type: 'string' }, status: 'confirmed' };
      const found = await model
        .find({ ...filter, 'times.decided': { $gt: 0 } }, { times: 1 })
        .sort({ 'times.decided': -1 })
        .limit(TIMES_MAX)
        .lean<Pick<OrderRecord, 'times'>[]>();
      return found.flatMap(({ times: { created, decided } }) => (decided === null ? [] : [decided - created]));
    },
  };
}
