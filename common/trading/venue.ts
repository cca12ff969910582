import type { Stage } from '../tokens/model.ts';
import type { ReasonCode } from './reasons.ts';

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
