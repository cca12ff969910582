import { z } from 'zod';
import { alertTypeSchema } from '../templates/model.ts';
import { HOUR } from '../time.ts';
import { addressSchema, tokenSchema } from '../tokens/model.ts';
import { idSchema } from '../users/model.ts';
import { alertCauseSchema } from './cause.ts';

/** Figures of a token at the time of an alert; unknown ones are null. */
const alertFiguresSchema = tokenSchema.pick({
  copyOf: true,
  createdAt: true,
  marketCap: true,
  currentLiquidity: true,
  holderCount: true,
  scamProbability: true,
});
export type AlertFigures = z.infer<typeof alertFiguresSchema>;

/** One alert to one user: at most one per token, type and `ref`, ever. */
export const alertSchema = z.strictObject({
  id: z.string(),
  type: alertTypeSchema,
  /** Null for one that concerns no token, such as a stop. */
  address: addressSchema.nullable(),
  /**
   * Id of the order, of the stop, of the time that an exit is stuck, of an hour, or of the alert that the user has set up; null for an
   * alert by the settings.
   */
  ref: idSchema.nullable(),
  /** At the time of the alert; null when unknown. */
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** Null for an alert about a trade. */
  figures: alertFiguresSchema.nullable(),
  /** Null for an alert that the user has not set up. */
  cause: alertCauseSchema.nullable(),
  /** The default template of the type with its variables filled in. */
  text: z.string(),
  at: z.iso.datetime(),
});
export type Alert = z.infer<typeof alertSchema>;

/** A user's alerts of the present hour, which starts at full hours UTC. */
export const alertHourSchema = z.strictObject({
  since: z.iso.datetime(),
  /** The user's `alertsPerHour`. */
  limit: z.int(),
  /** Can exceed the limit by alerts about watched tokens. */
  received: z.int(),
  /** Alerts that the limit held back. */
  heldBack: z.int(),
  /** Alerts by preset with matches that their limits left out, or that were dropped because too many alerts waited. */
  presets: z.array(z.strictObject({ name: z.string(), limit: z.int(), heldBack: z.int(), dropped: z.int() })),
  /** Matches that the limit over all presets of the user left out, although their own limits had room. */
  allPresets: z.strictObject({ limit: z.int(), heldBack: z.int() }),
});
export type AlertHour = z.infer<typeof alertHourSchema>;

/** Returns '14 more matched this hour; limit 6'. */
export function heldBackText(heldBack: number, hour: 'this hour' | 'last hour', limit: number): string {
  return `${heldBack.toLocaleString('en-US')} more matched ${hour}; limit ${limit}`;
}

/** Returns '14 dropped this hour: too many at once'. */
export function droppedText(dropped: number, hour: 'this hour' | 'last hour'): string {
  return `${dropped.toLocaleString('en-US')} dropped ${hour}: too many at once`;
}

/** Returns '14 more matched this hour; limit 120 for all presets together'. */
export function allPresetsText(heldBack: number, hour: 'this hour' | 'last hour', limit: number): string {
  return `${heldBackText(heldBack, hour, limit)} for all presets together`;
}

/** Smallest price change for a price alert, percent, since the token was watched or last alerted. */
export const PRICE_ALERT_PERCENT = 50;
/** Largest age of a token for a new-token alert, ms: the specification's new-token window. */
export const NEW_TOKEN_ALERT_AGE = HOUR;
