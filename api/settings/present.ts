import type { Settings } from '../../common/settings/model.ts';
import type { WalletRecord } from '../wallet/model.ts';
import { presentWallet } from '../wallet/present.ts';
import { alertsOf, type SettingsRecord } from './model.ts';

/** Presents settings, with defaults for fields that were never set. */
export function presentSettings(settings: SettingsRecord | null, wallet: WalletRecord | null): Settings {
  return {
    wallet: presentWallet(wallet),
    telegramUsername: settings?.telegramUsername ?? null,
    alerts: alertsOf(settings),
  };
}
