import { counted } from '../counted.ts';
import { solText } from '../tokens/units.ts';
import type { TradeTerms } from './account.ts';
import { BPS_PER_PERCENT } from './amounts.ts';
import { networkCosts } from './fills.ts';
import type { Order } from './order.ts';
import type { StopReport } from './stop.ts';

/** From this amount on, fractions of a token are left out. */
const WHOLE_FROM = 1_000;
const wholeTokens = new Intl.NumberFormat('en-US');
const fewTokens = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 6 });

/** Returns lamports as '0.1 SOL', exactly. */
export function sol(lamports: number): string {
  return `${solText(BigInt(lamports))} SOL`;
}

/** Significant digits of amounts that no user typed. */
const ROUGH_DIGITS = 4;
const roundings = { nearest: Math.round, up: Math.ceil, down: Math.floor };

/** Returns lamports with four significant digits as '0.7971 SOL': to the nearest, or `up` for a most and `down` for a least. */
export function roughSol(lamports: number, direction: keyof typeof roundings = 'nearest'): string {
  const step = 10 ** Math.max(0, String(Math.abs(lamports)).length - ROUGH_DIGITS);
  return sol(roundings[direction](lamports / step) * step);
}

const signOf = (figure: number) => (figure > 0 ? '+' : figure < 0 ? '−' : '');

/** Returns a profit or loss as '+0.1 SOL', and '(+12.3 %)' of its cost behind it where there is one. Both in lamports. */
export function profitText(profit: number, cost: number): string {
  const share = cost > 0 ? ` (${signOf(profit)}${Math.abs((profit / cost) * 100).toFixed(1)} %)` : '';
  return `${signOf(profit)}${roughSol(Math.abs(profit))}${share}`;
}

/** Returns the profit of a sale with its share of what the sold tokens had cost; null for a purchase, and while it is not known. */
export function saleProfitText({ fill, profitLamports }: Pick<Order, 'fill' | 'profitLamports'>): string | null {
  if (fill === null || profitLamports === null) return null;
  return profitText(profitLamports, fill.lamports - networkCosts(fill.costs) - profitLamports);
}

/** Returns the terms of a trade: 'slippage 5 %, priority up to 0.001 SOL, no tip', and 'protected' where it is. */
export function termsText({ slippageBps, ...fees }: TradeTerms): string {
  return `slippage ${slippageBps / BPS_PER_PERCENT} %, ${feesText(fees)}`;
}

/** Returns the terms of a trade without its slippage. */
export function feesText({ priorityMaxLamports, tipLamports, isProtected }: Omit<TradeTerms, 'slippageBps'>): string {
  return [
    priorityMaxLamports === 0 ? 'no priority fee' : `priority up to ${sol(priorityMaxLamports)}`,
    tipLamports === 0 ? 'no tip' : `tip ${sol(tipLamports)}`,
    ...(isProtected ? ['protected'] : []),
  ].join(', ');
}

/** Returns base units as whole tokens with separators: `3,402,118`, rounded down; below 1,000 with decimals. */
export function tokensText(baseUnits: string, decimals: number): string {
  const amount = Number(BigInt(baseUnits)) / 10 ** decimals;
  return amount >= WHOLE_FROM ? wholeTokens.format(Math.floor(amount)) : fewTokens.format(amount);
}

/** Returns sentences about the orders that a stop met. Empty groups have none. */
export function stoppedOrdersText({ cancelled, out }: Pick<StopReport, 'cancelled' | 'out'>): string[] {
  const sentences = [
    cancelled === 0
      ? null
      : `${counted(cancelled, 'order')} that waited ${cancelled === 1 ? 'was' : 'were'} cancelled.`,
    out === 0 ? null : `${counted(out, 'order')} sent before ${out === 1 ? 'is' : 'are'} followed to the end.`,
  ];
  return sentences.filter((sentence) => sentence !== null);
}
