import { SECOND } from '../../time.ts';
import type { Candle } from './model.ts';

/** The figures of a trade that a candle is made of. `at`: epoch ms. `amount`: in the unit of the candle's volume; null when unknown. */
export interface CandleTrade {
  at: number;
  side: 'buy' | 'sell';
  price: number;
  amount: number | null;
}

/** Returns the begin of the span that contains a time (epoch ms), epoch s. `seconds`: length of the span. */
export function spanBegin(at: number, seconds: number): number {
  return Math.floor(at / (seconds * SECOND)) * seconds;
}

/** Returns the candle of a trade's span with the trade as its last one. `before`: the candle without it, if there is one. */
export function withTrade(before: Candle | undefined, trade: CandleTrade, seconds: number): Candle {
  const { at, side, price, amount } = trade;
  const bought = side === 'buy' ? amount : 0;
  if (before === undefined) {
    const prices = { open: price, high: price, low: price, close: price };
    return { at: spanBegin(at, seconds), ...prices, volume: amount, bought: amount === null ? null : bought };
  }
  return {
    ...before,
    high: Math.max(before.high, price),
    low: Math.min(before.low, price),
    close: price,
    volume: sum(before.volume, amount),
    bought: sum(before.bought, bought),
  };
}

/** Joins two candles of one span; the second one is later. */
export function joinCandles(first: Candle, second: Candle): Candle {
  return {
    at: first.at,
    open: first.open,
    high: Math.max(first.high, second.high),
    low: Math.min(first.low, second.low),
    close: second.close,
    volume: sum(first.volume, second.volume),
    bought: sum(first.bought, second.bought),
  };
}

/** Returns a sum, null when a part is unknown. */
function sum(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
