import { utcText } from '../time.ts';
import { type Conditions, flaws, needsAll, sections, valueConfigs } from './conditions.ts';
import type { TimeConfig } from './model.ts';
import { timeFlaw } from './time.ts';
import { comparisonOf, type ValueConfig, valueFlaw } from './values.ts';

type Limit = number | null | undefined;

/** The described fields of a strategy: SOL, SOL, percent. */
export interface Describable extends Conditions {
  buyAmount: number;
  minLiquidity?: Limit;
  maxScamProbability?: Limit;
  buyUnknownRisk?: boolean | undefined;
  /** Seconds. */
  buyWithinSeconds?: Limit;
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
  return `Buys ${figure(strategy.buyAmount)} SOL of a token as soon as ${when}${limitsText(strategy)}${withinText(strategy)}.`;
}

/** Returns the limits as the end of the sentence; empty without limits. */
function limitsText({ minLiquidity, maxScamProbability, buyUnknownRisk = false }: Describable): string {
  const limits = [
    ...(minLiquidity == null ? [] : [`at least ${figure(minLiquidity)} SOL of liquidity`]),
    ...riskLimit(maxScamProbability ?? null, buyUnknownRisk),
  ];
  return limits.length === 0 ? '' : `, if it has ${listed(limits, 'and')}`;
}

function withinText({ buyWithinSeconds }: Describable): string {
  return buyWithinSeconds == null ? '' : `, only within ${span(buyWithinSeconds)} of its detection`;
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
  const { timeConfig } = sections(conditions);
  return [
    ...(timeConfig && timeFlaw(timeConfig) === null ? [timeClause(timeConfig, formatTime)] : []),
    ...valueConfigs(conditions)
      .filter((config) => valueFlaw(config) === null)
      .map(valueClause),
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

function valueClause(config: ValueConfig): string {
  const compared = comparisonOf(config);
  const { kind, value } = compared;
  if ('target' in compared) {
    const target = figure(compared.target ?? 0);
    if (value === 'holders') return `it has ${target} holders or more`;
    return `its ${value} is ${target} SOL or ${kind === 'at-most' ? 'less' : 'more'}`;
  }
  const { percent = 0, seconds } = compared;
  const changed = value === 'holders' ? 'have increased' : `has ${kind === 'rise' ? 'risen' : 'fallen'}`;
  const since = seconds === null ? 'above its lowest since detection' : `within ${span(seconds ?? 0)}`;
  return `its ${value} ${changed} ${figure(percent)}% ${since}`;
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
