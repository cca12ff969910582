import { baseUnitsToTokens, LAMPORTS_PER_SOL } from '../../../../common/tokens/units.ts';
import type { QuoteKind, Reserves } from '../../sources/observation.ts';

/** 1 USDC = 1,000,000 of its smallest units, and is taken as one US dollar. */
const USDC_UNITS = 1_000_000;

/** Lamports a quote amount is worth; null when the quote has no SOL price or the rate (dollars for 1 SOL) is not known. */
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
 * SOL for one whole token: virtual quote / virtual tokens, each in whole units. null when a reserve is empty, the decimals are
 * not known, or the quote cannot be told in SOL.
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
