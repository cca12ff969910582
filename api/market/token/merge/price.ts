import { baseUnitsToTokens, LAMPORTS_PER_SOL } from '../../../../common/tokens/units.ts';
import type { QuoteKind, Reserves } from '../../../tokens/record.ts';

/** Smallest units of 1 USDC, which counts as one US dollar. */
const USDC_UNITS = 1_000_000;

/** Returns a quote amount in lamports; null when the quote has no SOL price or the rate (dollars for 1 SOL) is unknown. */
export function toLamports(quote: QuoteKind, amount: number, solUsd: number | null): number | null {
  switch (quote) {
    case 'SOL':
      return amount;
    case 'USDC':
      return solUsd === null ? null : Math.round((amount / USDC_UNITS / solUsd) * LAMPORTS_PER_SOL);
    case 'other':
      return null;
  }
}

/**
 * Returns SOL for one whole token: virtual quote / virtual tokens, each in whole units. null when a reserve is empty, the
 * decimals are unknown, or the quote has no SOL price.
 */
export function priceInSol(
  reserves: Reserves,
  quote: QuoteKind,
  decimals: number | null,
  solUsd: number | null,
): number | null {
  if (decimals === null || reserves.virtualToken <= 0 || reserves.virtualQuote <= 0) return null;
  const tokens = baseUnitsToTokens(reserves.virtualToken, decimals);
  switch (quote) {
    case 'SOL':
      return reserves.virtualQuote / LAMPORTS_PER_SOL / tokens;
    case 'USDC':
      return solUsd === null ? null : reserves.virtualQuote / USDC_UNITS / solUsd / tokens;
    case 'other':
      return null;
  }
}
