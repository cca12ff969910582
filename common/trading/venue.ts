import { CURVE_FEES_BPS, type TradedReserves } from '../tokens/curve-trades.ts';
import type { Stage } from '../tokens/model.ts';
import { poolFeesAt } from '../tokens/pool-trades.ts';
import type { TradedMarket } from './fills.ts';
import { type Reason, type ReasonCode, reason } from './reasons.ts';

/** Where a coin trades: on its bonding curve, or in an AMM pool. */
export type Venue = 'curve' | 'pool';

/** Returns why a coin is not traded on its bonding curve against SOL; null when it is. */
export function curveRefusal({ quote, stage }: { quote: string; stage: Stage }): ReasonCode | null {
  if (quote !== 'SOL') return 'not-sol';
  if (stage === 'complete') return 'between-venues';
  return stage === 'pool' ? 'in-pool' : null;
}

/** Returns why a coin is traded nowhere against SOL; null when it is. `tradesPools`: whether orders can trade in pools. */
export function tradeRefusal(coin: { quote: string; stage: Stage }, tradesPools: boolean): ReasonCode | null {
  const refusal = curveRefusal(coin);
  return refusal === 'in-pool' && tradesPools ? null : refusal;
}

/** Returns whether the reserves of a coin are those of the place where it trades. Those of the other one tell nothing of its price. */
export function areReservesOfVenue({ stage, reservesVenue }: { stage: Stage; reservesVenue: Venue }): boolean {
  return (stage === 'pool') === (reservesVenue === 'pool');
}

/** The facts that decide where a coin trades, and its price. Reserves are null when they, or the formulas of their launchpad, are unknown. */
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
