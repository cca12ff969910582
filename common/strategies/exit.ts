import { changePercent, hasFallen, hasRisen } from './change.ts';

/** Limits in percent below and above the purchase price; null, absent or not above 0: no limit. */
export interface ExitLimits {
  stopLoss?: number | null | undefined;
  takeProfit?: number | null | undefined;
}

export type ExitReason = 'stopLoss' | 'takeProfit';

/** Returns the limit that `price` reaches for a position bought at `paid`, above 0; null when it reaches none. */
export function exitAt(limits: ExitLimits, paid: number, price: number): ExitReason | null {
  const { stopLoss, takeProfit } = limits;
  if (stopLoss != null && stopLoss > 0 && hasFallen(price, paid, stopLoss)) return 'stopLoss';
  if (takeProfit != null && takeProfit > 0 && hasRisen(price, paid, takeProfit)) return 'takeProfit';
  return null;
}

/** A sale of the whole position: the limit, the time (epoch ms), and the change since the purchase in percent. */
export interface Exit {
  by: ExitReason;
  at: number;
  change: number;
}

/** Returns the sale by the first price, oldest first, that reaches a limit; null without one. Unknown prices are skipped. */
export function firstExit(
  limits: ExitLimits,
  paid: number,
  prices: readonly { at: number; price: number | null }[],
): Exit | null {
  for (const { at, price } of prices) {
    const by = price === null ? null : exitAt(limits, paid, price);
    if (by !== null && price !== null) return { by, at, change: changePercent(paid, price) };
  }
  return null;
}
