import { between } from '../../../api/alerts/testing/tokens.ts';
import type { Change, CoreFacts, CorePrice } from '../../../api/trading/plans/core/model.ts';
import { STANDARD_CURVE } from '../../../common/tokens/curve.ts';
import { LAMPORTS_PER_SOL } from '../../../common/tokens/units.ts';
import { priceOf } from '../../../common/trading/fills.ts';

/** Share of the updates that go to the newest tokens, and how many these are. */
const BUSY_SHARE = 0.8;
const BUSY = 1_000;
/** Facts beside so many prices. */
const PRICES_A_FACT = 5;
/** One change of a price, at most. */
const STEP = 0.02;

interface BenchToken {
  address: string;
  /** Quote side of the virtual reserves, lamports. */
  quote: number;
  holders: number;
  risk: number | null;
}

/** Tokens on curves whose prices walk at random. */
export interface BenchMarket {
  readonly addresses: readonly string[];
  /** Returns the present price of a token. */
  priceOf(address: string, at: number): CorePrice;
  /** Adds a token that was detected at a time (epoch ms). */
  launch(at: number): Change[];
  /** Returns `count` changes of prices between two times (epoch ms), and of facts at the second. */
  updates(count: number, from: number, to: number): Change[];
}

export function createBenchMarket(random: () => number): BenchMarket {
  const tokens: BenchToken[] = [];
  const byAddress = new Map<string, BenchToken>();

  function busyToken(): BenchToken {
    const low = random() < BUSY_SHARE ? Math.max(0, tokens.length - BUSY) : 0;
    const token = tokens[between(random, low, tokens.length - 1)];
    if (!token) throw new Error('no token');
    return token;
  }

  function step(token: BenchToken, at: number): CorePrice {
    const moved = token.quote * (1 + (random() - 0.5) * 2 * STEP);
    token.quote = Math.round(Math.min(115, Math.max(30.01, moved / LAMPORTS_PER_SOL)) * LAMPORTS_PER_SOL);
    return presentPrice(token, at);
  }

  function facts(token: BenchToken): CoreFacts {
    token.holders = Math.max(1, token.holders + between(random, -2, 3));
    if (random() < 0.3) token.risk = between(random, 5, 95);
    const { address, holders, risk } = token;
    return { address, symbol: 'BENCH', holders, risk, quote: 'SOL', decimals: STANDARD_CURVE.decimals };
  }

  return {
    get addresses() {
      return tokens.map(({ address }) => address);
    },
    priceOf(address, at) {
      const token = byAddress.get(address);
      if (!token) throw new Error('no such token');
      return presentPrice(token, at);
    },
    launch(at) {
      const address = `${tokens.length}`.padStart(44, 'Bench');
      const quote = between(random, 30_100, 60_000) * (LAMPORTS_PER_SOL / 1_000);
      const token: BenchToken = { address, quote, holders: between(random, 1, 120), risk: null };
      tokens.push(token);
      byAddress.set(address, token);
      const identity = {
        address,
        symbol: 'BENCH',
        detectedAt: at,
        isNew: true,
        source: 'bench',
        launchpad: 'simulator',
      };
      return [
        { type: 'token', token: identity },
        { type: 'price', price: presentPrice(token, at) },
        { type: 'facts', facts: facts(token) },
      ];
    },
    updates: (count, from, to) =>
      Array.from({ length: count }, (_, number): Change => {
        if (number % PRICES_A_FACT === PRICES_A_FACT - 1) return { type: 'facts', facts: facts(busyToken()) };
        return { type: 'price', price: step(busyToken(), from + Math.floor(((to - from) * number) / count)) };
      }),
  };
}

const { virtualQuote, virtualToken, realToken } = STANDARD_CURVE;

/** Returns price and reserves of a standard curve by its quote side. */
function presentPrice({ address, quote }: BenchToken, at: number): CorePrice {
  const tokens = Math.floor((virtualQuote * virtualToken) / quote);
  const realQuote = quote - virtualQuote;
  return {
    address,
    at,
    price: priceOf(quote, tokens, STANDARD_CURVE.decimals),
    liquidity: (2 * realQuote) / LAMPORTS_PER_SOL,
    reserves: { virtualQuote: quote, virtualToken: tokens, realQuote, realToken: realToken - (virtualToken - tokens) },
    venue: 'curve',
    stage: 'curve',
  };
}
