/** 1 SOL = 1,000,000,000 lamports (specification, section 1). */
export const LAMPORTS_PER_SOL = 1_000_000_000;

/** Significant digits of prices, liquidity, market cap and volume on the wire. */
export const WIRE_DIGITS = 6;

/** Lamports → SOL. */
export function lamportsToSol(lamports: number): number {
  return lamports / LAMPORTS_PER_SOL;
}

/** SOL → whole lamports, to the nearest one. */
export function solToLamports(sol: number): number {
  return Math.round(sol * LAMPORTS_PER_SOL);
}

/** Base units of a token → whole tokens (1 token = 10^decimals base units). */
export function baseUnitsToTokens(amount: number, decimals: number): number {
  return amount / 10 ** decimals;
}

/** Rounds to so many significant digits: 0.000000123456789 → 0.000000123457. */
export function roundSignificant(value: number, digits: number = WIRE_DIGITS): number {
  return value === 0 || !Number.isFinite(value) ? value : Number(value.toPrecision(digits));
}
