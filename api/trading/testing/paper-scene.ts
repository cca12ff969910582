import type { TradedReserves } from '../../../common/tokens/curve-trades.ts';
import { PAPER_START_LAMPORTS } from '../../../common/trading/account.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { AttemptVerdict, Executor, SentAttempt, TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { FillRecord, OrderRecord } from '../orders/record.ts';
import { createPaperBook } from '../paper/paper-book.ts';
import { createPaperDelay, PAPER_DELAY_MS } from '../paper/paper-delay.ts';
import { createPaperExecutor } from '../paper/paper-executor.ts';

export const PAPER_USER = '6a0000000000000000000001';
export const PAPER_WALLET = '6a00WaLLet1111111111111111111111111111111111';

/** One user who trades one coin on paper, with the time in the hands of the test. */
export interface PaperScene {
  executor: Executor;
  /** Sets figures of the coin. */
  set(fields: Partial<TradedCoin>): void;
  /** Sets the reserves of a chain on which the user's own trades happened too: the market on paper is without them. */
  setMarket(withOwnTrades: TradedReserves): void;
  /** Base units of the open position. */
  held(): bigint;
  /** Signs and sends a trade, and returns its verdict after the delay. A landed one is in the position. */
  traded(ask: TradeAsk, quote: TradeQuote): Promise<{ attempt: SentAttempt; verdict: AttemptVerdict }>;
  /** Signs and sends a trade. */
  sent(ask: TradeAsk, quote: TradeQuote): Promise<SentAttempt>;
  advance(ms: number): void;
  now(): number;
}

type OwnFill = { side: OrderRecord['side']; fill: FillRecord };

/** `samples`: times of real orders, ms. */
export function createPaperScene(options: {
  address: string;
  reserves: TradedReserves;
  samples?: readonly number[];
}): PaperScene {
  const { address, reserves, samples = [] } = options;
  let now = Date.UTC(2026, 10, 23);
  let number = 0;
  let coin = coinOf(address, reserves);
  let hasBought = false;
  const fills: OwnFill[] = [];
  const clock = { now: () => now };

  const held = () =>
    fills.reduce((sum, { side, fill }) => sum + (side === 'buy' ? BigInt(fill.tokens) : -BigInt(fill.tokens)), 0n);
  const token = { address, name: null, symbol: null, decimals: 6 };
  const position = () => ({
    id: 'position',
    mode: 'paper' as const,
    cluster: null,
    wallet: PAPER_WALLET,
    token,
    tokens: held(),
    lamports: 0,
  });

  const book = createPaperBook(() => ({
    accounts: {
      read: async () => ({
        paper: { lamports: PAPER_START_LAMPORTS, resetAt: new Date(0) },
        books: { paper: { reservedLamports: 0 } },
      }),
    },
    positions: { sellable: async () => (held() > 0n ? [position()] : []) },
    orderFills: {
      fillsOf: async () => fills,
      hasBought: async () => hasBought,
      realTimes: async () => [...samples],
    },
  }));
  const delay = createPaperDelay({ samples: async () => samples, clock });
  const executor = createPaperExecutor({ market: { coin: async () => coin }, book, delay, clock });

  async function sent(ask: TradeAsk, quote: TradeQuote): Promise<SentAttempt> {
    number += 1;
    const signed = await executor.sign(ask, quote, `order:${number}`);
    if (!signed.ok) throw new Error(`not signed: ${signed.reason.code}`);
    const attempt = { ...ask, ...signed.value, orderId: `order ${number}`, firstSentAt: now };
    await executor.send(attempt, true);
    return attempt;
  }

  async function traded(ask: TradeAsk, quote: TradeQuote) {
    const attempt = await sent(ask, quote);
    now += PAPER_DELAY_MS;
    const verdict = (await executor.look([attempt])).get(attempt.signature);
    if (!verdict) throw new Error('undecided after the delay');
    if (verdict.outcome === 'landed') {
      const { tokens, lamports, ...fill } = verdict.fill;
      fills.push({ side: ask.side, fill: { ...fill, tokens: String(tokens), lamports: Number(lamports) } });
      hasBought ||= ask.side === 'buy';
      // A closed position counts no more.
      if (held() === 0n) fills.length = 0;
    }
    return { attempt, verdict };
  }

  return {
    executor,
    held,
    sent,
    traded,
    set(fields) {
      coin = { ...coin, ...fields };
    },
    setMarket(withOwn) {
      const own = fills.reduce((sum, { side, fill }) => {
        const { launchpadFeeLamports: fee } = fill.costs;
        return sum + (side === 'buy' ? fill.lamports - fee : -(fill.lamports + fee));
      }, 0);
      const tokens = Number(held());
      coin = {
        ...coin,
        reserves: {
          virtualQuote: withOwn.virtualQuote - own,
          virtualToken: withOwn.virtualToken + tokens,
          realQuote: withOwn.realQuote - own,
          realToken: withOwn.realToken + tokens,
        },
      };
    },
    advance(ms) {
      now += ms;
    },
    now: clock.now,
  };
}

function coinOf(address: string, reserves: TradedReserves): TradedCoin {
  return {
    address,
    name: null,
    symbol: null,
    decimals: 6,
    totalSupply: null,
    stage: 'curve',
    quote: 'SOL',
    cluster: null,
    launchpad: 'simulator',
    detectedBy: 'simulator',
    creator: null,
    mayhem: null,
    price: null,
    reserves,
    reservesVenue: 'curve',
    areReservesExact: true,
    reservesAt: null,
    reservesSlot: null,
    liquidityLamports: null,
    riskScore: null,
    hasCopiedSymbol: false,
    lastTradeAt: null,
    isLive: true,
  };
}
