import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { AlertFigures } from '../../common/alerts/model.ts';
import { type AlertType, alertTypes } from '../../common/templates/model.ts';
import { DAY, SECOND } from '../../common/time.ts';

/** States of a message to Telegram. */
const deliveryStates = ['queued', 'sending', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The message to the user's chat that goes with an alert. */
export interface AlertMessage {
  state: DeliveryState;
  /** Name of the template. */
  template: string;
  /** Place in the queue: lower turns are sent first (delivery/queue.ts). */
  turn: number;
  at: Date;
  /** While `sending`: after this time the process that claimed it is considered dead. */
  claimedUntil: Date | null;
  /** Why it failed; null otherwise. */
  reason: string | null;
  /** A line below the text, about alerts that the limit held back; null for most. */
  note: string | null;
}

/** An alert to one user with its message: one document, so that a crash never stores one without the other. */
export interface AlertRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  type: AlertType;
  /** Null for an alert that concerns no token. */
  address: string | null;
  /** Id of the order, of the stop, of the time that an exit is stuck, or of an hour, hexadecimal; null for an alert about a token. */
  ref: string | null;
  name: string | null;
  symbol: string | null;
  text: string;
  /** Null in alerts stored before figures were. */
  figures: AlertFigures | null;
  /** SOL at the time of the alert, the baseline of a later price alert; null while unknown. */
  price: number | null;
  at: Date;
  /** The alert's place in its hour (limit/places.ts); null for one stored before places were. */
  place: number | null;
  /** Null: the user had no reachable chat. */
  telegram: AlertMessage | null;
}

/** Numbers of the places in one hour: more than the largest limit and all alerts about watched tokens. */
export const PLACES = 10_000;

/** Time that an alert is stored, ms: as long as an unchanged token, so that at most one alert about it means one ever. */
export const RETENTION = 30 * DAY;

const text = { type: String, default: null };
const messageSchema = new Schema<AlertMessage>(
  {
    state: { type: String, required: true, enum: deliveryStates },
    template: { type: String, required: true },
    turn: { type: Number, required: true },
    at: { type: Date, required: true },
    claimedUntil: { type: Date, default: null },
    reason: text,
    note: text,
  },
  { _id: false },
);

const alertSchema = new Schema<AlertRecord>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    type: { type: String, required: true, enum: alertTypes },
    address: text,
    ref: text,
    name: text,
    symbol: text,
    text: { type: String, required: true },
    figures: { type: Schema.Types.Mixed, default: null },
    price: { type: Number, default: null },
    at: { type: Date, required: true },
    place: { type: Number, default: null },
    telegram: { type: messageSchema, default: null },
  },
  { versionKey: false, collection: 'alerts' },
);
// At most one alert for a user, token, type and trade, however often it is found.
alertSchema.index({ userId: 1, address: 1, type: 1, ref: 1 }, { unique: true });
// At most one alert for a place in an hour, whichever process stores it. Alerts without a place are not limited.
alertSchema.index({ userId: 1, place: 1 }, { unique: true, partialFilterExpression: { place: { $gte: 0 } } });
// Newest alerts of a user.
alertSchema.index({ userId: 1, at: -1, _id: -1 });
// Retention, and the newest alerts of all users at the start.
alertSchema.index({ at: 1 }, { expireAfterSeconds: RETENTION / SECOND });
const whereState = (state: DeliveryState) => ({ partialFilterExpression: { 'telegram.state': state } });
// The queue in order, the messages of one user, and the oldest messages. Partial: they hold queued messages only.
alertSchema.index({ 'telegram.turn': 1, _id: 1 }, whereState('queued'));
alertSchema.index({ userId: 1, 'telegram.turn': 1 }, whereState('queued'));
alertSchema.index({ 'telegram.at': 1 }, whereState('queued'));
// Claimed messages.
alertSchema.index({ 'telegram.claimedUntil': 1 }, whereState('sending'));
// Counts of the last day, read from the index alone.
alertSchema.index(
  { 'telegram.at': 1, 'telegram.template': 1, 'telegram.state': 1 },
  { partialFilterExpression: { 'telegram.at': { $exists: true } } },
);

/** Indexes of earlier versions, which would refuse a second trade of a token. */
export const formerAlertIndexes = ['userId_1_address_1_type_1'];

export function alertModel(connection: Connection): Model<AlertRecord> {
  return connection.model<AlertRecord>('Alert', alertSchema);
}
