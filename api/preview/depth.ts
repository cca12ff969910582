import type { HistoryPoint } from '../../common/strategies/history.ts';
import { curveReservesOf } from '../../common/tokens/curve-trades.ts';
import { poolReservesOf } from '../../common/tokens/pool-trades.ts';
import { solToLamports } from '../../common/tokens/units.ts';
import { type PaperMarket, paperMarket } from '../trading/paper/paper-fill.ts';
import type { PathVenue } from './paths.ts';

/**
 * Returns the curve or pool of a token as a stored point shows it; null while its depth is unknown: no price or liquidity, a price
 * that does not belong to the liquidity, a pool that is not followed, or a launchpad whose formulas are unknown.
 */
export function marketAt(venue: PathVenue, { at, price, liquidity }: HistoryPoint): PaperMarket | null {
  if (price === null || liquidity === null) return null;
  const { launchpad, quote, decimals, isMayhem, migratedAt, isPoolFollowed } = venue;
  const lamports = solToLamports(liquidity);
  const isInPool = migratedAt !== null && at >= migratedAt;
  // A pool of mayhem mode has virtual reserves besides its liquidity.
  if (isInPool && (!isPoolFollowed || isMayhem)) return null;
  const reserves = isInPool ? poolReservesOf(price, lamports) : curveReservesOf(price, lamports);
  const place = isInPool ? 'pool' : 'curve';
  const market = paperMarket({ launchpad, quote, decimals, reserves, stage: place, reservesVenue: place });
  return market.ok ? market.value : null;
}
