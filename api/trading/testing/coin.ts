import type { TradedCoin } from '../../market/traded/traded-coin.ts';

/** A mint address. */
export const MINT = '4k3DyjzvzpLhCGkHwvVr8WTjzvCzpVyXc8NmVyTzX7nP';

/** Returns a coin on its curve that every guard allows; 10 SOL have been paid for it. */
export function coin(fields: Partial<TradedCoin> = {}): TradedCoin {
  return {
    address: MINT,
    name: 'Moon Otter',
    symbol: 'OTTR',
    decimals: 6,
    totalSupply: '1000000000000000',
    stage: 'curve',
    quote: 'SOL',
    cluster: 'local',
    launchpad: 'simulator',
    detectedBy: 'simulator',
    creator: null,
    mayhem: false,
    price: 0.000_000_03,
    reserves: {
      virtualQuote: 40_000_000_000,
      virtualToken: 804_750_000_000_000,
      realQuote: 10_000_000_000,
      realToken: 524_850_000_000_000,
    },
    reservesVenue: 'curve',
    areReservesExact: true,
    reservesAt: 1,
    reservesSlot: null,
    liquidityLamports: 20_000_000_000,
    riskScore: 10,
    hasCopiedSymbol: false,
    lastTradeAt: 1,
    isLive: true,
    ...fields,
  };
}

/** A lease that every worker holds, so that several work on the same orders at once, as if each had been cut off. */
export const heldLease = { isHeld: () => true };

/** API keys for a scene whose orders come from no program. */
export const noApiKeys = { endStopped: async () => {}, spend: async () => async () => {} };
