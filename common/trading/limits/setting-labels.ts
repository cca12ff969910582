import type { TradingLimits } from '../account.ts';
import type { Protections } from './protections.ts';

/** Switches of protections. */
export type ProtectionSwitch = Extract<
  keyof Protections,
  'openPositions' | 'dayLoss' | 'cooldown' | 'unknownOrders' | 'stopLossGuard'
>;
export type SettingName = keyof TradingLimits | keyof Protections;

/** Labels of a user's limits and protections. `of`: the protection to which a figure belongs. */
export const settingLabels: Record<SettingName, { label: string; of?: ProtectionSwitch }> = {
  perTradeLamports: { label: 'Most per trade' },
  perDayLamports: { label: 'Most per day' },
  priorityMaxLamports: { label: 'Priority fee, at most' },
  tipLamports: { label: 'Tip, at most' },
  openPositions: { label: 'Open positions' },
  maxOpen: { label: 'At most', of: 'openPositions' },
  dayLoss: { label: 'Loss of the day' },
  maxDayLossLamports: { label: 'Most lost per day', of: 'dayLoss' },
  cooldown: { label: 'Cooldown' },
  cooldownMs: { label: 'Wait', of: 'cooldown' },
  stopLossGuard: { label: 'Stop-loss guard' },
  guardStopLosses: { label: 'Stop losses', of: 'stopLossGuard' },
  guardWindowMs: { label: 'Within', of: 'stopLossGuard' },
  guardLockMs: { label: 'Lock for', of: 'stopLossGuard' },
  unknownOrders: { label: 'Unknown orders' },
};

/** Returns the label of a setting by its name, with that of its protection; null for any other name. */
export function settingLabel(name: string): string | null {
  const found = Object.entries(settingLabels).find(([known]) => known === name)?.[1];
  if (!found) return null;
  return found.of ? `${settingLabels[found.of].label}: ${found.label}` : found.label;
}
