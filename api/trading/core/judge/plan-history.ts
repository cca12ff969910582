import { sections } from '../../../../common/strategies/conditions.ts';
import type { HistoryPoint, TokenHistory } from '../../../../common/strategies/history.ts';
import { SECOND } from '../../../../common/time.ts';
import type { CorePlan } from '../model.ts';
import type { TrackedToken } from '../state/tokens.ts';

/**
 * Returns the figures of a token as a plan sees them at `now` (epoch ms): the present ones, preceded by the extremes that its
 * conditions compare them with. `conditionsMet` gives the same outcome as on the whole history.
 */
export function historyOf({ figures }: TrackedToken, { conditions }: CorePlan, now: number): TokenHistory {
  const { detectedAt, price, liquidity, holders, low } = figures;
  const { priceConfig, liquidityConfig, holderConfig } = sections(conditions);
  const begin = (seconds = 0) => now - seconds * SECOND;
  const base: HistoryPoint = { at: now, price: null, liquidity: null, holders: null };
  switch (priceConfig?.option) {
    case 'buy_at_percentage_from_low':
      base.price = low === Number.POSITIVE_INFINITY ? null : low;
      break;
    case 'buy_at_uptrend':
      base.price = figures.priceLows.since(begin(priceConfig.trendDuration));
      break;
    case 'buy_at_downtrend':
      base.price = figures.priceHighs.since(begin(priceConfig.trendDuration));
      break;
    default:
  }
  switch (liquidityConfig?.option) {
    case 'buy_at_liquidity_increase':
      base.liquidity = figures.liquidityLows.since(begin(liquidityConfig.monitorDuration));
      break;
    case 'buy_at_liquidity_decrease':
      base.liquidity = figures.liquidityHighs.since(begin(liquidityConfig.monitorDuration));
      break;
    default:
  }
  if (holderConfig?.option === 'buy_at_holder_increase_rate') {
    base.holders = figures.holderLows.since(begin(holderConfig.monitorDuration));
  }
  return { detectedAt, points: [base, { at: now, price, liquidity, holders }] };
}
