import type { Connection, Types } from 'mongoose';
import type { Order } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { type AuditRecord, auditModel } from '../../audit/model.ts';
import { idAt } from '../../platform/object-ids.ts';
import { tradingAccountModel, tradingStateModel } from '../../trading/accounts/model.ts';
import { createStopAll } from '../../trading/accounts/stop-all.ts';
import { orderModel } from '../../trading/orders/model.ts';
import { presentOrder } from '../../trading/orders/present.ts';
import type { OrderRecord } from '../../trading/orders/record.ts';
import { positionModel } from '../../trading/positions/model.ts';
import { presentPosition, stuckIdOf } from '../../trading/positions/present.ts';
import type { PositionRecord } from '../../trading/positions/record.ts';
import { type StopRecord, stopModel } from '../../trading/stop/model.ts';
import { presentStop } from '../../trading/stop/present.ts';

/** An order, stop, stuck position or exposed password that a user is alerted about. */
export type AlertSubject = { userId: string } & (
  | { order: Order }
  | { report: StopReport }
  /** Of a stop for all users, hexadecimal. */
  | { allStopId: string }
  | { position: Position; stuckId: string | null }
  /** Time at which a stranger sent the right password with a wrong code, epoch ms. */
  | { passwordAt: number }
);

/** Subjects of one batch. */
const BATCH = 200;

/** What alerts of this database are about, besides tokens. */
export interface TradeAlertStore {
  /**
   * Returns the orders that are over since then (epoch ms), those without a verdict, positions whose sale is stuck, the stops since then,
   * those for all users once for each user, and the passwords that were exposed since then.
   */
  since(at: number): AsyncIterable<AlertSubject>;
}

export function createTradeAlertStore(connection: Connection): TradeAlertStore {
  const orders = orderModel(connection);
  const stops = stopModel(connection);
  const positions = positionModel(connection);
  const accounts = tradingAccountModel(connection);
  const audit = auditModel(connection);
  const allStops = createStopAll(tradingStateModel(connection));

  /** Returns the users who traded, or might have, before a time. */
  async function* usersBefore(at: Date): AsyncIterable<string> {
    // By _id, which has the time of the registration.
    const before = idAt(at.getTime());
    const found = accounts
      .find({ _id: { $lt: before } }, { _id: 1 })
      .lean<{ _id: Types.ObjectId }[]>()
      .cursor({ batchSize: BATCH });
    for await (const { _id } of found) yield _id.toHexString();
  }

  return {
    async *since(at) {
      // Index: times.decided.
      const over = orders
        .find({ 'times.decided': { $gte: at } })
        .sort({ 'times.decided': 1 })
        .lean<OrderRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const order of over) yield subjectOfOrder(order);
      // Index: open, nextAt where open.
      const unknown = orders.find({ open: true, status: 'unknown' }).lean<OrderRecord[]>().cursor({ batchSize: BATCH });
      for await (const order of unknown) yield subjectOfOrder(order);
      // Index: open, where open.
      const stuck = positions
        .find({ open: true, status: 'stuck' })
        .lean<PositionRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const record of stuck) {
        const position = presentPosition(record, null);
        yield { userId: record.userId.toHexString(), position, stuckId: stuckIdOf(record) };
      }
      // By _id.
      const from = idAt(at);
      const stopped = stops
        .find({ _id: { $gte: from } })
        .lean<StopRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const stop of stopped) yield { userId: stop.userId.toHexString(), report: presentStop(stop) };
      for (const stop of await allStops.since(at)) {
        for await (const userId of usersBefore(stop.at)) yield { userId, allStopId: stop.id.toHexString() };
      }
      // Index: action, _id.
      const exposed = audit
        .find({ action: 'password-exposed', _id: { $gte: from } })
        .lean<AuditRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const { subjectId, at: time } of exposed) {
        if (subjectId) yield { userId: subjectId.toHexString(), passwordAt: time.getTime() };
      }
    },
  };
}

function subjectOfOrder(order: OrderRecord): AlertSubject {
  return { userId: order.userId.toHexString(), order: presentOrder(order) };
}
