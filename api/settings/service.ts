import { type Connection, type Model, Types } from 'mongoose';
import type { z } from 'zod';
import { PublicError } from '../../common/errors.ts';
import { defaultAlerts, type Settings, type settingsChangeSchema } from '../../common/settings/model.ts';
import type { Clock } from '../../common/time.ts';
import type { EventSink } from '../events/bus.ts';
import type { RequestActor } from '../http/caller.ts';
import { isDuplicateKey } from '../platform/database.ts';
import { createKeyedMutex } from '../platform/keyed-mutex.ts';
import type { WalletRecord } from '../wallet/model.ts';
import type { OwnerCheck } from '../wallet/owner-check.ts';
import { presentWallet } from '../wallet/present.ts';
import type { Wallets } from '../wallet/service.ts';
import { alertsOf, type SettingsRecord, settingsModel } from './model.ts';

/** The settings of users. */
export type SettingsService = ReturnType<typeof createSettings>;

/**
 * The acting user. `confirmReplacement` throws unless they have proved their identity, which replacing a wallet requires;
 * without it no wallet can be replaced.
 */
export type SettingsActor = RequestActor & { confirmReplacement?(): Promise<void> };

export function createSettings(deps: {
  connection: Connection;
  wallets: Pick<Wallets, 'find' | 'current' | 'setAddress'>;
  ownerCheck: Pick<OwnerCheck, 'count'>;
  bus: EventSink;
  clock: Clock;
}) {
  const { connection, wallets, ownerCheck, bus, clock } = deps;
  const settings = settingsModel(connection);
  const exclusive = createKeyedMutex();

  async function read(userId: string) {
    const id = new Types.ObjectId(userId);
    const [record, wallet] = await Promise.all([settings.findById(id).lean<SettingsRecord>(), wallets.find(userId)]);
    return { wallet, item: presentSettings(record, wallet) };
  }

  async function setWallet(userId: string, walletAddress: string, replaceKey: boolean, by: SettingsActor) {
    const present = await wallets.current(userId);
    // The form sends the current address along with the other fields.
    if (present?.walletAddress === walletAddress) return false;
    if (present) await (by.confirmReplacement ?? neverConfirmed)();
    await ownerCheck.count(by);
    return (await wallets.setAddress(userId, walletAddress, replaceKey, by)).changed;
  }

  /** Emits the stored state. Serialized per user, so that the last event carries the last stored state. */
  function emitStored(userId: string, walletChanged: boolean): Promise<Settings> {
    return exclusive(userId, async () => {
      const { wallet, item } = await read(userId);
      if (walletChanged) bus.emit('wallet-changed', { userId, wallet: presentWallet(wallet) });
      bus.emit('settings-changed', { userId, settings: item });
      return item;
    });
  }

  return {
    get: async (userId: string): Promise<Settings> => (await read(userId)).item,
    /**
     * Changes the named fields and leaves the rest. Throws `wallet-has-key` and what `confirmReplacement` throws; nothing has
     * changed then.
     */
    async change(
      userId: string,
      { walletAddress, replaceKey = false, telegramUsername, alerts }: z.output<typeof settingsChangeSchema>,
      by: SettingsActor,
    ): Promise<Settings> {
      // First, since it may be refused.
      const walletChanged = walletAddress !== undefined && (await setWallet(userId, walletAddress, replaceKey, by));
      const fields = {
        ...(telegramUsername === undefined ? {} : { telegramUsername }),
        ...(alerts === undefined ? {} : { alerts }),
      };
      const fieldsChanged = Object.keys(fields).length > 0;
      if (fieldsChanged) await setFields(settings, userId, fields, new Date(clock.now()));
      return walletChanged || fieldsChanged ? emitStored(userId, walletChanged) : (await read(userId)).item;
    },
    /** Emits a wallet that has changed, and the settings, which show it too. */
    async walletChanged(userId: string): Promise<void> {
      await emitStored(userId, true);
    },
  };
}

type AlertsChange = NonNullable<z.output<typeof settingsChangeSchema>['alerts']>;

async function neverConfirmed(): Promise<never> {
  throw new PublicError('password-needed');
}

/** Sets only the named fields, so that two concurrent changes of different fields both take effect. */
async function setFields(
  settings: Model<SettingsRecord>,
  userId: string,
  fields: { telegramUsername?: string; alerts?: AlertsChange },
  now: Date,
): Promise<void> {
  const literal = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { $literal: value }]));
  const change = { ...literal, ...(fields.alerts ? alertFields(fields.alerts, now) : {}) };
  const put = () =>
    settings.updateOne({ _id: new Types.ObjectId(userId) }, [{ $set: change }], { upsert: true, updatePipeline: true });
  try {
    await put();
  } catch (error) {
    // Two first changes at once both wanted to insert; the document exists now.
    if (!isDuplicateKey(error)) throw error;
    await put();
  }
}

/**
 * Returns the changed alert settings, which keep a field that is not given, and the time of a change, set in the same
 * update: alerts are about tokens after it (`api/alerts`), unless only the limit changed.
 */
function alertFields({ alertsPerHour, ...alerts }: AlertsChange, now: Date) {
  const same = Object.entries(alerts).map(([name, value]) => ({ $eq: [`$alerts.${name}`, { $literal: value }] }));
  const limit = alertsPerHour === undefined ? {} : { alertsPerHour };
  const wasOn = { $ifNull: ['$alerts.priceChangeAlerts', defaultAlerts.priceChangeAlerts] };
  return {
    alerts: { $mergeObjects: ['$alerts', { $literal: { ...alerts, ...limit } }] },
    alertsAt: { $cond: [{ $and: same }, { $ifNull: ['$alertsAt', '$$REMOVE'] }, now] },
    ...(alerts.priceChangeAlerts
      ? { priceAlertsAt: { $cond: [wasOn, { $ifNull: ['$priceAlertsAt', '$$REMOVE'] }, now] } }
      : {}),
  };
}

/** Presents settings, with defaults for fields that were never set. */
function presentSettings(settings: SettingsRecord | null, wallet: WalletRecord | null): Settings {
  return {
    wallet: presentWallet(wallet),
    telegramUsername: settings?.telegramUsername ?? null,
    alerts: alertsOf(settings),
  };
}
