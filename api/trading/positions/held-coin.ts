import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { OpenBook } from './open-book.ts';

/**
 * Returns the figures that are known of a token with an open position when the market has none: it was removed. It can be
 * sold where it trades, and not be bought, since its depth is unknown. null for any other token.
 */
export function heldCoin(book: OpenBook, address: string): TradedCoin | null {
  const [position] = book.of(address);
  if (!position) return null;
  const { token, cluster } = position;
  return {
    address,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    totalSupply: null,
    stage: 'curve',
    quote: 'SOL',
    cluster: cluster === 'mainnet' || cluster === 'devnet' || cluster === 'local' ? cluster : null,
    launchpad: '',
    detectedBy: 'simulator',
    creator: null,
    mayhem: null,
    price: null,
    reserves: null,
    reservesVenue: 'curve',
    areReservesExact: false,
    reservesAt: null,
    reservesSlot: null,
    liquidityLamports: null,
    riskScore: null,
    hasCopiedSymbol: false,
    lastTradeAt: null,
    isLive: false,
  };
}
