import { hasFallen, hasRisen } from '../percent-change.ts';
import { lowestPrice, spanOf, type TokenHistory, valueAt } from './history.ts';
import { flawOf, type Met } from './met.ts';
import type { PriceConfig } from './model.ts';

/**
 * Evaluates a price condition at `now` (epoch ms). Prices in SOL.
 *
 * - `buy_at_fixed_price`: met while the price is at or below `targetPrice`, as a limit order buys.
 * - `buy_at_percentage_from_low`: met while the price is at least `percentageFromLow` % above the lowest since detection.
 * - `buy_at_uptrend` / `buy_at_downtrend`: met while the price is at least `trendPercentage` % above the lowest / below the
 *   highest price of the last `trendDuration` seconds, including the price at their start.
 *
 * An option whose field is missing or not above 0 is never met. An unknown price is `unknown`.
 */
export function priceMet(config: PriceConfig, history: TokenHistory, now: number): Met {
  if (priceFlaw(config) !== null) return 'never';
  const price = valueAt(history, 'price', now);
  if (price === null) return 'unknown';
  return isMet(config, price, history, now) ? 'met' : 'waiting';
}

function isMet(config: PriceConfig, price: number, history: TokenHistory, now: number): boolean {
  const { targetPrice = 0, percentageFromLow = 0, trendPercentage = 0, trendDuration = 0 } = config;
  switch (config.option) {
    case 'buy_at_fixed_price':
      return price <= targetPrice;
    case 'buy_at_percentage_from_low': {
      const low = lowestPrice(history, now);
      return low !== null && hasRisen(price, low, percentageFromLow);
    }
    case 'buy_at_uptrend': {
      const span = spanOf(history, 'price', now, trendDuration * 1000);
      return span !== null && hasRisen(span.now, span.lowest, trendPercentage);
    }
    case 'buy_at_downtrend': {
      const span = spanOf(history, 'price', now, trendDuration * 1000);
      return span !== null && hasFallen(span.now, span.highest, trendPercentage);
    }
  }
}

/** Returns why the condition can never be met, as the end of 'Never buys: …'; null when it can be met. */
export function priceFlaw(config: PriceConfig): string | null {
  switch (config.option) {
    case 'buy_at_fixed_price':
      return flawOf('target price', config.targetPrice);
    case 'buy_at_percentage_from_low':
      return flawOf('percentage from the low', config.percentageFromLow);
    case 'buy_at_uptrend':
      return flawOf('trend percentage', config.trendPercentage) ?? flawOf('trend duration', config.trendDuration);
    case 'buy_at_downtrend':
      return (
        flawOf('trend percentage', config.trendPercentage) ??
        flawOf('trend duration', config.trendDuration) ??
        fallFlaw(config.trendPercentage)
      );
  }
}

/** Returns the flaw of a fall by more than 100 %, or null. */
export function fallFlaw(percent: number | undefined): string | null {
  return percent !== undefined && percent > 100 ? 'nothing can fall by more than 100%' : null;
}

/** Returns the length of history that the condition needs, ms. The low since detection is stored separately. */
export function priceWindow({ option, trendDuration = 0 }: PriceConfig): number {
  return option === 'buy_at_uptrend' || option === 'buy_at_downtrend' ? trendDuration * 1000 : 0;
}
