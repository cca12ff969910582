import { z } from 'zod';
import { readyPresets } from '../../presets/model.ts';
import type { Range } from '../../settings/model.ts';
import { HOUR } from '../../time.ts';
import { addressSchema } from '../../tokens/model.ts';
import { idSchema } from '../../users/model.ts';

/** Alerts of a user, at most: those by preset and those at a price together. */
export const ALERT_RULES_MAX = 50;
/** Shown when a user has that many. */
export const ALERT_RULES_FULL = `You have reached the limit of ${ALERT_RULES_MAX} alerts. Delete one to add another.`;
/** Alerts of one preset in an hour, which starts at full hours UTC. */
export const ruleAlertsPerHour: Range = { min: 1, max: 60, step: 1, default: 6 };
/** Alerts by all presets of a user in an hour, at most. */
export const PRESET_ALERTS_PER_HOUR = 120;
/** Time that a mute lasts, ms. */
export const MUTE_TIME = HOUR;

/** Sounds of an open tab. */
export const alertSoundSchema = z.enum(['none', 'tick', 'bell']);
export type AlertSound = z.infer<typeof alertSoundSchema>;

/** Where an alert is sent besides the bell, which shows every alert. */
export const alertChannelsSchema = z.strictObject({
  sound: alertSoundSchema,
  /** A notification of the browser, while the product is open in a tab. */
  desktop: z.boolean(),
  /** The linked chat. */
  telegram: z.boolean(),
  /** The user's webhook. */
  webhook: z.boolean(),
});
export type AlertChannels = z.infer<typeof alertChannelsSchema>;

export const defaultChannels: AlertChannels = { sound: 'tick', desktop: false, telegram: false, webhook: false };

/** The id of a saved preset, or the name of a ready one. */
export const presetRefSchema = z
  .string()
  .refine(
    (ref) => idSchema.safeParse(ref).success || readyPresets.some(({ name }) => name === ref),
    'is neither a saved preset nor a ready one',
  );

/** A price of a coin that an alert waits for: SOL for one whole token, or a market cap in US dollars at the present rate. */
export const alertTargetSchema = z.strictObject({
  unit: z.enum(['price', 'market-cap']),
  value: z.number().positive().max(1e15),
});
export type AlertTarget = z.infer<typeof alertTargetSchema>;

/** A new alert about tokens that begin to match a preset. */
export const newPresetAlertSchema = z.strictObject({
  preset: presetRefSchema,
  perHour: z.int().min(ruleAlertsPerHour.min).max(ruleAlertsPerHour.max),
  channels: alertChannelsSchema,
});
export type NewPresetAlert = z.infer<typeof newPresetAlertSchema>;

/** A new alert at a price of one coin. It fires once. */
export const newTargetAlertSchema = z.strictObject({
  address: addressSchema,
  target: alertTargetSchema,
  channels: alertChannelsSchema,
});
export type NewTargetAlert = z.infer<typeof newTargetAlertSchema>;

/** A change of an alert: only the given fields change. `preset` and `perHour` are of an alert by preset. */
export const alertRuleChangeSchema = z.strictObject({
  preset: presetRefSchema.optional(),
  perHour: newPresetAlertSchema.shape.perHour.optional(),
  channels: alertChannelsSchema.optional(),
  /** Mutes the alert for an hour from now, or ends that. */
  muted: z.boolean().optional(),
});
export type AlertRuleChange = z.infer<typeof alertRuleChangeSchema>;

const ofEvery = { id: idSchema, channels: alertChannelsSchema, createdAt: z.iso.datetime() };

const presetAlertSchema = z.strictObject({
  ...ofEvery,
  kind: z.literal('preset'),
  /** As in `newPresetAlertSchema`. */
  preset: z.string(),
  /** Name of the preset; the last known one of a deleted preset. */
  name: z.string(),
  perHour: z.int(),
  /** Null while it is not muted. */
  mutedUntil: z.iso.datetime().nullable(),
  /** Why it does nothing, for the user; null while it works. */
  problem: z.string().nullable(),
  /** Alerts of the present hour, and matches that its own limit left out. */
  received: z.int(),
  heldBack: z.int(),
  /** Matches of the present hour that were dropped because too many alerts waited. */
  dropped: z.int(),
});
export type PresetAlert = z.infer<typeof presetAlertSchema>;

const targetAlertSchema = z.strictObject({
  ...ofEvery,
  kind: z.literal('target'),
  address: addressSchema,
  /** Null while unknown. */
  symbol: z.string().nullable(),
  target: alertTargetSchema,
  /** It fires once the price is at the target or above, or at it or below. */
  direction: z.enum(['up', 'down']),
});
export type TargetAlert = z.infer<typeof targetAlertSchema>;

/** An alert that a user has set up. */
export const alertRuleSchema = z.discriminatedUnion('kind', [presetAlertSchema, targetAlertSchema]);
export type AlertRule = z.infer<typeof alertRuleSchema>;
