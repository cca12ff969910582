import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { AlertSettings } from '../../common/settings/model.ts';

/** What a user has set; what is missing was never set. The wallet is kept by itself. */
export interface SettingsRecord {
  /** The user's. */
  _id: Types.ObjectId;
  telegramUsername?: string;
  /** `minLiquidity` in SOL: it is what the slider said, and no amount that is computed with. */
  alerts?: AlertSettings;
  /** When `alerts` last became something else: only tokens detected later are alerted of. */
  alertsAt?: Date;
  /** When price alerts were last switched on: they count from then. */
  priceAlertsAt?: Date;
}

const settingsSchema = new Schema<SettingsRecord>(
  {
    telegramUsername: { type: String },
    alerts: { type: Schema.Types.Mixed },
    alertsAt: Date,
    priceAlertsAt: Date,
  },
  { versionKey: false, collection: 'settings' },
);

export function settingsModel(connection: Connection): Model<SettingsRecord> {
  return connection.model<SettingsRecord>('Settings', settingsSchema);
}
