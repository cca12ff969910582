import { utcText } from '../time.ts';
import { type Conditions, flaws, needsAll, sections } from './conditions.ts';
import { holdersFlaw } from './holders.ts';
import { liquidityFlaw } from './liquidity.ts';
import type { HolderConfig, LiquidityConfig, PriceConfig, TimeConfig } from './model.ts';
import { priceFlaw } from './price.ts';
import { timeFlaw } from './time.ts';

type Limit = number | null | undefined;

/** The described fields of a strategy: SOL, SOL, percent. */
export interface Describable extends Conditions {
  buyAmount: number;
  minLiquidity?: Limit;
  maxScamProbability?: Limit;
  buyUnknownRisk?: boolean | undefined;
}

/** Formats an ISO 8601 time. */
export type FormatTime = (iso: string) => string;

/**
 * Describes when a strategy buys, or why it never does, in one sentence, whether or not it is active. `formatTime` writes in
 * UTC by default.
 */
export function sentence(strategy: Describable, formatTime: FormatTime = utcText): string {
  const flawed = flaws(strategy);
  const clauses = clausesOf(strategy, formatTime);
  if (clauses.length === 0 || (needsAll(strategy) && flawed.length > 0)) {
    return `Never buys: ${flawed[0] ?? 'no condition is set'}.`;
  }
  const limit = limitFlaw(strategy);
  if (limit !== null) return `Never buys: ${limit}.`;
  const when = listed(clauses, needsAll(strategy) ? 'and' : 'or');
  return `Buys ${figure(strategy.buyAmount)} SOL of a token as soon as ${when}${limitsText(strategy)}.`;
}

/** Returns the limits as the end of the sentence; empty without limits. */
function limitsText({ minLiquidity, maxScamProbability, buyUnknownRisk = false }: Describable): string {
  const limits = [
    ...(minLiquidity == null ? [] : [`at least ${figure(minLiquidity)} SOL of liquidity`]),
    ...riskLimit(maxScamProbability ?? null, buyUnknownRisk),
  ];
  return limits.length === 0 ? '' : `, if it has ${listed(limits, 'and')}`;
}

function riskLimit(max: number | null, buyUnknownRisk: boolean): string[] {
  if (max === null) return buyUnknownRisk ? [] : ['a known risk'];
  return [buyUnknownRisk ? `at most ${figure(max)}% or an unknown risk` : `at most ${figure(max)}% risk`];
}

function limitFlaw({ maxScamProbability }: Describable): string | null {
  return maxScamProbability != null && maxScamProbability < 0 ? 'no risk is below 0%' : null;
}

/** Returns one clause for each condition that can be met, in the order of the form. */
function clausesOf(conditions: Conditions, formatTime: FormatTime): string[] {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  return [
    ...(timeConfig && timeFlaw(timeConfig) === null ? [timeClause(timeConfig, formatTime)] : []),
    ...(priceConfig && priceFlaw(priceConfig) === null ? [priceClause(priceConfig)] : []),
    ...(liquidityConfig && liquidityFlaw(liquidityConfig) === null ? [liquidityClause(liquidityConfig)] : []),
    ...(holderConfig && holdersFlaw(holderConfig) === null ? [holdersClause(holderConfig)] : []),
  ];
}

// The defaults below are never used: clauses are created only for complete conditions.

function timeClause(
  { option, duration = 0, targetTime = '', startTime, endTime }: TimeConfig,
  format: FormatTime,
): string {
  switch (option) {
    case 'buy_immediately':
      return 'it is detected';
    case 'buy_after_duration':
      return `${span(duration)} have passed since its detection`;
    case 'buy_at_time':
      return `it is ${format(targetTime)} (if it was detected by then)`;
    case 'buy_within_timeframe':
      if (startTime === undefined) return `it is detected (until ${format(endTime ?? '')})`;
      return endTime === undefined
        ? `it is ${format(startTime)} or later`
        : `it is between ${format(startTime)} and ${format(endTime)}`;
  }
}

function priceClause(config: PriceConfig): string {
  const { option, targetPrice = 0, percentageFromLow = 0, trendPercentage = 0, trendDuration = 0 } = config;
  switch (option) {
    case 'buy_at_fixed_price':
      return `its price is ${figure(targetPrice)} SOL or less`;
    case 'buy_at_percentage_from_low':
      return `its price has risen ${figure(percentageFromLow)}% above its lowest since detection`;
    case 'buy_at_uptrend':
      return `its price has risen ${figure(trendPercentage)}% within ${span(trendDuration)}`;
    case 'buy_at_downtrend':
      return `its price has fallen ${figure(trendPercentage)}% within ${span(trendDuration)}`;
  }
}

function liquidityClause(config: LiquidityConfig): string {
  const { option, targetLiquidity = 0, percentageChange = 0, monitorDuration = 0 } = config;
  switch (option) {
    case 'buy_at_minimum_liquidity':
      return `its liquidity is ${figure(targetLiquidity)} SOL or more`;
    case 'buy_at_liquidity_increase':
      return `its liquidity has risen ${figure(percentageChange)}% within ${span(monitorDuration)}`;
    case 'buy_at_liquidity_decrease':
      return `its liquidity has fallen ${figure(percentageChange)}% within ${span(monitorDuration)}`;
  }
}

function holdersClause({
  option,
  minHolders = 0,
  increaseRatePercentage = 0,
  monitorDuration = 0,
}: HolderConfig): string {
  switch (option) {
    case 'buy_at_minimum_holders':
      return `it has ${figure(minHolders)} holders or more`;
    case 'buy_at_holder_increase_rate':
      return `its holders have increased ${figure(increaseRatePercentage)}% within ${span(monitorDuration)}`;
  }
}

/** Joins clauses: `a, b and c`. */
export function listed(parts: readonly string[], word: 'and' | 'or'): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}

/** Formats a number without an exponent: 0.000001, not 1e-6. */
export function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 12 });
}

/** Formats seconds in the largest unit that gives a whole number. */
export function span(seconds: number): string {
  if (seconds % 3600 === 0) return `${figure(seconds / 3600)} h`;
  return seconds % 60 === 0 ? `${figure(seconds / 60)} min` : `${figure(seconds)} s`;
}
