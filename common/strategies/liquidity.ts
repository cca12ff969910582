import { hasFallen, hasRisen } from '../percent-change.ts';
import { spanOf, type TokenHistory, valueAt } from './history.ts';
import { flawOf, type Met } from './met.ts';
import type { LiquidityConfig } from './model.ts';
import { fallFlaw } from './price.ts';

/**
 * Evaluates a liquidity condition at `now` (epoch ms). Liquidity in SOL.
 *
 * - `buy_at_minimum_liquidity`: met while the liquidity is at least `targetLiquidity`.
 * - `buy_at_liquidity_increase` / `buy_at_liquidity_decrease`: met while it is at least `percentageChange` % above the
 *   lowest / below the highest of the last `monitorDuration` seconds, including the value at their start.
 *
 * An option whose field is missing or not above 0 is never met. Unknown liquidity is `unknown`.
 */
export function liquidityMet(config: LiquidityConfig, history: TokenHistory, now: number): Met {
  if (liquidityFlaw(config) !== null) return 'never';
  const liquidity = valueAt(history, 'liquidity', now);
  if (liquidity === null) return 'unknown';
  return isMet(config, liquidity, history, now) ? 'met' : 'waiting';
}

function isMet(config: LiquidityConfig, liquidity: number, history: TokenHistory, now: number): boolean {
  const { targetLiquidity = 0, percentageChange = 0, monitorDuration = 0 } = config;
  if (config.option === 'buy_at_minimum_liquidity') return liquidity >= targetLiquidity;
  const span = spanOf(history, 'liquidity', now, monitorDuration * 1000);
  if (span === null) return false;
  switch (config.option) {
    case 'buy_at_liquidity_increase':
      return hasRisen(span.now, span.lowest, percentageChange);
    case 'buy_at_liquidity_decrease':
      return hasFallen(span.now, span.highest, percentageChange);
  }
}

/** Returns why the condition can never be met, as the end of 'Never buys: …'; null when it can be met. */
export function liquidityFlaw(config: LiquidityConfig): string | null {
  const change = () =>
    flawOf('percentage change', config.percentageChange) ?? flawOf('monitor duration', config.monitorDuration);
  switch (config.option) {
    case 'buy_at_minimum_liquidity':
      return flawOf('target liquidity', config.targetLiquidity);
    case 'buy_at_liquidity_increase':
      return change();
    case 'buy_at_liquidity_decrease':
      return change() ?? fallFlaw(config.percentageChange);
  }
}

/** Returns the length of history that the condition needs, ms. */
export function liquidityWindow({ option, monitorDuration = 0 }: LiquidityConfig): number {
  return option === 'buy_at_minimum_liquidity' ? 0 : monitorDuration * 1000;
}
