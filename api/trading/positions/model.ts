import { type Connection, type Model, Schema } from 'mongoose';
import { positionStatusSchema } from '../../../common/trading/position.ts';
import type { PositionFillRecord, PositionRecord } from './record.ts';

const { Mixed, ObjectId } = Schema.Types;
const required = true;
const count = { type: Number, required };
const text = { type: String, required };

const positionSchema = new Schema<PositionRecord>(
  {
    userId: { type: ObjectId, required },
    mode: text,
    cluster: { type: String, default: null },
    wallet: text,
    token: { type: Mixed, required },
    figures: { type: Mixed, default: null },
    origin: text,
    originName: { type: String, default: null },
    status: { ...text, enum: positionStatusSchema.options },
    open: { type: Boolean, required },
    tokens: text,
    boughtTokens: text,
    soldTokens: text,
    movedTokens: text,
    costLamports: count,
    paidLamports: count,
    proceedsLamports: count,
    realisedLamports: count,
    movedCostLamports: count,
    feesLamports: count,
    rentLamports: count,
    entryPrice: count,
    quoteLamports: count,
    exits: { type: Mixed, required },
    peakPrice: { type: Number, default: null },
    stepsDone: { type: [Number], default: [] },
    exit: { type: Mixed, default: null },
    exitSeq: count,
    last: { type: Mixed, default: null },
    holdsPlace: { type: Boolean, required },
    openedAt: { type: Date, required },
    closedAt: { type: Date, default: null },
    version: count,
  },
  { versionKey: false, minimize: false, collection: 'positions' },
);
// One open position for each network, wallet, token and origin.
positionSchema.index(
  { userId: 1, mode: 1, cluster: 1, wallet: 1, 'token.address': 1, origin: 1 },
  { unique: true, partialFilterExpression: { open: true } },
);
// All open ones, which are few among all.
positionSchema.index({ open: 1 }, { partialFilterExpression: { open: true } });
// Positions that a crash has left half closed.
positionSchema.index({ holdsPlace: 1 }, { partialFilterExpression: { holdsPlace: true } });
// Pages of a user, newest first, of all tokens and of one. Open ones have no `closedAt`.
positionSchema.index({ userId: 1, open: 1, closedAt: -1, _id: -1 });
positionSchema.index({ userId: 1, 'token.address': 1, open: 1, closedAt: -1, _id: -1 });
// Results of rules and strategies: everything that is read is in the index.
positionSchema.index({ userId: 1, mode: 1, origin: 1, open: 1, realisedLamports: 1 });

export function positionModel(connection: Connection): Model<PositionRecord> {
  return connection.model<PositionRecord>('Position', positionSchema);
}

const fillSchema = new Schema<PositionFillRecord>(
  {
    userId: { type: ObjectId, required },
    mode: text,
    wallet: text,
    address: text,
    side: text,
    cluster: { type: String, default: null },
    token: { type: Mixed, required },
    origin: text,
    originName: { type: String, default: null },
    exits: { type: Mixed, default: null },
    hasFill: { type: Boolean, required },
    feesLamports: count,
    realisedLamports: count,
    parts: [Mixed],
    done: { type: Boolean, required },
    at: { type: Date, required },
  },
  { versionKey: false, minimize: false, collection: 'positionFills' },
);
// Fills that a crash has left, of one holding.
fillSchema.index({ userId: 1, mode: 1, wallet: 1, address: 1 }, { partialFilterExpression: { done: false } });
// Profit by day.
fillSchema.index({ userId: 1, mode: 1, at: -1 });

export function positionFillModel(connection: Connection): Model<PositionFillRecord> {
  return connection.model<PositionFillRecord>('PositionFill', fillSchema);
}
