import type { Token } from './model.ts';
import { baseUnitsToTokens, roundSignificant } from './units.ts';

/**
 * Returns the market cap in US dollars: price (SOL) × supply × dollars for 1 SOL; null when one of them is unknown. Computed
 * from the price as the wire rounds it, and rounded alike, so that server and clients get the same figure.
 */
export function marketCapUsd(
  price: number | null,
  totalSupply: string | null,
  decimals: number | null,
  solUsd: number | null,
): number | null {
  if (price === null || totalSupply === null || decimals === null || solUsd === null) return null;
  return marketCapOfSupply(price, baseUnitsToTokens(Number(totalSupply), decimals), solUsd);
}

/** Returns the same for known figures, with the supply in whole tokens; NaN when one of them is NaN. */
export function marketCapOfSupply(price: number, supply: number, solUsd: number): number {
  return roundSignificant(roundSignificant(price) * supply * solUsd);
}

/** Returns the market cap of a token at this rate. */
export function marketCapOf(
  { price, totalSupply, decimals }: Pick<Token, 'price' | 'totalSupply' | 'decimals'>,
  solUsd: number | null,
): number | null {
  return marketCapUsd(price, totalSupply, decimals, solUsd);
}
