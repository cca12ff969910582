import { baseUnitsToTokens, lamportsToSol } from './units.ts';

/**
 * Standard bonding curve: 1,000,000,000 tokens of 6 decimals; 793,100,000 are sold on the curve. It starts at
 * virtual reserves of 30 SOL and 1,073,000,000 tokens; price = virtual quote / virtual tokens. Checked on recorded trades.
 */
export const STANDARD_CURVE = {
  decimals: 6,
  /** Lamports. */
  virtualQuote: 30_000_000_000,
  /** Base units. */
  virtualToken: 1_073_000_000_000_000,
  realToken: 793_100_000_000_000,
  totalSupply: 1_000_000_000_000_000,
} as const;

/** Prices at the begin and at the end of the standard curve, SOL for one whole token. */
export const STANDARD_CURVE_PRICES = {
  launch: priceOf(STANDARD_CURVE.virtualQuote, STANDARD_CURVE.virtualToken),
  end: priceOf(
    (STANDARD_CURVE.virtualQuote * STANDARD_CURVE.virtualToken) /
      (STANDARD_CURVE.virtualToken - STANDARD_CURVE.realToken),
    STANDARD_CURVE.virtualToken - STANDARD_CURVE.realToken,
  ),
} as const;

interface CurveReserves {
  virtualQuote: number;
  virtualToken: number;
  realToken: number;
}

/** Returns whether a coin started with the standard reserves; for a quote other than SOL the token side alone decides. */
export function isStandardStart(reserves: CurveReserves, quotedInSol: boolean): boolean {
  return (
    reserves.virtualToken === STANDARD_CURVE.virtualToken &&
    reserves.realToken === STANDARD_CURVE.realToken &&
    (!quotedInSol || reserves.virtualQuote === STANDARD_CURVE.virtualQuote)
  );
}

/** Returns the sold share of the curve's tokens, percent 0–100; null when more are left than a standard curve starts with. */
export function curveProgress(realToken: number): number | null {
  if (realToken > STANDARD_CURVE.realToken || realToken < 0) return null;
  return 100 * (1 - realToken / STANDARD_CURVE.realToken);
}

/** Returns the price of reserves in lamports and base units, SOL for one whole token. */
function priceOf(virtualQuote: number, virtualToken: number): number {
  return lamportsToSol(virtualQuote) / baseUnitsToTokens(virtualToken, STANDARD_CURVE.decimals);
}
