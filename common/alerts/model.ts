import { z } from 'zod';
import { alertTypeSchema } from '../templates/model.ts';
import { HOUR } from '../time.ts';
import { addressSchema } from '../tokens/model.ts';

/** One alert to one user: at most one per token and type, ever. */
export const alertSchema = z.strictObject({
  id: z.string(),
  type: alertTypeSchema,
  address: addressSchema,
  /** At the time of the alert; null when unknown. */
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** The default template of the type with its variables filled in. */
  text: z.string(),
  at: z.iso.datetime(),
});
export type Alert = z.infer<typeof alertSchema>;

/** Smallest price change for a price alert, percent, since the token was watched or last alerted. */
export const PRICE_ALERT_PERCENT = 50;
/** Largest age of a token for a new-token alert, ms: the specification's new-token window. */
export const NEW_TOKEN_ALERT_AGE = HOUR;
