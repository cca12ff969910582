import type { Connection, Types } from 'mongoose';
import type { AuditAction } from '../../../common/audit/model.ts';
import type { Order } from '../../../common/trading/order.ts';
import type { Position } from '../../../common/trading/position.ts';
import type { StopReport } from '../../../common/trading/stop.ts';
import { type OpenPositionsChoice, openPositionsChoices } from '../../../common/wallet/model.ts';
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
import { givenUpActions } from '../../trading/stop/given-up.ts';
import { type StopRecord, stopModel } from '../../trading/stop/model.ts';
import { presentStop } from '../../trading/stop/present.ts';

/** What an administrator did with the open positions of a wallet that they replaced. `positions`: their number and value, as text. */
export interface GivenUp {
  choice: OpenPositionsChoice;
  positions: string;
}

/** An order, stop, stuck position, exposed password or replaced wallet that a user is alerted about. */
export type AlertSubject = { userId: string } & (
  | { order: Order }
  | { report: StopReport }
  /** Of a stop for all users, hexadecimal. */
  | { allStopId: string }
  | { position: Position; stuckId: string | null }
  /** Time at which a stranger sent the right password with a wrong code, epoch ms. */
  | { passwordAt: number }
  /** Of an administrator who replaces the user's wallet. `entryId`: of the audit, hexadecimal. */
  | { entryId: string; givenUp: GivenUp }
);

/** Subjects of one batch. */
const BATCH = 200;

/** What alerts of this database are about, besides tokens. */
export interface TradeAlertStore {
  /**
   * Returns the orders that are over since then (epoch ms), those without a verdict, positions whose sale is stuck, the stops since then,
   * those for all users once for each user, the passwords that were exposed, and the positions that an administrator gave up since then.
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

  /** Returns the entries of an action from an id on. */
  const entriesOf = (action: AuditAction, from: Types.ObjectId) =>
    // Index: action, _id.
    audit
      .find({ action, _id: { $gte: from } })
      .lean<AuditRecord[]>()
      .cursor({ batchSize: BATCH });

  /** Returns the subjects that only the audit has. */
  async function* recordedSince(from: Types.ObjectId): AsyncIterable<AlertSubject> {
    for await (const { subjectId, at } of entriesOf('password-exposed', from)) {
      if (subjectId) yield { userId: subjectId.toHexString(), passwordAt: at.getTime() };
    }
    for (const choice of openPositionsChoices) {
      for await (const { _id, subjectId, object } of entriesOf(givenUpActions[choice], from)) {
        if (subjectId === null || object === null) continue;
        yield { userId: subjectId.toHexString(), entryId: _id.toHexString(), givenUp: { choice, positions: object } };
      }
    }
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
      yield* recordedSince(from);
    },
  };
}

function subjectOfOrder(order: OrderRecord): AlertSubject {
  return { userId: order.userId.toHexString(), order: presentOrder(order) };
}
