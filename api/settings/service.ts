import { type Connection, type Model, Types } from 'mongoose';
import type { z } from 'zod';
import {
  type AlertSettings,
  defaultAlerts,
  type Settings,
  type settingsChangeSchema,
} from '../../common/settings/model.ts';
import type { Clock } from '../../common/time.ts';
import { isDuplicateKey } from '../platform/database.ts';
import { createTurns } from '../platform/keyed-mutex.ts';
import type { TellUser } from '../users/user-events.ts';
import type { OwnerCheck, WalletActor } from '../wallet/owner-check.ts';
import { presentWallet } from '../wallet/present.ts';
import type { Wallets } from '../wallet/service.ts';
import { type SettingsRecord, settingsModel } from './model.ts';
import { presentSettings } from './present.ts';

/** What users have set for themselves. */
export interface SettingsService {
  get(userId: string): Promise<Settings>;
  /** Changes what is named and leaves the rest as it is. Throws `wallet-has-key`; then nothing has changed. */
  change(userId: string, change: z.output<typeof settingsChangeSchema>, by: WalletActor): Promise<Settings>;
  /** Tells the user's tabs of a wallet that has changed: the settings show it as well. */
  tellWallet(userId: string): Promise<void>;
}

interface SettingsDeps {
  connection: Connection;
  wallets: Pick<Wallets, 'find' | 'current' | 'setAddress'>;
  ownerCheck: Pick<OwnerCheck, 'count'>;
  tell: TellUser;
  clock: Clock;
}

export function createSettings({ connection, wallets, ownerCheck, tell, clock }: SettingsDeps): SettingsService {
  const settings = settingsModel(connection);
  const inTurn = createTurns();

  async function read(userId: string) {
    const id = new Types.ObjectId(userId);
    const [record, wallet] = await Promise.all([settings.findById(id).lean<SettingsRecord>(), wallets.find(userId)]);
    return { wallet, item: presentSettings(record, wallet) };
  }

  async function setWallet(userId: string, walletAddress: string, replaceKey: boolean, by: WalletActor) {
    const present = await wallets.current(userId);
    // The form sends the address there is along with everything else.
    if (present?.walletAddress === walletAddress) return false;
    await ownerCheck.count(by);
    return (await wallets.setAddress(userId, walletAddress, replaceKey, by)).changed;
  }

  /** Tells what is stored now: in turn, so that the last that is told is the last that was stored. */
  function told(userId: string, walletChanged: boolean): Promise<Settings> {
    return inTurn(userId, async () => {
      const { wallet, item } = await read(userId);
      if (walletChanged) tell.data(userId, { subject: 'wallet', op: 'saved', item: presentWallet(wallet) });
      tell.data(userId, { subject: 'settings', op: 'saved', item });
      return item;
    });
  }

  return {
    get: async (userId) => (await read(userId)).item,
    async change(userId, { walletAddress, replaceKey = false, telegramUsername, alerts }, by) {
      // First, since it is what may be refused.
      const walletChanged = walletAddress !== undefined && (await setWallet(userId, walletAddress, replaceKey, by));
      const fields = {
        ...(telegramUsername === undefined ? {} : { telegramUsername }),
        ...(alerts === undefined ? {} : { alerts }),
      };
      const fieldsChanged = Object.keys(fields).length > 0;
      if (fieldsChanged) await setFields(settings, userId, fields, new Date(clock.now()));
      return walletChanged || fieldsChanged ? told(userId, walletChanged) : (await read(userId)).item;
    },
    async tellWallet(userId) {
      await told(userId, true);
    },
  };
}

/** Only the named fields, so that two changes of different fields at once both count. */
async function setFields(
  settings: Model<SettingsRecord>,
  userId: string,
  fields: Pick<SettingsRecord, 'telegramUsername' | 'alerts'>,
  now: Date,
): Promise<void> {
  const literal = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { $literal: value }]));
  const change = { ...literal, ...(fields.alerts ? alertTimes(fields.alerts, now) : {}) };
  const put = () =>
    settings.updateOne({ _id: new Types.ObjectId(userId) }, [{ $set: change }], { upsert: true, updatePipeline: true });
  try {
    await put();
  } catch (error) {
    // Two first changes at once both wanted to insert; the slower one then finds what to update.
    if (!isDuplicateKey(error)) throw error;
    await put();
  }
}

/** When these alert settings became what they are, beside them in one update: alerts are about what comes after (alerts/matcher.ts). */
function alertTimes(alerts: AlertSettings, now: Date) {
  const same = Object.entries(alerts).map(([name, value]) => ({ $eq: [`$alerts.${name}`, { $literal: value }] }));
  const wasOn = { $ifNull: ['$alerts.priceChangeAlerts', defaultAlerts.priceChangeAlerts] };
  return {
    alertsAt: { $cond: [{ $and: same }, { $ifNull: ['$alertsAt', '$$REMOVE'] }, now] },
    ...(alerts.priceChangeAlerts
      ? { priceAlertsAt: { $cond: [wasOn, { $ifNull: ['$priceAlertsAt', '$$REMOVE'] }, now] } }
      : {}),
  };
}
