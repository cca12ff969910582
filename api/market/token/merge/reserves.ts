import type { TradeObservation } from '../../sources/observation.ts';
import { raisePeaks } from '../lifecycle.ts';
import { type LiveToken, set } from '../state/live-token.ts';
import { supplyOf } from './facts.ts';
import { priceInSol, toLamports } from './price.ts';
import { isExact, isOlderThanReserves } from './trade-chain.ts';

/** An event that left these reserves; without a venue on the curve. */
export type ReserveEvent = Pick<TradeObservation, 'at' | 'source' | 'chain' | 'reserves' | 'quote'> & {
  venue?: 'curve' | 'pool';
};

/** Applies the reserves of an event unless newer ones are known. `solUsd`: dollars for 1 SOL; null when unknown. Returns true when applied. */
export function applyReserves(live: LiveToken, event: ReserveEvent, { solUsd }: { solUsd: number | null }): boolean {
  const { record } = live;
  if (isOlderThanReserves(live, event)) return false;
  // A late trade on the curve: the pool makes the price now.
  if (record.stage === 'pool' && event.venue === 'curve') return false;
  live.reservesAt = event.at;
  live.reservesSlot = event.chain.slot;
  live.areReservesExact = isExact(live, event);
  set(live, 'reserves', event.reserves);
  set(live, 'reservesVenue', event.venue ?? 'curve');
  set(live, 'price', priceInSol(event.reserves, event.quote, record.decimals, solUsd));
  const liquidity = toLamports(event.quote, event.reserves.realQuote, solUsd);
  set(live, 'liquidityLamports', liquidity);
  raisePeaks(live);
  live.ratedIn = -1;
  return true;
}

/** In mayhem mode an agent mints as many tokens again. */
const MAYHEM_SUPPLY = 2;

/** Returns whether a trade moves, or leaves in curve or pool, more tokens than there are. */
export function exceedsSupply(live: LiveToken, { tokenAmount, reserves }: TradeObservation): boolean {
  const supply = supplyOf(live);
  if (supply === null) return false;
  const most = live.record.mayhem === true ? supply * MAYHEM_SUPPLY : supply;
  return tokenAmount > most || reserves.realToken > most;
}
