import { hasFallen, hasRisen } from '../percent-change.ts';
import { lowestPrice, spanOf, type TokenHistory, type Value, valueAt } from './history.ts';
import { flawOf, type Met } from './met.ts';
import type { HolderConfig, LiquidityConfig, PriceConfig } from './model.ts';

/** A condition on the price (SOL), the liquidity (SOL) or the number of holders. */
export type ValueConfig = PriceConfig | LiquidityConfig | HolderConfig;

/** What an option compares: a value with its target, or its change with a percentage. Figures are undefined where none is set. */
export type Comparison =
  | { kind: 'at-least' | 'at-most'; value: Value; target: number | undefined }
  /** From the lowest (a fall: the highest) value of the last `seconds`, the one at their start included; null: since detection. */
  | { kind: 'rise' | 'fall'; value: Value; percent: number | undefined; seconds: number | undefined | null };

/** Names of the figures of each option: the target or the percentage, and the duration. */
const figureNames: Record<ValueConfig['option'], readonly [string, string?]> = {
  buy_at_fixed_price: ['target price'],
  buy_at_percentage_from_low: ['percentage from the low'],
  buy_at_uptrend: ['trend percentage', 'trend duration'],
  buy_at_downtrend: ['trend percentage', 'trend duration'],
  buy_at_minimum_liquidity: ['target liquidity'],
  buy_at_liquidity_increase: ['percentage change', 'monitor duration'],
  buy_at_liquidity_decrease: ['percentage change', 'monitor duration'],
  buy_at_minimum_holders: ['minimum of holders'],
  buy_at_holder_increase_rate: ['increase rate', 'monitor duration'],
};

/** Returns what a condition compares. A fixed price is met as a limit order buys: at or below its target. */
export function comparisonOf(config: ValueConfig): Comparison {
  switch (config.option) {
    case 'buy_at_fixed_price':
      return { kind: 'at-most', value: 'price', target: config.targetPrice };
    case 'buy_at_percentage_from_low':
      return { kind: 'rise', value: 'price', percent: config.percentageFromLow, seconds: null };
    case 'buy_at_uptrend':
      return { kind: 'rise', value: 'price', percent: config.trendPercentage, seconds: config.trendDuration };
    case 'buy_at_downtrend':
      return { kind: 'fall', value: 'price', percent: config.trendPercentage, seconds: config.trendDuration };
    case 'buy_at_minimum_liquidity':
      return { kind: 'at-least', value: 'liquidity', target: config.targetLiquidity };
    case 'buy_at_liquidity_increase':
      return { kind: 'rise', value: 'liquidity', percent: config.percentageChange, seconds: config.monitorDuration };
    case 'buy_at_liquidity_decrease':
      return { kind: 'fall', value: 'liquidity', percent: config.percentageChange, seconds: config.monitorDuration };
    case 'buy_at_minimum_holders':
      return { kind: 'at-least', value: 'holders', target: config.minHolders };
    case 'buy_at_holder_increase_rate':
      return {
        kind: 'rise',
        value: 'holders',
        percent: config.increaseRatePercentage,
        seconds: config.monitorDuration,
      };
  }
}

/**
 * Evaluates a condition on a value at `now` (epoch ms): met while the value is on the right side of its target, or has changed by
 * at least the percentage. One whose figure is missing or not above 0 is never met. An unknown value is `unknown`.
 */
export function valueMet(config: ValueConfig, history: TokenHistory, now: number): Met {
  if (valueFlaw(config) !== null) return 'never';
  const compared = comparisonOf(config);
  const current = valueAt(history, compared.value, now);
  if (current === null) return 'unknown';
  return isMet(compared, current, history, now) ? 'met' : 'waiting';
}

function isMet(compared: Comparison, current: number, history: TokenHistory, now: number): boolean {
  if ('target' in compared) {
    const { kind, target = 0 } = compared;
    return kind === 'at-least' ? current >= target : current <= target;
  }
  const { kind, percent = 0 } = compared;
  const base = baseOf(compared, history, now);
  if (base === null) return false;
  return kind === 'rise' ? hasRisen(current, base, percent) : hasFallen(current, base, percent);
}

/** Returns the value that a change is measured from at `now` (epoch ms); null without one above 0. */
export function baseOf(
  { kind, value, seconds }: Extract<Comparison, { percent: unknown }>,
  history: TokenHistory,
  now: number,
): number | null {
  if (seconds === null) return lowestPrice(history, now);
  const span = spanOf(history, value, now, (seconds ?? 0) * 1000);
  return span && (kind === 'rise' ? span.lowest : span.highest);
}

/** Returns why the condition can never be met, as the end of 'Never buys: …'; null when it can be met. */
export function valueFlaw(config: ValueConfig): string | null {
  const compared = comparisonOf(config);
  const [name, duration = ''] = figureNames[config.option];
  if ('target' in compared) return flawOf(name, compared.target);
  const { kind, percent, seconds } = compared;
  const flaw = flawOf(name, percent) ?? (seconds === null ? null : flawOf(duration, seconds));
  if (flaw !== null) return flaw;
  return kind === 'fall' && percent !== undefined && percent > 100 ? 'nothing can fall by more than 100%' : null;
}

/** Returns the length of history that the condition needs, ms. The low since detection is stored separately. */
export function valueWindow(config: ValueConfig): number {
  const compared = comparisonOf(config);
  return 'percent' in compared ? (compared.seconds ?? 0) * 1000 : 0;
}
