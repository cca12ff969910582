import { type Connection, Types } from 'mongoose';
import type { AlertSettings } from '../../../common/settings/model.ts';
import { alertsOf, type SettingsRecord, settingsModel } from '../../settings/model.ts';
import { type UserRecord, userModel } from '../../users/model.ts';

/** A user who may receive alerts. Inactive users are included: activity may change and is checked for every alert. */
export interface Subscriber {
  /** Hexadecimal. */
  id: string;
  alerts: AlertSettings;
  /** When the alert settings last changed or the user was created, epoch ms: only tokens detected later count. */
  since: number;
  /** When price alerts were last switched on, epoch ms: baselines count from then. 0: they were never off. */
  priceSince: number;
}

/** Reads subscribers from the stored users and settings. */
export interface SubscriberReader {
  all(): Promise<Subscriber[]>;
  /** Resolves with null when the user does not exist. */
  byId(userId: string): Promise<Subscriber | null>;
}

type UserFields = Pick<UserRecord, '_id' | 'createdAt'>;
const USER_FIELDS = { createdAt: 1 };
const SETTINGS_FIELDS = { alerts: 1, alertsAt: 1, priceAlertsAt: 1 };

export function createSubscriberReader(connection: Connection): SubscriberReader {
  const users = userModel(connection);
  const settings = settingsModel(connection);

  return {
    async all() {
      // Reads both collections in full, once at the start.
      const [everyone, stored] = await Promise.all([
        users.find({}, USER_FIELDS).lean<UserFields[]>(),
        settings.find({}, SETTINGS_FIELDS).lean<SettingsRecord[]>(),
      ]);
      const byUser = new Map(stored.map((record) => [record._id.toHexString(), record]));
      return everyone.map((user) => subscriberOf(user, byUser.get(user._id.toHexString())));
    },
    async byId(userId) {
      const _id = new Types.ObjectId(userId);
      const [user, stored] = await Promise.all([
        users.findById(_id, USER_FIELDS).lean<UserFields>(),
        settings.findById(_id, SETTINGS_FIELDS).lean<SettingsRecord>(),
      ]);
      return user && subscriberOf(user, stored ?? undefined);
    },
  };
}

function subscriberOf({ _id, createdAt }: UserFields, settings: SettingsRecord | undefined): Subscriber {
  return {
    id: _id.toHexString(),
    alerts: alertsOf(settings),
    since: Math.max(createdAt.getTime(), settings?.alertsAt?.getTime() ?? 0),
    priceSince: settings?.priceAlertsAt?.getTime() ?? 0,
  };
}

/**
 * Returns the subscriber after saving these alert settings at `now` (epoch ms). Settings that match the same tokens as
 * before keep the earlier times.
 */
export function withAlerts(subscriber: Subscriber, alerts: AlertSettings, now: number): Subscriber {
  if (matchEqually(subscriber.alerts, alerts)) return { ...subscriber, alerts };
  const switchesOn = alerts.priceChangeAlerts && !subscriber.alerts.priceChangeAlerts;
  return { ...subscriber, alerts, since: now, priceSince: switchesOn ? now : subscriber.priceSince };
}

function matchEqually(one: AlertSettings, other: AlertSettings): boolean {
  return (
    one.minLiquidity === other.minLiquidity &&
    one.maxRisk === other.maxRisk &&
    one.newTokenAlerts === other.newTokenAlerts &&
    one.priceChangeAlerts === other.priceChangeAlerts
  );
}
