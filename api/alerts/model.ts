import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { AlertCause } from '../../common/alerts/cause.ts';
import type { AlertFigures } from '../../common/alerts/model.ts';
import { type AlertType, alertTypes, ruleAlertTypes, tokenAlertTypes } from '../../common/templates/model.ts';
import { DAY, SECOND } from '../../common/time.ts';

/** States of a message to Telegram. */
const deliveryStates = ['queued', 'sending', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** The message to the user's chat that goes with an alert. */
export interface AlertMessage {
  state: DeliveryState;
  /** Name of the template. */
  template: string;
  at: Date;
  /** Why it failed; null otherwise. */
  reason: string | null;
  /** A line below the text, about alerts that the limit held back; null for most. */
  note: string | null;
}

/** States of a delivery to the user's webhook. */
const webhookStates = ['queued', 'sent', 'failed'] as const;

/** The delivery of an alert to the user's webhook. */
export interface AlertWebhook {
  state: (typeof webhookStates)[number];
  /** Whether an attempt began: its outcome is unknown after a crash. */
  isBegun: boolean;
  at: Date;
  /** Why it failed; null otherwise. */
  reason: string | null;
}

/** Types of alerts about tokens, whether by the settings or set up by the user. */
export const typesAboutTokens: readonly AlertType[] = [...tokenAlertTypes, ...ruleAlertTypes];

/** An alert to one user with its messages: one document, so that a crash never stores one without the other. */
export interface AlertRecord {
  _id: Types.ObjectId;
  userId: Types.ObjectId;
  type: AlertType;
  /** Null for an alert that concerns no token. */
  address: string | null;
  /** As in `alertSchema`. */
  ref: string | null;
  name: string | null;
  symbol: string | null;
  text: string;
  /** Null for an alert about a trade or the account. */
  figures: AlertFigures | null;
  /** Null for an alert that the user has not set up. */
  cause: AlertCause | null;
  /** SOL at the time of the alert, the baseline of a later price alert; null while unknown. */
  price: number | null;
  at: Date;
  /** Null: the user had no reachable chat. */
  telegram: AlertMessage | null;
  /** Null: it does not go to the webhook. */
  webhook: AlertWebhook | null;
}

/** Time that an alert is stored, ms: as long as an unchanged token, so that at most one alert about it means one ever. */
export const RETENTION = 30 * DAY;

const text = { type: String, default: null };
const messageSchema = new Schema<AlertMessage>(
  {
    state: { type: String, required: true, enum: deliveryStates },
    template: { type: String, required: true },
    at: { type: Date, required: true },
    reason: text,
    note: text,
  },
  { _id: false },
);

const webhookSchema = new Schema<AlertWebhook>(
  {
    state: { type: String, required: true, enum: webhookStates },
    isBegun: { type: Boolean, required: true },
    at: { type: Date, required: true },
    reason: text,
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
    cause: { type: Schema.Types.Mixed, default: null },
    price: { type: Number, default: null },
    at: { type: Date, required: true },
    telegram: { type: messageSchema, default: null },
    webhook: { type: webhookSchema, default: null },
  },
  { versionKey: false, collection: 'alerts' },
);
// At most one alert for a user, token, type and reference, however often it is found.
alertSchema.index({ userId: 1, address: 1, type: 1, ref: 1 }, { unique: true });
// Newest alerts of a user.
alertSchema.index({ userId: 1, at: -1, _id: -1 });
// Retention, and the alerts of all users since a time at the start.
alertSchema.index({ at: 1 }, { expireAfterSeconds: RETENTION / SECOND });
// Messages that wait, oldest first, and those being sent. Partial, so that both are small.
alertSchema.index({ 'telegram.at': 1 }, { partialFilterExpression: { 'telegram.state': 'queued' } });
alertSchema.index({ 'telegram.state': 1 }, { partialFilterExpression: { 'telegram.state': 'sending' } });
// Deliveries to webhooks that wait.
alertSchema.index({ 'webhook.at': 1 }, { partialFilterExpression: { 'webhook.state': 'queued' } });
// Counts of the last day, read from the index alone.
alertSchema.index(
  { 'telegram.at': 1, 'telegram.template': 1, 'telegram.state': 1 },
  { partialFilterExpression: { 'telegram.at': { $exists: true } } },
);

export function alertModel(connection: Connection): Model<AlertRecord> {
  return connection.model<AlertRecord>('Alert', alertSchema);
}
