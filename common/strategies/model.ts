import { z } from 'zod';
import { idSchema } from '../users/model.ts';

export const strategyTypes = ['time_based', 'price_based', 'liquidity_based', 'mixed', 'holder_based'] as const;
export const timeOptions = ['buy_immediately', 'buy_after_duration', 'buy_at_time', 'buy_within_timeframe'] as const;
export const priceOptions = [
  'buy_at_fixed_price',
  'buy_at_percentage_from_low',
  'buy_at_uptrend',
  'buy_at_downtrend',
] as const;
export const liquidityOptions = [
  'buy_at_minimum_liquidity',
  'buy_at_liquidity_increase',
  'buy_at_liquidity_decrease',
] as const;
export const holderOptions = ['buy_at_minimum_holders', 'buy_at_holder_increase_rate'] as const;

/** Limit of strategies per user. */
export const STRATEGIES_MAX = 100;
const NAME_MAX = 80;
const DESCRIPTION_MAX = 500;
/** Sanity bounds, not part of the specification: lamports of stored amounts remain exact integers. */
const amount = orNull(z.number().min(-1e6, 'is too small').max(1e6, 'is too large'));
const time = orNull(z.iso.datetime({ offset: true }));

/** 'Only within n seconds of detection' of rules and strategies, seconds. */
export const buyWithinSeconds = { min: 1, max: 86_400, preset: 60 } as const;
export const buyWithinSecondsSchema = z
  .number()
  .int('Please enter whole seconds.')
  .min(buyWithinSeconds.min, `The shortest time is ${buyWithinSeconds.min} s.`)
  .max(buyWithinSeconds.max, `The longest time is ${buyWithinSeconds.max} s, a day.`);

/** Returns the schema of an optional field, in which null means the same as a missing field. */
function orNull<Value>(schema: z.ZodType<Value, Value>) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/** Durations in seconds, times ISO 8601. */
export const timeConfigSchema = z.strictObject({
  option: z.enum(timeOptions),
  duration: amount,
  targetTime: time,
  startTime: time,
  endTime: time,
});
export type TimeConfig = z.infer<typeof timeConfigSchema>;

/** Price in SOL, percentages 0–100 and above, duration in seconds. */
export const priceConfigSchema = z.strictObject({
  option: z.enum(priceOptions),
  targetPrice: amount,
  percentageFromLow: amount,
  trendPercentage: amount,
  trendDuration: amount,
});
export type PriceConfig = z.infer<typeof priceConfigSchema>;

/** Liquidity in SOL, change in percent, duration in seconds. */
export const liquidityConfigSchema = z.strictObject({
  option: z.enum(liquidityOptions),
  targetLiquidity: amount,
  percentageChange: amount,
  monitorDuration: amount,
});
export type LiquidityConfig = z.infer<typeof liquidityConfigSchema>;

/** Wallets, percent, seconds. */
export const holderConfigSchema = z.strictObject({
  option: z.enum(holderOptions),
  minHolders: amount,
  increaseRatePercentage: amount,
  monitorDuration: amount,
});
export type HolderConfig = z.infer<typeof holderConfigSchema>;

/** Conditions by section. A single type uses its own section; a mixed strategy uses all present sections. */
export const configurationSchema = z.strictObject({
  timeConfig: timeConfigSchema.optional(),
  priceConfig: priceConfigSchema.optional(),
  liquidityConfig: liquidityConfigSchema.optional(),
  holderConfig: holderConfigSchema.optional(),
  /** Mixed strategies only: all conditions must be met, rather than any one. */
  requireAllConditions: z.boolean().optional(),
});
export type Configuration = z.infer<typeof configurationSchema>;

export const strategyTypeSchema = z.enum(strategyTypes);
export type StrategyType = z.infer<typeof strategyTypeSchema>;

/** Section of each single type. */
export const sectionOf = {
  time_based: 'timeConfig',
  price_based: 'priceConfig',
  liquidity_based: 'liquidityConfig',
  holder_based: 'holderConfig',
} as const satisfies Record<Exclude<StrategyType, 'mixed'>, keyof Configuration>;

/**
 * Fields of the form (specification, section 5). SOL: buyAmount, minLiquidity. Percent: maxSlippage, stopLoss, takeProfit,
 * maxScamProbability. The form's bounds of the optional figures are hints, not rules.
 */
export const strategyFieldsSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(2, 'Name must be at least 2 characters')
    .max(NAME_MAX, `Name must be at most ${NAME_MAX} characters`),
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_MAX, `Description must be at most ${DESCRIPTION_MAX} characters`)
    .default(''),
  type: strategyTypeSchema,
  isActive: z.boolean().default(true),
  buyAmount: z
    .number('Minimum buy amount is 0.001')
    .min(0.001, 'Minimum buy amount is 0.001')
    .max(1_000_000, 'This amount is too large'),
  maxSlippage: z
    .number('Minimum slippage is 0.1%')
    .min(0.1, 'Minimum slippage is 0.1%')
    .max(50, 'Maximum slippage is 50%'),
  stopLoss: amount,
  takeProfit: amount,
  minLiquidity: amount,
  maxScamProbability: amount,
  /** Whether a token of unknown risk is bought as well. */
  buyUnknownRisk: z.boolean().default(false),
  /** Buys a token only within so many seconds of its detection; missing: no limit. */
  buyWithinSeconds: orNull(buyWithinSecondsSchema),
  configuration: configurationSchema,
});
export type StrategyFields = z.infer<typeof strategyFieldsSchema>;

/**
 * Returns the schema with a check that refuses another type's section, and `requireAllConditions` outside mixed strategies.
 * Apply it last: a refined schema can be neither extended nor picked from.
 */
export function fittingType<Schema extends z.ZodType<{ type: StrategyType; configuration: Configuration }>>(
  schema: Schema,
): Schema {
  return schema.superRefine(({ type, configuration }, context) => {
    if (type === 'mixed') return;
    const allowed: keyof Configuration = sectionOf[type];
    for (const section of Object.keys(configuration)) {
      if (section === allowed) continue;
      const message = `does not belong to a strategy of the type ${typeLabels[type]}`;
      context.addIssue({ code: 'custom', path: ['configuration', section], message });
    }
  });
}

/** The complete form. */
export const strategyFormSchema = fittingType(strategyFieldsSchema);

/** A strategy with its owner: the caller, or any user when the caller is an administrator. */
export const strategyInputSchema = fittingType(strategyFieldsSchema.extend({ userId: idSchema }));

/** A strategy in REST responses and events; missing figures are null. */
export const strategySchema = z.strictObject({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  description: z.string(),
  type: strategyTypeSchema,
  isActive: z.boolean(),
  buyAmount: z.number(),
  maxSlippage: z.number(),
  stopLoss: z.number().nullable(),
  takeProfit: z.number().nullable(),
  minLiquidity: z.number().nullable(),
  maxScamProbability: z.number().nullable(),
  buyUnknownRisk: z.boolean(),
  buyWithinSeconds: z.number().nullable(),
  configuration: configurationSchema,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Strategy = z.infer<typeof strategySchema>;

/** Defaults of the form (specification, section 9). */
export const defaultStrategy = {
  name: '',
  description: '',
  type: 'time_based',
  isActive: true,
  buyAmount: 0.05,
  maxSlippage: 3,
  stopLoss: 10,
  takeProfit: 20,
  buyUnknownRisk: false,
  // A launch that is minutes old is not what 'Buy immediately' is for.
  buyWithinSeconds: buyWithinSeconds.preset,
  configuration: { timeConfig: { option: 'buy_immediately' } },
} as const satisfies z.input<typeof strategyFieldsSchema>;

export const typeLabels: Record<StrategyType, string> = {
  time_based: 'Time based',
  price_based: 'Price based',
  liquidity_based: 'Liquidity based',
  mixed: 'Mixed',
  holder_based: 'Holder based',
};
