import type { TradedCoin } from '../../../market/traded/traded-coin.ts';
import type { Change, CoreFacts, CorePrice, CoreToken } from '../../plans/core/model.ts';

interface Figures {
  token: CoreToken | null;
  facts: CoreFacts | null;
  price: CorePrice | null;
}

/** Creates the figures of all tokens at the present moment of a replay. */
export function createDeskMarkets() {
  const byAddress = new Map<string, Figures>();
  let rentPerByte: number | null = null;

  function of(address: string): Figures {
    const known = byAddress.get(address) ?? { token: null, facts: null, price: null };
    byAddress.set(address, known);
    return known;
  }

  return {
    /** Takes a change of a token or of the rent; any other is left. */
    apply(change: Change): void {
      if (change.type === 'token') of(change.token.address).token = change.token;
      else if (change.type === 'facts') of(change.facts.address).facts = change.facts;
      else if (change.type === 'price') of(change.price.address).price = change.price;
      else if (change.type === 'rent') rentPerByte = change.perByte;
      else if (change.type === 'kept' && change.kept.of === 'token') {
        const { address, price, facts } = change.kept;
        Object.assign(of(address), { price, facts });
      }
    },
    setPrice(price: CorePrice): void {
      of(price.address).price = price;
    },
    /** Returns a token as trades read it; null when its price or its decimals are unknown. */
    coin(address: string): TradedCoin | null {
      const { token = null, facts = null, price = null } = byAddress.get(address) ?? {};
      return facts && price ? coinOf(token, facts, price) : null;
    },
    symbol(address: string): string | null {
      const { token, facts } = byAddress.get(address) ?? {};
      return facts?.symbol ?? token?.symbol ?? null;
    },
    /** Returns the network's rent of a byte, lamports; null while it is not known. */
    rentPerByte: () => rentPerByte,
    /** Returns the number of new tokens that were detected from a time (epoch ms) on. */
    newSince(at: number): number {
      let count = 0;
      for (const { token } of byAddress.values()) if (token?.isNew && token.detectedAt >= at) count += 1;
      return count;
    },
  };
}

export type DeskMarkets = ReturnType<typeof createDeskMarkets>;

function coinOf(token: CoreToken | null, facts: CoreFacts, price: CorePrice): TradedCoin {
  return {
    address: facts.address,
    name: null,
    symbol: facts.symbol,
    decimals: facts.decimals,
    totalSupply: null,
    stage: price.stage,
    quote: facts.quote === 'SOL' || facts.quote === 'USDC' ? facts.quote : 'other',
    cluster: null,
    launchpad: token?.launchpad ?? '',
    detectedBy: 'simulator',
    creator: null,
    mayhem: null,
    price: price.price,
    reserves: price.reserves,
    reservesVenue: price.venue,
    areReservesExact: true,
    reservesAt: price.at,
    reservesSlot: null,
    liquidityLamports: null,
    riskScore: facts.risk,
    hasCopiedSymbol: false,
    lastTradeAt: null,
    isLive: true,
  };
}
