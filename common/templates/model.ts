import { z } from 'zod';
import { idSchema } from '../users/model.ts';

/** Types of alerts about tokens, which the user's settings ask for and limit. */
export const tokenAlertTypes = ['new_token', 'price_alert'] as const;
export type TokenAlertType = (typeof tokenAlertTypes)[number];
/** Types of alerts that users set up themselves: by preset, and at a price. */
export const ruleAlertTypes = ['preset_match', 'price_target'] as const;
export type RuleAlertType = (typeof ruleAlertTypes)[number];
/** Types of alerts about the user's own trades and account, which always come. */
const ownAlertTypes = [
  'trade_bought',
  'trade_sold',
  'trade_failed',
  'trade_unknown',
  'trading_stopped',
  'exit_stuck',
  'wallet_replaced',
  'password_exposed',
] as const;
export type OwnAlertType = (typeof ownAlertTypes)[number];
/** Types that the product sends; templates of other types can be created but are not sent. */
export const alertTypes = [...tokenAlertTypes, ...ruleAlertTypes, ...ownAlertTypes] as const;
export const alertTypeSchema = z.enum(alertTypes);
export type AlertType = z.infer<typeof alertTypeSchema>;

/** Leaves room for the variables: Telegram's longest message is 4,096 characters. */
const TEMPLATE_MAX = 2_000;

export const templateInputSchema = z.strictObject({
  name: z.string().trim().min(1, 'Please enter a name').max(80),
  /** Free text such as `new_token` or `price_alert`, in one line. */
  type: z
    .string()
    .trim()
    .min(1, 'Please enter a type')
    .max(40)
    .refine((text) => !/\p{Cc}/u.test(text), 'takes no control characters'),
  /** Text with placeholders such as `{token.name}`, see render.ts. */
  template: z
    .string()
    .max(TEMPLATE_MAX)
    .refine((text) => text.trim() !== '', 'Please enter the content'),
  isDefault: z.boolean(),
});
export type TemplateInput = z.infer<typeof templateInputSchema>;

/** A template. Each type with templates has exactly one default. */
export const templateSchema = templateInputSchema.extend({
  id: idSchema,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Template = z.infer<typeof templateSchema>;

/** Limit of templates. */
export const TEMPLATES_MAX = 200;
