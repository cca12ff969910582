import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { type AlertType, alertTypes } from '../../common/templates/model.ts';

/** Where a message to Telegram is on its way. */
export const deliveryStates = ['queued', 'sending', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The message to the user's chat that goes with an alert. */
export interface Delivery {
  state: DeliveryState;
  /** Name of the template it was made of. */
  template: string;
  /** Its place in the queue: see telegram/turns.ts. */
  turn: number;
  at: Date;
  /** While `sending`: after this the one who claimed it is taken for dead. */
  claimedUntil: Date | null;
  /** Why it failed, in words; null otherwise. */
  reason: string | null;
}

/** One alert to one user, and the message that goes with it. One document, so that no crash keeps one without the other. */
export interface AlertRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  type: AlertType;
  address: string;
  name: string | null;
  symbol: string | null;
  text: string;
  /** SOL at the moment of the alert: what later price alerts count from; null while unknown. */
  price: number | null;
  at: Date;
  /** Null: the user had no chat that takes messages. */
  telegram: Delivery | null;
}

/** As long as a token is kept without a change, so that at most one alert of it is at most one ever. */
const KEPT_SECONDS = 30 * 86_400;

const text = { type: String, default: null };
const deliverySchema = new Schema<Delivery>(
  {
    state: { type: String, required: true, enum: deliveryStates },
    template: { type: String, required: true },
    turn: { type: Number, required: true },
    at: { type: Date, required: true },
    claimedUntil: { type: Date, default: null },
    reason: text,
  },
  { _id: false },
);

const alertSchema = new Schema<AlertRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    type: { type: String, required: true, enum: alertTypes },
    address: { type: String, required: true },
    name: text,
    symbol: text,
    text: { type: String, required: true },
    price: { type: Number, default: null },
    at: { type: Date, required: true },
    telegram: { type: deliverySchema, default: null },
  },
  { versionKey: false, collection: 'alerts' },
);
// At most one a user, token and type, however many processes find it.
alertSchema.index({ userId: 1, address: 1, type: 1 }, { unique: true });
// A user's newest.
alertSchema.index({ userId: 1, at: -1, _id: -1 });
// Retention; also reads the newest of all users at the start.
alertSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS });
const whereState = (state: DeliveryState) => ({ partialFilterExpression: { 'telegram.state': state } });
// The queue, in order; what waits of one user; what has waited for too long. Each of them holds only what waits.
alertSchema.index({ 'telegram.turn': 1, _id: 1 }, whereState('queued'));
alertSchema.index({ userId: 1, 'telegram.turn': 1 }, whereState('queued'));
alertSchema.index({ 'telegram.at': 1 }, whereState('queued'));
// What somebody has claimed.
alertSchema.index({ 'telegram.claimedUntil': 1 }, whereState('sending'));
// Counts of the last day, without reading a document.
alertSchema.index(
  { 'telegram.at': 1, 'telegram.template': 1, 'telegram.state': 1 },
  { partialFilterExpression: { 'telegram.at': { $exists: true } } },
);

export function alertModel(connection: Connection): Model<AlertRecord> {
  return connection.model<AlertRecord>('Alert', alertSchema);
}
