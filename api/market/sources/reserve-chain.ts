import type { Reserves, TradeObservation } from './observation.ts';

/** Launchpads whose trades report their reserves to the unit: each trade begins where the one before it ended. */
const CHAINED: ReadonlySet<string> = new Set(['pump.fun', 'simulator']);

/** Returns whether the reserves show when a trade of the launchpad is missing between two others. */
export function isChained(launchpad: string): boolean {
  return CHAINED.has(launchpad);
}

type Trade = Pick<TradeObservation, 'side' | 'tokenAmount' | 'quoteAmount' | 'reserves' | 'venue'>;

/**
 * Returns the token side of curve or pool right before a trade, base units. Checked on 31 of 31 pairs of recorded mainnet
 * trades, and against the recorded trades of PumpSwap.
 */
export function tokensBefore({ side, tokenAmount, reserves }: Trade): number {
  return side === 'buy' ? reserves.virtualToken + tokenAmount : reserves.virtualToken - tokenAmount;
}

/**
 * Returns whether a trade directly follows the event that left these reserves. On a curve the quote side decides too, so that
 * a purchase and the sale of the same amount are no circle; in a pool a part of the fee stays in the quote side.
 */
export function follows(trade: Trade, before: Pick<Reserves, 'virtualQuote' | 'virtualToken'>): boolean {
  if (tokensBefore(trade) !== before.virtualToken) return false;
  if (trade.venue === 'pool') return true;
  const { side, quoteAmount, reserves } = trade;
  const quote = side === 'buy' ? reserves.virtualQuote - quoteAmount : reserves.virtualQuote + quoteAmount;
  return quote === before.virtualQuote;
}
