import { Types } from 'mongoose';
import type { TradedReserves } from '../../../common/tokens/curve-trades.ts';
import { PAPER_START_LAMPORTS } from '../../../common/trading/account.ts';
import { createStepHistory } from '../../market/traded/step-history.ts';
import type { TradedCoin } from '../../market/traded/traded-coin.ts';
import type { AttemptVerdict, Executor, SentAttempt, TradeAsk, TradeQuote } from '../executors/executor.ts';
import type { AttemptRecord, FillRecord, OpenTrade, OrderRecord } from '../orders/model.ts';
import { createPaperBook } from '../paper/paper-book.ts';
import { createPaperDelay, PAPER_DELAY_MS } from '../paper/paper-delay.ts';
import { createPaperExecutor } from '../paper/paper-executor.ts';
import { heldLot } from '../positions/plan-fill.ts';
import { coin as tradedCoin } from './coin.ts';

export const PAPER_USER = '6a0000000000000000000001';
export const PAPER_WALLET = '6a00WaLLet1111111111111111111111111111111111';

/** One user who trades one coin on paper, with the time in the hands of the test. */
export interface PaperScene {
  executor: Executor;
  /** Sets the network's rent of a byte, lamports; not known at first. */
  setRent(perByte: number): void;
  /** Sets figures of the coin. */
  set(fields: Partial<TradedCoin>): void;
  /** Has the market know the prices before a time (epoch ms) alone; at first it knows all. */
  setMerged(at: number): void;
  /** Forgets all earlier prices, as after a restart. */
  forgetPrices(): void;
  /** Sets the reserves of a chain on which the user's own trades happened too: the market on paper is without them. */
  setMarket(withOwnTrades: TradedReserves): void;
  /** Base units of the open position. */
  held(): bigint;
  /** Signs and sends a trade, and returns its verdict after the delay. A landed one is in the position. */
  traded(ask: TradeAsk, quote: TradeQuote): Promise<{ attempt: SentAttempt; verdict: AttemptVerdict }>;
  /** Looks for verdicts, and stores them: landed trades are in the position. */
  looked(attempts: readonly SentAttempt[]): Promise<Map<string, AttemptVerdict>>;
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
  let coin: TradedCoin = { ...tradedCoin({ address, reserves }), cluster: null, price: null };
  let hasBought = false;
  let rentPerByte: number | null = null;
  let mergedAt = Number.POSITIVE_INFINITY;
  const fills: OwnFill[] = [];
  const undecided = new Map<string, OpenTrade>();
  const clock = { now: () => now };

  const held = () =>
    fills.reduce((sum, { side, fill }) => sum + (side === 'buy' ? BigInt(fill.tokens) : -BigInt(fill.tokens)), 0n);

  const book = createPaperBook(() => ({
    accounts: {
      read: async () => ({
        paper: { lamports: PAPER_START_LAMPORTS, resetAt: new Date(0) },
        books: { paper: { reservedLamports: 0 } },
      }),
    },
    positions: {
      async lot(holding, open) {
        await open();
        return heldLot([], holding.address === address ? fills : []);
      },
    },
    orderStore: {
      openOf: async () => [...undecided.values()],
      hasBought: async () => hasBought,
    },
  }));
  const delay = createPaperDelay({ samples: async () => samples, clock });
  const history = createStepHistory();
  const market = {
    coin: async () => coin,
    hasMerged: (at: number) => at < mergedAt,
    stepAt: history.at,
  };
  const executor = createPaperExecutor({ market, book, delay, rentPerByte: () => rentPerByte, clock });

  function change(fields: Partial<TradedCoin>): void {
    coin = { ...coin, ...fields };
    const { price, reserves: present, stage, reservesVenue: venue } = coin;
    history.add({ address, at: now, price, reserves: present, stage, venue });
  }
  change({});

  async function sent(ask: TradeAsk, quote: TradeQuote): Promise<SentAttempt> {
    number += 1;
    const signed = await executor.sign(ask, quote, `order:${number}`, async () => true);
    if (!signed.ok) throw new Error(`not signed: ${signed.reason.code}`);
    const attempt = { ...ask, ...signed.value, orderId: `order ${number}`, firstSentAt: now };
    await executor.send(attempt, true);
    const { signature, least } = attempt;
    const stored: AttemptRecord = {
      ...{ signature, bytes: null, lastValidBlockHeight: 0, least: String(least), sends: 1, slot: null },
      ...{ signedAt: now, firstSentAt: now, outcome: null, failure: null, feeLamports: 0 },
    };
    const cause = { kind: 'rule', name: 'Any coin' } as const;
    undecided.set(signature, { _id: new Types.ObjectId(), side: ask.side, cause, fill: null, attempts: [stored] });
    return attempt;
  }

  async function looked(attempts: readonly SentAttempt[]): Promise<Map<string, AttemptVerdict>> {
    const verdicts = await executor.look(attempts);
    for (const { signature, side } of attempts) {
      const verdict = verdicts.get(signature);
      if (!verdict) continue;
      undecided.delete(signature);
      if (verdict.outcome !== 'landed') continue;
      const { tokens, lamports, ...fill } = verdict.fill;
      fills.push({ side, fill: { ...fill, tokens: String(tokens), lamports: Number(lamports) } });
      hasBought ||= side === 'buy';
      // A closed position counts no more.
      if (held() === 0n) fills.length = 0;
    }
    return verdicts;
  }

  async function traded(ask: TradeAsk, quote: TradeQuote) {
    const attempt = await sent(ask, quote);
    now += PAPER_DELAY_MS;
    const verdict = (await looked([attempt])).get(attempt.signature);
    if (!verdict) throw new Error('undecided after the delay');
    return { attempt, verdict };
  }

  return {
    executor,
    held,
    sent,
    looked,
    traded,
    setRent(perByte) {
      rentPerByte = perByte;
    },
    set: change,
    setMerged(at) {
      mergedAt = at;
    },
    forgetPrices: () => history.forget(address),
    setMarket(withOwn) {
      const own = fills.reduce((sum, { side, fill }) => {
        const fee = fill.costs.launchpadFeeLamports ?? 0;
        return sum + (side === 'buy' ? fill.lamports - fee : -(fill.lamports + fee));
      }, 0);
      const tokens = Number(held());
      change({
        reserves: {
          virtualQuote: withOwn.virtualQuote - own,
          virtualToken: withOwn.virtualToken + tokens,
          realQuote: withOwn.realQuote - own,
          realToken: withOwn.realToken + tokens,
        },
      });
    },
    advance(ms) {
      now += ms;
    },
    now: clock.now,
  };
}
