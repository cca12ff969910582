import { z } from 'zod';
import { presetSchema } from '../presets/model.ts';
import { ruleSchema } from '../rules/model.ts';
import { settingsSchema } from '../settings/model.ts';
import { strategySchema } from '../strategies/model.ts';
import { telegramLinkSchema } from '../telegram/model.ts';
import { idSchema } from '../users/model.ts';
import { walletSchema } from '../wallet/model.ts';
import { watchEntrySchema } from '../watchlists/model.ts';
import { webhookSchema } from '../webhook/model.ts';

const removed = z.strictObject({ id: z.string() });

/** A change of a user's own data, for all of their open tabs: a `saved` item is complete, a `deleted` one only identified. */
export const userDataSchema = z.union([
  z.strictObject({ subject: z.literal('presets'), op: z.literal('saved'), item: presetSchema }),
  z.strictObject({ subject: z.literal('presets'), op: z.literal('deleted'), item: removed }),
  /** An alert that the user has set up was saved, muted, fired or deleted. */
  z.strictObject({ subject: z.literal('alert-rules'), op: z.literal('saved'), item: z.strictObject({ id: idSchema }) }),
  z.strictObject({ subject: z.literal('webhook'), op: z.literal('saved'), item: webhookSchema.nullable() }),
  z.strictObject({ subject: z.literal('rules'), op: z.literal('saved'), item: ruleSchema }),
  z.strictObject({ subject: z.literal('rules'), op: z.literal('deleted'), item: removed }),
  z.strictObject({ subject: z.literal('strategies'), op: z.literal('saved'), item: strategySchema }),
  z.strictObject({ subject: z.literal('strategies'), op: z.literal('deleted'), item: removed }),
  z.strictObject({ subject: z.literal('watchlists'), op: z.literal('saved'), item: watchEntrySchema }),
  z.strictObject({
    subject: z.literal('watchlists'),
    op: z.literal('deleted'),
    item: watchEntrySchema.pick({ list: true, address: true }),
  }),
  z.strictObject({ subject: z.literal('settings'), op: z.literal('saved'), item: settingsSchema }),
  z.strictObject({ subject: z.literal('telegram'), op: z.literal('saved'), item: telegramLinkSchema }),
  z.strictObject({ subject: z.literal('wallet'), op: z.literal('saved'), item: walletSchema }),
]);
export type UserData = z.infer<typeof userDataSchema>;
