import { type Connection, Types } from 'mongoose';
import { type AlertSettings, defaultAlerts } from '../../../common/settings/model.ts';
import { type SettingsRecord, settingsModel } from '../../settings/model.ts';
import { type UserRecord, userModel } from '../../users/model.ts';
import type { AlertUser } from './users.ts';

/** ObjectIds of other processes are in order to the second only, and clocks differ. */
const OVERLAP_MS = 60_000;

type UserFields = Pick<UserRecord, '_id' | 'createdAt'>;

/** Reads everybody, and what they have set; also who is inactive, since that may change: it is asked at each alert. */
export interface Audience {
  all(): Promise<AlertUser[]>;
  /** Those who came to be after `since`, epoch ms, and perhaps some from before. */
  newcomers(since: number): Promise<AlertUser[]>;
}

export function createAudience(connection: Connection): Audience {
  const users = userModel(connection);
  const settings = settingsModel(connection);
  const fields = { createdAt: 1 };

  async function withSettings(found: readonly UserFields[], filter: { _id?: { $in: Types.ObjectId[] } }) {
    const set = await settings.find(filter, { alerts: 1, alertsAt: 1, priceAlertsAt: 1 }).lean<SettingsRecord[]>();
    const byUser = new Map(set.map((record) => [record._id.toHexString(), record]));
    return found.map((user) => alertUser(user, byUser.get(user._id.toHexString())));
  }

  return {
    async all() {
      // Everybody, once at the start: no index reads less.
      return withSettings(await users.find({}, fields).lean<UserFields[]>(), {});
    },
    async newcomers(since) {
      const from = Types.ObjectId.createFromTime(Math.floor((since - OVERLAP_MS) / 1000));
      // By _id, which begins with the time.
      const found = await users.find({ _id: { $gte: from } }, fields).lean<UserFields[]>();
      if (found.length === 0) return [];
      return withSettings(found, { _id: { $in: found.map(({ _id }) => _id) } });
    },
  };
}

function alertUser({ _id, createdAt }: UserFields, settings: SettingsRecord | undefined): AlertUser {
  const alerts: AlertSettings = settings?.alerts ?? defaultAlerts;
  const since = Math.max(createdAt.getTime(), settings?.alertsAt?.getTime() ?? 0);
  return { id: _id.toHexString(), alerts, since, priceSince: settings?.priceAlertsAt?.getTime() ?? 0 };
}
