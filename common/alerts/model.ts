import { z } from 'zod';
import { alertTypeSchema } from '../templates/model.ts';
import { addressSchema } from '../tokens/model.ts';

/** One alert to one user: at most one a token and type, ever. */
export const alertSchema = z.strictObject({
  id: z.string(),
  type: alertTypeSchema,
  address: addressSchema,
  /** As of the moment of the alert; null while unknown. */
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  /** The default template of its type, filled in. */
  text: z.string(),
  at: z.iso.datetime(),
});
export type Alert = z.infer<typeof alertSchema>;

/** A price alert says that the price has moved by at least this much, percent, since the token was watched or alerted of. */
export const PRICE_ALERT_PERCENT = 50;
/** New-token alerts go out while a token is younger than this, ms: the specification's new-token window. */
export const NEW_TOKEN_ALERT_AGE = 3_600_000;
