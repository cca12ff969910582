import { z } from 'zod';
import { walletAddressSchema, walletSchema } from '../wallet/model.ts';

/** Bounds, step and default of a slider (specification, section 9). */
export interface Range {
  min: number;
  max: number;
  step: number;
  default: number;
}

/** SOL. */
export const alertMinLiquidity: Range = { min: 0, max: 10, step: 0.1, default: 0.5 };
/** Percent: only tokens with a scam probability below it cause an alert. */
export const alertMaxRisk: Range = { min: 0, max: 100, step: 5, default: 30 };
/** Alerts a user receives in an hour, except those about watched tokens. */
export const alertsPerHour: Range = { min: 1, max: 60, step: 1, default: 6 };

/** A Telegram username with or without the @; stored without. */
export const telegramUsernameSchema = z
  .string()
  .trim()
  .min(1, 'Please enter your Telegram username.')
  .transform((text) => text.replace(/^@/, ''))
  .pipe(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]{3,31}$/, 'A Telegram username has 4 to 32 letters, digits and underscores.'),
  );

export const alertSettingsSchema = z.strictObject({
  /** SOL. */
  minLiquidity: z.number().min(alertMinLiquidity.min).max(alertMinLiquidity.max),
  /** Percent 0–100. */
  maxRisk: z.number().min(alertMaxRisk.min).max(alertMaxRisk.max),
  newTokenAlerts: z.boolean(),
  priceChangeAlerts: z.boolean(),
  /** Further alerts of an hour are counted instead (`api/alerts/README.md`). */
  alertsPerHour: z.int().min(alertsPerHour.min).max(alertsPerHour.max),
});
export type AlertSettings = z.infer<typeof alertSettingsSchema>;

export const defaultAlerts: AlertSettings = {
  minLiquidity: alertMinLiquidity.default,
  maxRisk: alertMaxRisk.default,
  newTokenAlerts: true,
  priceChangeAlerts: true,
  alertsPerHour: alertsPerHour.default,
};

/** A user's settings. `wallet` is the user's one wallet, without its key. */
export const settingsSchema = z.strictObject({
  wallet: walletSchema,
  telegramUsername: z.string().nullable(),
  alerts: alertSettingsSchema,
});
export type Settings = z.infer<typeof settingsSchema>;

/** A change of settings: only the given fields change. */
export const settingsChangeSchema = z.strictObject({
  walletAddress: walletAddressSchema.optional(),
  /** Confirms that the address replaces a wallet with a key, which stays recoverable for 30 days. */
  replaceKey: z.boolean().optional(),
  telegramUsername: telegramUsernameSchema.optional(),
  /** Without `alertsPerHour` the stored limit stays. */
  alerts: alertSettingsSchema.partial({ alertsPerHour: true }).optional(),
});
export type SettingsChange = z.input<typeof settingsChangeSchema>;
