import { hasRisen } from '../percent-change.ts';
import { spanOf, type TokenHistory, valueAt } from './history.ts';
import { flawOf, type Met } from './met.ts';
import type { HolderConfig } from './model.ts';

/**
 * Evaluates a condition on the number of holders at `now` (epoch ms).
 *
 * - `buy_at_minimum_holders`: met while there are at least `minHolders`.
 * - `buy_at_holder_increase_rate`: met while there are at least `increaseRatePercentage` % more than the minimum of the last
 *   `monitorDuration` seconds, including the number at their start. 0 holders are skipped.
 *
 * An option whose field is missing or not above 0 is never met. An unknown number is `unknown`.
 */
export function holdersMet(config: HolderConfig, history: TokenHistory, now: number): Met {
  if (holdersFlaw(config) !== null) return 'never';
  const holders = valueAt(history, 'holders', now);
  if (holders === null) return 'unknown';
  return isMet(config, holders, history, now) ? 'met' : 'waiting';
}

function isMet(config: HolderConfig, holders: number, history: TokenHistory, now: number): boolean {
  const { minHolders = 0, increaseRatePercentage = 0, monitorDuration = 0 } = config;
  switch (config.option) {
    case 'buy_at_minimum_holders':
      return holders >= minHolders;
    case 'buy_at_holder_increase_rate': {
      const span = spanOf(history, 'holders', now, monitorDuration * 1000);
      return span !== null && hasRisen(span.now, span.lowest, increaseRatePercentage);
    }
  }
}

/** Returns why the condition can never be met, as the end of 'Never buys: …'; null when it can be met. */
export function holdersFlaw(config: HolderConfig): string | null {
  switch (config.option) {
    case 'buy_at_minimum_holders':
      return flawOf('minimum of holders', config.minHolders);
    case 'buy_at_holder_increase_rate':
      return (
        flawOf('increase rate', config.increaseRatePercentage) ?? flawOf('monitor duration', config.monitorDuration)
      );
  }
}

/** Returns the length of history that the condition needs, ms. */
export function holdersWindow({ option, monitorDuration = 0 }: HolderConfig): number {
  return option === 'buy_at_minimum_holders' ? 0 : monitorDuration * 1000;
}
