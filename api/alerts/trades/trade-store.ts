import { type Connection, Schema, type Types } from 'mongoose';
import type { AuditAction } from '../../../common/audit/model.ts';
import { openPositionsChoices } from '../../../common/wallet/model.ts';
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
import {
  alertOfAllStop,
  alertOfGivenUp,
  alertOfOrder,
  alertOfPassword,
  alertOfPosition,
  alertOfStop,
  type TradeAlert,
} from './trade-alert.ts';

/** Documents of one batch. */
const BATCH = 200;

/** Until when the trades of this database have their alerts. Needs no index: read and written by `_id` only. */
interface CheckpointRecord {
  _id: 'trades';
  at: Date;
}

const checkpointSchema = new Schema<CheckpointRecord>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { versionKey: false, collection: 'alertCheckpoints' },
);

export type TradeAlertStore = ReturnType<typeof createTradeAlertStore>;

/** Reads what alerts of this database are about, besides tokens. */
export function createTradeAlertStore(connection: Connection) {
  const orders = orderModel(connection);
  const stops = stopModel(connection);
  const positions = positionModel(connection);
  const audit = auditModel(connection);
  const allStops = createStopAll(tradingStateModel(connection));

  /** Returns the users who traded, or might have, before a time. */
  async function* usersBefore(at: Date): AsyncIterable<string> {
    // By _id, which has the time of the registration.
    const before = idAt(at.getTime());
    const found = tradingAccountModel(connection)
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

  /** Returns the alerts about what only the audit has. */
  async function* recordedSince(from: Types.ObjectId): AsyncIterable<TradeAlert | null> {
    for await (const { subjectId, at } of entriesOf('password-exposed', from)) {
      if (subjectId) yield alertOfPassword(subjectId.toHexString(), at.getTime());
    }
    for (const choice of openPositionsChoices) {
      for await (const { _id, subjectId, object } of entriesOf(givenUpActions[choice], from)) {
        if (subjectId === null || object === null) continue;
        yield alertOfGivenUp(subjectId.toHexString(), _id.toHexString(), { choice, positions: object });
      }
    }
  }

  return {
    ...createCheckpoint(connection),

    /**
     * Returns the alerts about orders that are over since then (epoch ms), orders without a verdict, positions whose sale is
     * stuck, stops since then (one for all users: once for each user), exposed passwords, and positions that an administrator
     * gave up since then; null for what needs none.
     */
    async *since(at: number): AsyncIterable<TradeAlert | null> {
      // Index: times.decided.
      const over = orders
        .find({ 'times.decided': { $gte: at } })
        .sort({ 'times.decided': 1 })
        .lean<OrderRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const order of over) yield alertOfOrder(order.userId.toHexString(), presentOrder(order));
      // Index: open, nextAt where open.
      const unknown = orders.find({ open: true, status: 'unknown' }).lean<OrderRecord[]>().cursor({ batchSize: BATCH });
      for await (const order of unknown) yield alertOfOrder(order.userId.toHexString(), presentOrder(order));
      // Index: open, where open.
      const stuck = positions
        .find({ open: true, status: 'stuck' })
        .lean<PositionRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const record of stuck) {
        yield alertOfPosition(record.userId.toHexString(), presentPosition(record, null), stuckIdOf(record));
      }
      // By _id.
      const from = idAt(at);
      const stopped = stops
        .find({ _id: { $gte: from } })
        .lean<StopRecord[]>()
        .cursor({ batchSize: BATCH });
      for await (const stop of stopped) yield alertOfStop(stop.userId.toHexString(), presentStop(stop));
      for (const stop of await allStops.since(at)) {
        for await (const userId of usersBefore(stop.at)) yield alertOfAllStop(userId, stop.id.toHexString());
      }
      yield* recordedSince(from);
    },
  };
}

/** Creates the time until which the trades of this database have their alerts. */
function createCheckpoint(connection: Connection) {
  const checkpoints = connection.model<CheckpointRecord>('AlertCheckpoint', checkpointSchema);

  return {
    /** Returns the time before which every trade has its alert, epoch ms; at the first call in a database: `now`, which is stored. */
    async checkpoint(now: number): Promise<number> {
      const at = new Date(now);
      const found = await checkpoints
        .findOneAndUpdate({ _id: 'trades' }, { $setOnInsert: { at } }, { upsert: true, returnDocument: 'after' })
        .lean<CheckpointRecord>();
      return (found?.at ?? at).getTime();
    },
    async moveCheckpoint(at: number): Promise<void> {
      await checkpoints.updateOne({ _id: 'trades' }, { $max: { at: new Date(at) } });
    },
  };
}
