import type { TradeObservation } from '../../sources/observation.ts';
import { isChained } from '../../sources/reserve-chain.ts';
import { raisePeaks } from '../lifecycle.ts';
import { AT_ONCE, type LiveToken, set } from '../state/live-token.ts';
import { supplyOf } from './facts.ts';
import { isChain } from './precedence.ts';
import { sourceOf } from './preferred-fields.ts';
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
  // A late trade on the curve: the pool makes the price now. A stage that only a service reported does not count.
  const hasLeftCurve = record.stage === 'pool' && (record.reservesVenue === 'pool' || record.migratedAt != null);
  if (hasLeftCurve && event.venue === 'curve') return false;
  live.reservesAt = event.at;
  live.reservesSlot = event.chain.slot;
  live.reservesSource = event.source;
  live.areReservesExact = isExact(live, event);
  set(live, 'reserves', event.reserves);
  set(live, 'reservesVenue', event.venue ?? 'curve');
  set(live, 'price', priceInSol(event.reserves, event.quote, record.decimals, solUsd));
  const liquidity = toLamports(event.quote, event.reserves.realQuote, solUsd);
  set(live, 'liquidityLamports', liquidity);
  raisePeaks(live);
  live.due.values = AT_ONCE;
  return true;
}

/** In mayhem mode an agent mints as many tokens again. */
const MAYHEM_SUPPLY = 2;

/** Returns whether the supply comes from the chain or the mint account: services may report whole tokens. */
function isSupplyRead(live: LiveToken): boolean {
  const source = sourceOf(live, 'totalSupply')?.source;
  return source === undefined || source === 'rpc' || isChain(source);
}

/** Returns whether a trade moves, or leaves in curve or pool, more tokens than there are. */
export function exceedsSupply(live: LiveToken, { tokenAmount, reserves }: TradeObservation): boolean {
  const supply = supplyOf(live);
  if (supply === null || !isChained(live.record.launchpad) || !isSupplyRead(live)) return false;
  const most = live.record.mayhem === true ? supply * MAYHEM_SUPPLY : supply;
  return tokenAmount > most || reserves.realToken > most;
}
