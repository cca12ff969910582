import { z } from 'zod';
import { changePercent } from '../percent-change.ts';
import { type Conditions, sections } from './conditions.ts';
import { lowestPrice, type Span, spanOf, type TokenHistory, type Value, valueAt } from './history.ts';
import { holdersMet } from './holders.ts';
import { liquidityMet } from './liquidity.ts';
import {
  type HolderConfig,
  holderOptions,
  type LiquidityConfig,
  liquidityOptions,
  type PriceConfig,
  priceOptions,
  type TimeConfig,
  timeOptions,
} from './model.ts';
import { priceMet } from './price.ts';
import { timeMet, timeOf } from './time.ts';

/**
 * How far a token is with one condition. `numbers`, by name, as far as they are known: `value` now and its `target`, or its
 * `changePercent` of `percent` (a fall counts up) within `seconds`; times (epoch ms) in names that end with `At`.
 */
export const progressSchema = z.strictObject({
  option: z.enum([...timeOptions, ...priceOptions, ...liquidityOptions, ...holderOptions]),
  met: z.enum(['met', 'waiting', 'unknown', 'never']),
  numbers: z.record(z.string(), z.number()),
});
export type Progress = z.infer<typeof progressSchema>;

/** Figures that may be missing. */
type Figures = Record<string, number | null | undefined>;

/** Returns how far a token is with each condition at `now` (epoch ms), in the order of the form. `conditionsMet` has the outcome of all. */
export function progressOf(conditions: Conditions, history: TokenHistory, now: number): Progress[] {
  const { timeConfig, priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  const progress: Progress[] = [];
  const add = (option: Progress['option'], met: Progress['met'], figures: Figures) =>
    progress.push({ option, met, numbers: known(figures) });
  if (timeConfig) add(timeConfig.option, timeMet(timeConfig, history, now), timeFigures(timeConfig, history));
  if (priceConfig)
    add(priceConfig.option, priceMet(priceConfig, history, now), priceFigures(priceConfig, history, now));
  if (liquidityConfig) {
    const met = liquidityMet(liquidityConfig, history, now);
    add(liquidityConfig.option, met, liquidityFigures(liquidityConfig, history, now));
  }
  if (holderConfig) {
    add(holderConfig.option, holdersMet(holderConfig, history, now), holderFigures(holderConfig, history, now));
  }
  return progress;
}

function timeFigures(config: TimeConfig, { detectedAt }: TokenHistory): Figures {
  switch (config.option) {
    case 'buy_immediately':
      return {};
    case 'buy_after_duration': {
      const { duration } = config;
      return { seconds: duration, untilAt: duration === undefined ? null : detectedAt + duration * 1000 };
    }
    case 'buy_at_time':
      return { untilAt: timeOf(config.targetTime) };
    case 'buy_within_timeframe':
      return { untilAt: timeOf(config.startTime), endAt: timeOf(config.endTime) };
  }
}

function priceFigures(config: PriceConfig, history: TokenHistory, now: number): Figures {
  const { trendPercentage: percent, trendDuration: seconds } = config;
  switch (config.option) {
    case 'buy_at_fixed_price':
      return { value: valueAt(history, 'price', now), target: config.targetPrice };
    case 'buy_at_percentage_from_low': {
      const [price, low] = [valueAt(history, 'price', now), lowestPrice(history, now)];
      const change = price === null || low === null ? null : changePercent(low, price);
      return { changePercent: change, percent: config.percentageFromLow };
    }
    case 'buy_at_uptrend':
      return { changePercent: rise(windowOf(history, 'price', now, seconds)), percent, seconds };
    case 'buy_at_downtrend':
      return { changePercent: fall(windowOf(history, 'price', now, seconds)), percent, seconds };
  }
}

function liquidityFigures(config: LiquidityConfig, history: TokenHistory, now: number): Figures {
  const { percentageChange: percent, monitorDuration: seconds } = config;
  switch (config.option) {
    case 'buy_at_minimum_liquidity':
      return { value: valueAt(history, 'liquidity', now), target: config.targetLiquidity };
    case 'buy_at_liquidity_increase':
      return { changePercent: rise(windowOf(history, 'liquidity', now, seconds)), percent, seconds };
    case 'buy_at_liquidity_decrease':
      return { changePercent: fall(windowOf(history, 'liquidity', now, seconds)), percent, seconds };
  }
}

function holderFigures(config: HolderConfig, history: TokenHistory, now: number): Figures {
  const { increaseRatePercentage: percent, monitorDuration: seconds } = config;
  switch (config.option) {
    case 'buy_at_minimum_holders':
      return { value: valueAt(history, 'holders', now), target: config.minHolders };
    case 'buy_at_holder_increase_rate':
      return { changePercent: rise(windowOf(history, 'holders', now, seconds)), percent, seconds };
  }
}

function windowOf(history: TokenHistory, value: Value, now: number, seconds = 0): Span | null {
  return spanOf(history, value, now, seconds * 1000);
}

const rise = (span: Span | null) => span && changePercent(span.lowest, span.now);
/** A fall counts up. `0 -` keeps 0 from becoming −0. */
const fall = (span: Span | null) => span && 0 - changePercent(span.highest, span.now);

function known(figures: Figures): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const [name, figure] of Object.entries(figures)) if (figure != null) numbers[name] = figure;
  return numbers;
}
