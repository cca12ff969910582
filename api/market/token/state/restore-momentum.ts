import type { TradeRecord } from '../../../tokens/record.ts';
import { isInsiderTrade } from './live-token.ts';
import type { LiveTokens } from './live-tokens.ts';

/** Adds the trades of the growth window, oldest first. The first one of a token has no price before it. */
export function restoreMomentum(tokens: LiveTokens, trades: readonly TradeRecord[]): void {
  const prices = new Map<string, number | null>();
  for (const { address, at, side, wallet, lamports, slot, price } of trades) {
    const live = tokens.get(address);
    if (live === undefined) continue;
    const trade = { at: at.getTime(), side, wallet, lamports };
    const priceBefore = prices.get(address) ?? null;
    live.momentum.add({ ...trade, priceBefore, priceAfter: price }, isInsiderTrade(live, wallet, slot));
    prices.set(address, price);
  }
}
