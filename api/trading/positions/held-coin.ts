import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { OpenBook } from './open-book.ts';

/**
 * Returns the last figures of a token with an open position when the market has none: it was removed. It can be sold where it
 * trades, on paper at its last reserves, and not be bought, since nothing follows it. null for any other token.
 */
export function heldCoin(book: OpenBook, address: string): TradedCoin | null {
  const positions = book.of(address);
  const position = positions.find(({ figures }) => figures) ?? positions[0];
  if (!position) return null;
  const { token, cluster, figures = null } = position;
  return {
    address,
    name: token.name,
    symbol: token.symbol,
    decimals: token.decimals,
    totalSupply: null,
    stage: figures?.stage ?? 'curve',
    quote: figures?.quote ?? 'SOL',
    cluster: cluster === 'mainnet' || cluster === 'devnet' || cluster === 'local' ? cluster : null,
    launchpad: figures?.launchpad ?? '',
    detectedBy: 'simulator',
    creator: null,
    mayhem: null,
    price: figures?.price ?? null,
    reserves: figures?.reserves ?? null,
    reservesVenue: figures?.reservesVenue ?? 'curve',
    areReservesExact: false,
    reservesAt: figures?.at ?? null,
    reservesSlot: null,
    liquidityLamports: null,
    riskScore: null,
    hasCopiedSymbol: false,
    lastTradeAt: null,
    isLive: false,
  };
}
