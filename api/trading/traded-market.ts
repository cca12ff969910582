import type { TradedMarket } from '../../common/trading/fills.ts';
import { reason } from '../../common/trading/reasons.ts';
import { marketOf } from '../../common/trading/venue.ts';
import { isChained } from '../market/sources/reserve-chain.ts';
import type { TradedCoin } from '../market/traded/traded-coin.ts';
import type { Outcome } from './executors/executor.ts';

/** The facts that decide where a coin trades, and its price. */
export type MarketFacts = Pick<TradedCoin, 'quote' | 'stage' | 'reserves' | 'reservesVenue' | 'launchpad'>;

/** Returns the curve or the pool of a coin at its present reserves; the reason why its trades can't be computed otherwise. */
export function tradedMarket(coin: MarketFacts | null): Outcome<TradedMarket> {
  if (coin === null) return { ok: false, reason: reason('no-depth') };
  // Only of these launchpads the formulas are known.
  return marketOf(isChained(coin.launchpad) ? coin : { ...coin, reserves: null });
}
