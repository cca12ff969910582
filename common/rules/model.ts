import { z } from 'zod';
import type { Range } from '../settings/model.ts';
import { buyWithinSecondsSchema } from '../strategies/model.ts';

/** Sliders of the rule dialog (specification, section 9). SOL, percent, percent. */
export const ruleMinLiquidity: Range = { min: 0, max: 10, step: 0.1, default: 0.5 };
export const ruleMaxRisk: Range = { min: 0, max: 100, step: 5, default: 30 };
export const ruleMaxSlippage: Range = { min: 0.5, max: 50, step: 0.5, default: 5 };
/** Buy amount, SOL. Not a slider: `max` is only a sanity bound. */
export const ruleBuyAmount: Range = { min: 0.01, max: 1_000_000, step: 0.01, default: 0.1 };

/** Limit of rules per user. */
export const RULES_MAX = 100;
const NAME_MAX = 80;

/** Input of the rule dialog: amounts in SOL, risk and slippage in percent. */
export const ruleInputSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Please enter a name.')
    .max(NAME_MAX, `The name must be at most ${NAME_MAX} characters.`),
  buyAmount: z
    .number('Please enter an amount.')
    .min(ruleBuyAmount.min, `The smallest amount is ${ruleBuyAmount.min} SOL.`)
    .max(ruleBuyAmount.max, 'This amount is too large.'),
  minLiquidity: z.number().min(ruleMinLiquidity.min).max(ruleMinLiquidity.max),
  maxRisk: z.number().min(ruleMaxRisk.min).max(ruleMaxRisk.max),
  maxSlippage: z.number().min(ruleMaxSlippage.min).max(ruleMaxSlippage.max),
  isActive: z.boolean(),
  /** Whether a token of unknown risk is bought as well. */
  buyUnknownRisk: z.boolean(),
  /** Buys a token only within so many seconds of its detection; null: no limit. */
  buyWithinSeconds: buyWithinSecondsSchema.nullable(),
});
export type RuleInput = z.infer<typeof ruleInputSchema>;

/** Body of a new rule: unknown risk counts as not bought unless the rule allows it, and no time limit is set unless it has one. */
export const newRuleSchema = ruleInputSchema.extend({
  buyUnknownRisk: z.boolean().default(false),
  buyWithinSeconds: ruleInputSchema.shape.buyWithinSeconds.default(null),
});

/** An auto-buy rule: buys each new token with at least this liquidity and at most this risk, once. */
export const ruleSchema = ruleInputSchema.extend({
  id: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Rule = z.infer<typeof ruleSchema>;

export const defaultRule: RuleInput = {
  name: '',
  buyAmount: ruleBuyAmount.default,
  minLiquidity: ruleMinLiquidity.default,
  maxRisk: ruleMaxRisk.default,
  maxSlippage: ruleMaxSlippage.default,
  isActive: true,
  buyUnknownRisk: false,
  // A low risk takes minutes to show.
  buyWithinSeconds: null,
};

/** Presets of the New Rule dialog (decision 4). */
export const startingPoints: readonly RuleInput[] = [
  { ...defaultRule, name: 'Low Risk Small Buys', maxRisk: 20 },
  {
    ...defaultRule,
    name: 'Aggressive Buys',
    buyAmount: 0.5,
    minLiquidity: 0.2,
    maxRisk: 50,
    maxSlippage: 10,
    isActive: false,
  },
];
