import { slippageAfter } from '../../../common/trading/account.ts';
import type { TradeQuote } from '../executors/executor.ts';
import type { OrderRecord } from './record.ts';

/** Returns whether an order is made however late: its position waits for it, and no price was promised. */
export function isExit({ cause }: Pick<OrderRecord, 'cause'>): boolean {
  return cause.kind === 'exit' || cause.kind === 'stop';
}

/** Returns the slippage of an order's next attempt, basis points: an exit gives way with each. */
export function slippageOf(order: Pick<OrderRecord, 'cause' | 'slippageBps' | 'attempts'>): number {
  return isExit(order) ? slippageAfter(order.slippageBps, order.attempts.length) : order.slippageBps;
}

/**
 * Returns the least that an attempt has to bring: by its quote, and for an order by hand at least what its user was shown and
 * as much as its first attempt, so that several small moves of the price do not add up to more than the slippage that was
 * agreed to.
 */
export function leastOf(order: Pick<OrderRecord, 'cause' | 'attempts' | 'least'>, quoted: bigint): bigint {
  if (isExit(order)) return quoted;
  const promised = [order.least, order.attempts[0]?.least].map((least) => BigInt(least ?? 0));
  return promised.reduce((most, one) => (one > most ? one : most), quoted);
}

/** Returns the quote with the bound that the order was made with; null when the market can't meet it any more. */
export function boundedQuote(
  order: Pick<OrderRecord, 'side' | 'cause' | 'attempts' | 'least'>,
  quote: TradeQuote,
): TradeQuote | null {
  if (order.side === 'buy') {
    const leastTokens = leastOf(order, quote.leastTokens ?? 0n);
    return leastTokens <= quote.tokens ? { ...quote, leastTokens } : null;
  }
  const leastLamports = leastOf(order, quote.leastLamports ?? 0n);
  return leastLamports <= quote.lamports ? { ...quote, leastLamports } : null;
}
