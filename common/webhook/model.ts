import { z } from 'zod';

/** Longest address of a webhook, characters. */
const URL_MAX = 500;

/** The address of a webhook: without a user name and a password. */
export const webhookUrlSchema = z
  .string()
  .max(URL_MAX)
  .regex(/^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i, 'is not an address that begins with https:// or http://');
export const webhookInputSchema = z.strictObject({ url: webhookUrlSchema });

/** A user's webhook. Its address may hold a secret of its service, so that only its host is shown. */
export const webhookSchema = z.strictObject({
  host: z.string(),
  createdAt: z.iso.datetime(),
  /** The last delivery; null before the first one. */
  last: z
    .strictObject({
      at: z.iso.datetime(),
      /** Null after a success. */
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type Webhook = z.infer<typeof webhookSchema>;
