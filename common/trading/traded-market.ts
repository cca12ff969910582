import { CURVE_FEES_BPS, type TradedReserves } from '../tokens/curve-trades.ts';
import type { Stage } from '../tokens/model.ts';
import { poolFeesAt } from '../tokens/pool-trades.ts';
import type { TradedMarket } from './fills.ts';
import { type Reason, reason } from './reasons.ts';
import { areReservesOfVenue, tradeRefusal, type Venue } from './venue.ts';

/** What decides where a coin trades, and at which price. Reserves are null when they, or the formulas of their launchpad, are unknown. */
export interface CoinMarket {
  quote: string;
  stage: Stage;
  reserves: TradedReserves | null;
  reservesVenue: Venue;
}

/** Returns the curve or the pool of a coin at its present reserves; the reason why its trades can't be computed otherwise. */
export function marketOf(coin: CoinMarket): { ok: true; value: TradedMarket } | { ok: false; reason: Reason } {
  const refusal = tradeRefusal(coin, true);
  if (refusal) return { ok: false, reason: reason(refusal) };
  const { reserves, stage } = coin;
  if (reserves === null || !areReservesOfVenue(coin)) return { ok: false, reason: reason('no-depth') };
  if (stage !== 'pool') return { ok: true, value: { venue: 'curve', reserves, fees: CURVE_FEES_BPS } };
  if (reserves.virtualToken <= 0) return { ok: false, reason: reason('no-depth') };
  return { ok: true, value: { venue: 'pool', reserves, fees: poolFeesAt(reserves) } };
}
