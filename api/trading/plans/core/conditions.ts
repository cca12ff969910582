import { hasFallen, hasRisen } from '../../../../common/percent-change.ts';
import {
  type Conditions,
  needsAll,
  sections,
  valueConfigs,
  windowOf,
} from '../../../../common/strategies/conditions.ts';
import type { HistoryPoint, TokenHistory, Value } from '../../../../common/strategies/history.ts';
import type { TimeConfig } from '../../../../common/strategies/model.ts';
import { timeFlaw, timeOf } from '../../../../common/strategies/time.ts';
import { type Comparison, comparisonOf, type ValueConfig, valueFlaw } from '../../../../common/strategies/values.ts';
import { SECOND } from '../../../../common/time.ts';
import { copyOf, createExtremes, type Extremes, extremeSince, pushValue } from './extremes.ts';

/** Figures of a token that plans wait for. SOL and wallets; null is unknown. */
export type Figures = Record<Value, number | null>;

/** Figures of one token, with the extremes that all plans share. */
export interface TokenFigures extends Figures {
  /** Epoch ms; no earlier figure may be pushed. */
  readonly detectedAt: number;
  /** Lowest price above 0 since the detection; null without one. */
  low: number | null;
  lows: Record<Value, Extremes>;
  highs: Record<Value, Extremes>;
}

export function createFigures(detectedAt: number): TokenFigures {
  const all = (sign: 1 | -1) => ({
    price: createExtremes(sign),
    liquidity: createExtremes(sign),
    holders: createExtremes(sign),
  });
  return { detectedAt, price: null, liquidity: null, holders: null, low: null, lows: all(1), highs: all(-1) };
}

/** Sets the figures from `at` (epoch ms, not before the last one) on. `longest`: longest window of any plan, ms. */
export function pushFigures(token: TokenFigures, at: number, figures: Figures, longest: number): void {
  const { price } = figures;
  if (price !== null && price > 0 && (token.low === null || price < token.low)) token.low = price;
  for (const value of values) {
    if (figures[value] === token[value]) continue;
    token[value] = figures[value];
    pushValue(token.lows[value], at, figures[value], longest);
    pushValue(token.highs[value], at, figures[value], longest);
  }
}

/** Returns a copy that later figures do not change. */
export function copyFigures({ lows, highs, ...figures }: TokenFigures): TokenFigures {
  const copied = ({ price, liquidity, holders }: Record<Value, Extremes>) => ({
    price: copyOf(price),
    liquidity: copyOf(liquidity),
    holders: copyOf(holders),
  });
  return { ...figures, lows: copied(lows), highs: copied(highs) };
}

const values: readonly Value[] = ['price', 'liquidity', 'holders'];

/** A time condition in numbers: met from `delay` after the detection, within `from` and `until`, for tokens detected by `lastDetection`. */
export interface TimeSpan {
  /** Whole ms, as the times of tokens, so that a sweep finds each token in one range. */
  delay: number;
  /** Epoch ms, as the following ones. */
  from: number;
  until: number;
  lastDetection: number;
}

/** Conditions of a plan, compiled once. */
export interface CompiledConditions {
  /** Returns whether they are met at `now` (epoch ms), as `conditionsMet` would on the whole history. */
  isMet(figures: TokenFigures, now: number): boolean;
  /** Null: no time condition, or one that is never met. */
  time: TimeSpan | null;
  /** Longest window, ms. */
  window: number;
  /** Whether they ask for the lowest price since the detection. */
  needsLow: boolean;
}

type Check = CompiledConditions['isMet'];

/** Returns the present value of a token: one function a value, since a lookup by name is several times slower. */
const presentValue: Readonly<Record<Value, (figures: TokenFigures) => number | null>> = {
  price: ({ price }) => price,
  liquidity: ({ liquidity }) => liquidity,
  holders: ({ holders }) => holders,
};

/** Compiles the conditions of a plan. */
export function compile(conditions: Conditions): CompiledConditions {
  const { timeConfig, priceConfig } = sections(conditions);
  const time = timeConfig ? timeSpanOf(timeConfig) : null;
  const all = valueConfigs(conditions).map(checkOf);
  if (timeConfig) all.unshift(time && ((figures, now) => isWithin(time, figures.detectedAt, now)));
  // A section that can't be met is left out, unless all must be met.
  const checks = all.filter((check) => check !== null);
  const [first, ...others] = checks;
  const isNever = first === undefined || (needsAll(conditions) && checks.length < all.length);
  const needsLow = priceConfig?.option === 'buy_at_percentage_from_low';
  const isMet = isNever ? () => false : joined(first, others, conditions);
  return { time: isNever ? null : time, window: windowOf(conditions), needsLow, isMet };
}

/** Returns one check of several. Written as loops, since each new figure of a token runs it for each plan. */
function joined(first: Check, others: readonly Check[], conditions: Conditions): Check {
  if (others.length === 0) return first;
  const isOneEnough = !needsAll(conditions);
  return (figures, now) => {
    if (first(figures, now) === isOneEnough) return isOneEnough;
    for (const check of others) if (check(figures, now) === isOneEnough) return isOneEnough;
    return !isOneEnough;
  };
}

/** Returns the check of a condition on a value; null when it can never be met. */
function checkOf(config: ValueConfig): Check | null {
  if (valueFlaw(config) !== null) return null;
  const compared = comparisonOf(config);
  const present = presentValue[compared.value];
  if ('target' in compared) {
    const { kind, target = 0 } = compared;
    return kind === 'at-least'
      ? (figures) => {
          const figure = present(figures);
          return figure !== null && figure >= target;
        }
      : (figures) => {
          const figure = present(figures);
          return figure !== null && figure <= target;
        };
  }
  const { kind, percent = 0 } = compared;
  const hasChanged = kind === 'rise' ? hasRisen : hasFallen;
  return (figures, now) => {
    const figure = present(figures);
    const base = figure === null ? null : baseOf(compared, figures, now);
    return figure !== null && base !== null && hasChanged(figure, base, percent);
  };
}

type Change = Extract<Comparison, { percent: unknown }>;

/** Returns the value that a change is measured from; null without one above 0. */
function baseOf({ kind, value, seconds }: Change, { low, lows, highs }: TokenFigures, now: number): number | null {
  if (seconds === null) return low;
  return extremeSince((kind === 'rise' ? lows : highs)[value], now - (seconds ?? 0) * SECOND);
}

/**
 * Returns the figures of a token as a plan sees them at `now` (epoch ms): the present ones, preceded by the extremes that its
 * conditions compare them with. `conditionsMet` gives the same outcome as on the whole history.
 */
export function historyOf(figures: TokenFigures, conditions: Conditions, now: number): TokenHistory {
  const { detectedAt, price, liquidity, holders } = figures;
  const base: HistoryPoint = { at: now, price: null, liquidity: null, holders: null };
  for (const config of valueConfigs(conditions)) {
    const compared = comparisonOf(config);
    if ('percent' in compared) base[compared.value] = baseOf(compared, figures, now);
  }
  return { detectedAt, points: [base, { at: now, price, liquidity, holders }] };
}

const ALWAYS: TimeSpan = {
  delay: 0,
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  lastDetection: Number.POSITIVE_INFINITY,
};

/** Returns a time condition in numbers; null when it can never be met. */
function timeSpanOf(config: TimeConfig): TimeSpan | null {
  if (timeFlaw(config) !== null) return null;
  switch (config.option) {
    case 'buy_immediately':
      return ALWAYS;
    case 'buy_after_duration':
      return { ...ALWAYS, delay: Math.ceil((config.duration ?? 0) * SECOND) };
    case 'buy_at_time': {
      const target = timeOf(config.targetTime) ?? Number.NEGATIVE_INFINITY;
      return { ...ALWAYS, from: target, lastDetection: target };
    }
    case 'buy_within_timeframe': {
      const [begin, end] = [timeOf(config.startTime), timeOf(config.endTime)];
      return { ...ALWAYS, from: begin ?? ALWAYS.from, until: end ?? ALWAYS.until };
    }
  }
}

/** Returns whether the condition is met at `now` (epoch ms) for a token detected at `detectedAt`. */
function isWithin({ delay, from, until, lastDetection }: TimeSpan, detectedAt: number, now: number): boolean {
  return now >= detectedAt + delay && now >= from && now <= until && detectedAt <= lastDetection;
}
