import { changePercent, hasFallen, hasRisen } from './change.ts';

/** Percent below and above the price that was paid; null, absent or not above 0: no such limit. */
export interface ExitLimits {
  stopLoss?: number | null | undefined;
  takeProfit?: number | null | undefined;
}

export type ExitReason = 'stopLoss' | 'takeProfit';

/** Whether this price sells the whole position that was bought at `paid`, above 0. At the limit is beyond it. */
export function exitAt(limits: ExitLimits, paid: number, price: number): ExitReason | null {
  const { stopLoss, takeProfit } = limits;
  if (stopLoss != null && stopLoss > 0 && hasFallen(price, paid, stopLoss)) return 'stopLoss';
  if (takeProfit != null && takeProfit > 0 && hasRisen(price, paid, takeProfit)) return 'takeProfit';
  return null;
}

/** The sale: which limit, when (epoch ms), and the change since the purchase in percent. */
export interface Exit {
  by: ExitReason;
  at: number;
  change: number;
}

/** The first of the prices, oldest first, that sells a position bought at `paid`; null while none does. Unknown ones sell nothing. */
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
