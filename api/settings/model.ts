import { type Connection, type Model, Schema, type Types } from 'mongoose';
import { type AlertSettings, defaultAlerts } from '../../common/settings/model.ts';

type StoredAlerts = Pick<AlertSettings, 'minLiquidity' | 'maxRisk' | 'newTokenAlerts' | 'priceChangeAlerts'> &
  Partial<AlertSettings>;

/** Settings of a user; a missing field was never set. The wallet is stored separately. */
export interface SettingsRecord {
  /** The user's id. */
  _id: Types.ObjectId;
  telegramUsername?: string;
  /** `minLiquidity` is in SOL, as the slider sends it. Settings saved before a field existed lack it (`alertsOf`). */
  alerts?: StoredAlerts;
  /** Time of the last change of `alerts`: only tokens detected later cause alerts. */
  alertsAt?: Date;
  /** Time when price alerts were last switched on, from which price changes count. */
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

/** Returns the alert settings, with defaults for fields that were never set. */
export function alertsOf(record: Pick<SettingsRecord, 'alerts'> | null | undefined): AlertSettings {
  return { ...defaultAlerts, ...record?.alerts };
}
