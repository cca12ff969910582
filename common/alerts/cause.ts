import { z } from 'zod';
import { type RangeField, rangeFieldSchema } from '../tokens/filters.ts';
import { type AlertTarget, alertSoundSchema, alertTargetSchema } from './rules/model.ts';

/** The bound of a preset that became true last. */
const conditionSchema = z.strictObject({
  field: rangeFieldSchema,
  bound: z.enum(['min', 'max']),
  value: z.number(),
});
export type AlertCondition = z.infer<typeof conditionSchema>;

/** Why an alert that a user has set up fired, and how an open tab presents it. */
export const alertCauseSchema = z.strictObject({
  why: z.union([
    z.strictObject({
      /** Name of the preset. */
      preset: z.string(),
      /** Null when a token matched from the start, or by something else than a bound. */
      condition: conditionSchema.nullable(),
    }),
    z.strictObject({ target: alertTargetSchema, direction: z.enum(['up', 'down']) }),
  ]),
  sound: alertSoundSchema,
  desktop: z.boolean(),
});
export type AlertCause = z.infer<typeof alertCauseSchema>;

type Unit = 'seconds' | 'usd' | 'sol' | 'count' | 'percent';

/** Names and units of figures within a sentence. */
const figures: Record<RangeField, readonly [name: string, unit: Unit]> = {
  age: ['age', 'seconds'],
  marketCap: ['market cap', 'usd'],
  marketCapSol: ['market cap', 'sol'],
  highestCap: ['highest cap', 'usd'],
  highestCapSol: ['highest cap', 'sol'],
  liquidity: ['liquidity', 'sol'],
  volume: ['volume', 'usd'],
  buys: ['buys', 'count'],
  sells: ['sells', 'count'],
  holders: ['holders', 'count'],
  curve: ['curve', 'percent'],
  risk: ['risk', 'count'],
  checks: ['checks known', 'percent'],
  developer: ['developer', 'percent'],
  topTen: ['top ten', 'percent'],
  insiders: ['insiders', 'percent'],
  bundle: ['bundle', 'percent'],
  launches: ['other launches', 'count'],
};

/** Created once: construction is much slower than formatting. */
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });
const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4, maximumFractionDigits: 12 });

/** Returns `passed Fresh & clean: holders ≥ 30`, or `MC rose to $50K`. */
export function causeText({ why }: Pick<AlertCause, 'why'>): string {
  if ('target' in why) return `${reachedText(why.direction, why.target)}`;
  if (why.condition === null) return `passed ${why.preset}`;
  const { field, bound, value } = why.condition;
  const [name, unit] = figures[field];
  return `passed ${why.preset}: ${name} ${bound === 'min' ? '≥' : '≤'} ${figureText(value, unit)}`;
}

function reachedText(direction: 'up' | 'down', { unit, value }: AlertTarget): string {
  const verb = direction === 'up' ? 'rose' : 'fell';
  return unit === 'price' ? `price ${verb} to ${exact.format(value)} SOL` : `MC ${verb} to $${short.format(value)}`;
}

/** Returns `MC $50K`, or `0.00000003 SOL`. */
export function targetText({ unit, value }: AlertTarget): string {
  return unit === 'price' ? `${exact.format(value)} SOL` : `MC $${short.format(value)}`;
}

function figureText(value: number, unit: Unit): string {
  switch (unit) {
    case 'seconds':
      if (value >= 3_600) return `${exact.format(value / 3_600)} h`;
      return value >= 60 ? `${exact.format(value / 60)} min` : `${exact.format(value)} s`;
    case 'usd':
      return `$${short.format(value)}`;
    case 'sol':
      return `${short.format(value)} SOL`;
    case 'percent':
      return `${exact.format(value)} %`;
    case 'count':
      return short.format(value);
  }
}
