import { CURVE_FEES_BPS } from '../../common/tokens/curve-trades.ts';
import { poolFeesAt } from '../../common/tokens/pool-trades.ts';
import type { TradedMarket } from '../../common/trading/fills.ts';
import { type ReasonCode, reason } from '../../common/trading/reasons.ts';
import { areReservesOfVenue, tradeRefusal } from '../../common/trading/venue.ts';
import { isChained } from '../market/sources/reserve-chain.ts';
import type { TradedCoin } from '../market/traded/traded-coin.ts';
import type { Outcome } from './executors/executor.ts';

/** What decides where a coin trades, and at which price. */
export type MarketFacts = Pick<TradedCoin, 'quote' | 'stage' | 'reserves' | 'reservesVenue' | 'launchpad'>;

/** Returns the curve or the pool of a coin at its present reserves; the reason why its trades can't be computed otherwise. */
export function tradedMarket(coin: MarketFacts | null): Outcome<TradedMarket> {
  const refused = (code: ReasonCode) => ({ ok: false as const, reason: reason(code) });
  if (coin === null) return refused('no-depth');
  const refusal = tradeRefusal(coin, true);
  if (refusal) return refused(refusal);
  const { reserves, launchpad, stage } = coin;
  // Only of these launchpads the formulas are known.
  if (reserves === null || !areReservesOfVenue(coin) || !isChained(launchpad)) return refused('no-depth');
  if (stage !== 'pool') return { ok: true, value: { venue: 'curve', reserves, fees: CURVE_FEES_BPS } };
  if (reserves.virtualToken <= 0) return refused('no-depth');
  return { ok: true, value: { venue: 'pool', reserves, fees: poolFeesAt(reserves) } };
}
