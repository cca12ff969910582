import { type Connection, type Model, Schema } from 'mongoose';
import { decisionOutcomes } from '../../../common/decisions/model.ts';
import type { DecisionCountRecord, DecisionRecord, LastDecisionRecord } from './record.ts';

const { Mixed, ObjectId } = Schema.Types;
const required = true;
const id = { type: ObjectId, required };
const text = { type: String, required };
const time = { type: Date, required };
const count = { type: Number, required };

const answer = {
  userId: id,
  address: text,
  symbol: { type: String, default: null },
  outcome: { ...text, enum: decisionOutcomes },
  reason: { type: Mixed, default: null },
  waits: { type: Mixed, default: null },
  lastAt: time,
  expiresAt: time,
};

const decisionSchema = new Schema<DecisionRecord>(
  {
    ...answer,
    planId: id,
    plan: { type: Mixed, required },
    orderId: { type: ObjectId, default: null },
    firstAt: time,
    count,
    batch: ObjectId,
    isResumed: { type: Boolean, required },
  },
  { versionKey: false, minimize: false, collection: 'decisions' },
);
// One entry a plan and token; also how it is found again.
decisionSchema.index({ planId: 1, address: 1 }, { unique: true });
// Pages of a user, newest first: of all plans, of one, and of a token.
decisionSchema.index({ userId: 1, _id: -1 });
decisionSchema.index({ userId: 1, planId: 1, _id: -1 });
decisionSchema.index({ userId: 1, address: 1, _id: -1 });
decisionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function decisionModel(connection: Connection): Model<DecisionRecord> {
  return connection.model<DecisionRecord>('Decision', decisionSchema);
}

const countSchema = new Schema<DecisionCountRecord>(
  {
    userId: id,
    planId: id,
    hour: time,
    considered: count,
    dropped: count,
    lost: { type: Mixed, default: {} },
    batch: ObjectId,
    expiresAt: time,
  },
  { versionKey: false, minimize: false, collection: 'decisionCounts' },
);
countSchema.index({ planId: 1, hour: 1 }, { unique: true });
countSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function decisionCountModel(connection: Connection): Model<DecisionCountRecord> {
  return connection.model<DecisionCountRecord>('DecisionCount', countSchema);
}

const lastSchema = new Schema<LastDecisionRecord>(answer, {
  versionKey: false,
  minimize: false,
  collection: 'lastDecisions',
});
// Those of all plans of a user: at most 200.
lastSchema.index({ userId: 1 });
lastSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function lastDecisionModel(connection: Connection): Model<LastDecisionRecord> {
  return connection.model<LastDecisionRecord>('LastDecision', lastSchema);
}
