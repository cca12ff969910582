import { type Connection, type Model, Schema } from 'mongoose';
import { orderStatuses } from '../../../common/trading/machine.ts';
import type { OrderRecord } from './record.ts';

const { Mixed, ObjectId } = Schema.Types;
const required = true;

const orderSchema = new Schema<OrderRecord>(
  {
    userId: { type: ObjectId, required },
    key: { type: String, required },
    side: { type: String, required },
    mode: { type: String, required },
    cluster: { type: String, default: null },
    wallet: { type: String, required },
    token: { type: Mixed, required },
    cause: { type: Mixed, required },
    positionId: { type: ObjectId, default: null },
    lamports: { type: Number, default: null },
    tokens: { type: String, default: null },
    isWholePosition: { type: Boolean, required },
    slippageBps: { type: Number, required },
    exits: { type: Mixed, default: null },
    least: { type: String, default: null },
    priorityMaxLamports: { type: Number, required },
    tipLamports: { type: Number, required },
    holdLamports: { type: Number, required },
    status: { type: String, required, enum: orderStatuses },
    open: { type: Boolean, required },
    noMore: { type: Boolean, required },
    attemptLimit: { type: Number, required },
    attempts: [Mixed],
    fill: { type: Mixed, default: null },
    failure: { type: Mixed, default: null },
    times: { type: Mixed, required },
    nextAt: { type: Date, default: null },
    version: { type: Number, required },
  },
  { versionKey: false, minimize: false, collection: 'orders' },
);
// One order a key, for ever.
orderSchema.index({ userId: 1, key: 1 }, { unique: true });
// A signed transaction belongs to one order.
orderSchema.index(
  { 'attempts.signature': 1 },
  { unique: true, partialFilterExpression: { 'attempts.signature': { $exists: true } } },
);
// Orders that are not over, which are few among all. Also of one user, and orders that a stop concerns.
orderSchema.index({ open: 1, nextAt: 1 }, { partialFilterExpression: { open: true } });
orderSchema.index({ userId: 1, side: 1, status: 1 }, { partialFilterExpression: { open: true } });
// Newest first, of all tokens and of one.
orderSchema.index({ userId: 1, _id: -1 });
orderSchema.index({ userId: 1, 'token.address': 1, _id: -1 });
// By their end, for the figures of the day.
orderSchema.index({ 'times.decided': -1 });
// The same of orders on a chain, whose times paper trading follows.
orderSchema.index(
  { 'times.decided': -1, status: 1 },
  { partialFilterExpression: { cluster: { $type: 'string' } }, name: 'real_decided' },
);

export function orderModel(connection: Connection): Model<OrderRecord> {
  return connection.model<OrderRecord>('Order', orderSchema);
}
